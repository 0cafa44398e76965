/** Dropdown lists in the cells of a workbook, whichever program saved it. */
import * as XLSX from 'xlsx';

/** @returns the number of validation rules on the first sheet that refer to another sheet with values */
export async function listsIn(bytes: Buffer): Promise<number> {
  const book = XLSX.read(bytes);
  const archive = XLSX.CFB.read(bytes, { type: 'buffer' });
  const sheet = archive.FileIndex.find((_: unknown, at: number) =>
    archive.FullPaths[at]!.endsWith('/xl/worksheets/sheet1.xml'),
  );
  const xml = Buffer.from(sheet!.content as Uint8Array).toString();
  const rules = [...xml.matchAll(/<dataValidation\b[^>]*type="list"[^>]*>.*?<\/dataValidation>/gs)];
  return rules.filter(([rule]) => {
    const [, name, first, last] =
      /<formula1>'?([^'!<]+)'?!(\$?[A-Z]+\$?\d+):(\$?[A-Z]+\$?\d+)<\/formula1>/.exec(rule) ?? [];
    const cells = name === undefined ? undefined : book.Sheets[name];
    return [first, last].every((cell) => cells?.[cell?.replaceAll('$', '') ?? '']?.v);
  }).length;
}
