/** Workbooks as office programs write them. */
import { readFile } from 'node:fs/promises';
import * as XLSX from 'xlsx';

/** A value, or a number with its format. */
type Value = string | number | null | { v: number; z: string };

interface WorkbookSpec {
  kind: 'xlsx' | 'xls' | 'ods';
  rows: Value[][];
  merged?: string[];
  from1904?: boolean;
}

/** Written by the package that many programs use for exports. */
export function saved({ kind, rows, merged = [], from1904 = false }: WorkbookSpec): Buffer {
  const cells = rows.map((row) =>
    row.map((value): XLSX.CellObject | undefined => {
      if (value === null) return undefined;
      if (typeof value === 'object') return { t: 'n', ...value };
      return typeof value === 'number' ? { t: 'n', v: value } : { t: 's', v: value };
    }),
  );
  const columns = Math.max(...rows.map(({ length }) => length));
  const range = { s: { r: 0, c: 0 }, e: { r: rows.length - 1, c: columns - 1 } };
  const sheet = {
    '!ref': XLSX.utils.encode_range(range),
    '!data': cells,
    '!merges': merged.map((mergedRange) => XLSX.utils.decode_range(mergedRange)),
  } as unknown as XLSX.WorkSheet;
  const book = XLSX.utils.book_new(sheet, 'Sheet1');
  book.Workbook = { WBProps: { date1904: from1904 } };
  const { error } = console;
  console.error = () => {}; // the package logs each format character that ODS lacks
  try {
    return XLSX.write(book, { type: 'buffer', bookType: kind === 'xls' ? 'biff8' : kind, compression: true });
  } finally {
    console.error = error;
  }
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Adds an unused external link, as Excel keeps after values were pasted over formulas. */
export function withLeftoverLink(workbook: Buffer): Buffer {
  const archive = XLSX.CFB.read(workbook, { type: 'buffer' });
  const change = (path: string, before: string, after: string) => {
    const part = XLSX.CFB.find(archive, `/${path}`)!;
    const text = Buffer.from(part.content as Uint8Array).toString();
    if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
    XLSX.CFB.utils.cfb_add(archive, `/${path}`, Buffer.from(text.replace(before, after)));
  };
  const link = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><externalLink xmlns="${main}"><externalBook xmlns:r="${types}" r:id="rId1"><sheetNames><sheetName val="Folha"/></sheetNames></externalBook></externalLink>`;
  const target = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${types}/externalLinkPath" Target="file:///C:/RH/Folha%202019.xls" TargetMode="External"/></Relationships>`;
  XLSX.CFB.utils.cfb_add(archive, '/xl/externalLinks/externalLink1.xml', Buffer.from(link));
  XLSX.CFB.utils.cfb_add(archive, '/xl/externalLinks/_rels/externalLink1.xml.rels', Buffer.from(target));
  const relation = `<Relationship Id="rId99" Type="${types}/externalLink" Target="externalLinks/externalLink1.xml"/>`;
  change('xl/_rels/workbook.xml.rels', '</Relationships>', `${relation}</Relationships>`);
  const references = `<externalReferences><externalReference xmlns:r="${types}" r:id="rId99"/></externalReferences>`;
  change('xl/workbook.xml', '</sheets>', `</sheets>${references}`);
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml';
  const override = `<Override PartName="/xl/externalLinks/externalLink1.xml" ContentType="${type}"/>`;
  change('[Content_Types].xml', '</Types>', `${override}</Types>`);
  return Buffer.from(XLSX.CFB.write(archive, { type: 'buffer', fileType: 'zip', compression: true }) as Uint8Array);
}

/** Written by pandas; see `pandas-with-index.py`. */
export function byPandas(): Promise<Buffer> {
  return readFile(new URL('pandas-with-index.xlsx', import.meta.url));
}

/** In the western Windows encoding, for characters that it shares with ISO 8859-1. */
export function inWindows1252(lines: string[]): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
}
