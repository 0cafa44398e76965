/**
 * Validates a workbook as strictly as a program might: every part is well-formed for libxml2, declared, and referenced,
 * and the counts agree (ECMA-376, parts 1 and 2). Excel offers to repair files that break these rules.
 */
import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import * as XLSX from 'xlsx';

const names = {
  x: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  p: 'http://schemas.openxmlformats.org/package/2006/relationships',
  t: 'http://schemas.openxmlformats.org/package/2006/content-types',
};
/** The order of elements that CT_Worksheet requires. */
const order = [
  'sheetPr',
  'sheetViews',
  'sheetFormatPr',
  'cols',
  'sheetData',
  'autoFilter',
  'dataValidations',
  'pageSetup',
];

/** @returns the parts by path @throws with the problem */
export function strictParts(bytes: Buffer): Map<string, string> {
  const archive = XLSX.CFB.read(bytes, { type: 'buffer' }); // adds an entry named after itself
  const parts = new Map<string, string>();
  for (const [at, path] of archive.FullPaths.entries()) {
    const { type, content } = archive.FileIndex[at]!;
    if (type === 2 && !path.includes('Sh33tJ5'))
      parts.set(path.replace(/^Root Entry\//, ''), Buffer.from(content as Uint8Array).toString());
  }
  for (const [path, text] of parts) parsed(path, text, () => {});
  for (const path of parts.keys()) if (!typesOf(parts).has(path)) throw new Error(`${path} has no content type`);
  for (const path of parts.keys()) if (path.endsWith('.rels')) checkRelations(path, parts);
  const styles = parsed('xl/styles.xml', parts.get('xl/styles.xml')!, (root) => {
    for (const list of root.find('//x:*[@count]', names) as XmlElement[]) checkCount('xl/styles.xml', list);
    return root.find('x:cellXfs/x:xf', names).length;
  });
  for (const [path, text] of parts) {
    if (path.startsWith('xl/worksheets/')) parsed(path, text, (root) => checkSheet(path, root, styles));
  }
  return parts;
}

function parsed<T>(path: string, text: string, evaluate: (root: XmlElement) => T): T {
  try {
    using document = XmlDocument.fromString(text);
    return evaluate(document.root);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function typesOf(parts: Map<string, string>): { has(path: string): boolean } {
  return parsed('[Content_Types].xml', parts.get('[Content_Types].xml')!, (root) => {
    const listed = new Set(values(root, 't:Override/@PartName').map((name) => name.slice(1)));
    for (const path of listed) if (!parts.has(path)) throw new Error(`there is no ${path}`);
    return { has: (path) => listed.has(path) || path.endsWith('.rels') || path === '[Content_Types].xml' };
  });
}

function checkRelations(path: string, parts: Map<string, string>): void {
  const folder = path.replace(/_rels\/[^/]+$/, '');
  parsed(path, parts.get(path)!, (root) => {
    const ids = values(root, 'p:Relationship/@Id');
    if (new Set(ids).size < ids.length) throw new Error('an id stands twice');
    for (const target of values(root, 'p:Relationship/@Target')) {
      if (!parts.has(folder + target)) throw new Error(`leads to ${target}, which is not there`);
    }
  });
}

function checkSheet(path: string, root: XmlElement, styles: number): void {
  const children = (root.find('x:*', names) as XmlElement[]).map(({ name }) => order.indexOf(name));
  if (children.some((position, at) => position <= (children[at - 1] ?? -1)))
    throw new Error('elements are out of order');
  for (const style of values(root, '//x:c/@s | //x:col/@style')) {
    if (Number(style) >= styles) throw new Error(`there is no style ${style}`);
  }
  let lastRow = 0;
  for (const row of root.find('x:sheetData/x:row', names) as XmlElement[]) {
    const number = Number(row.attr('r')!.value);
    if (number <= lastRow) throw new Error(`row ${number} comes behind row ${lastRow}`);
    lastRow = number;
    let lastColumn = -1;
    for (const position of values(row, 'x:c/@r')) {
      const { r, c } = XLSX.utils.decode_cell(position);
      if (r + 1 !== number || c <= lastColumn) throw new Error(`${position} is out of place`);
      lastColumn = c;
    }
  }
  for (const list of root.find('x:dataValidations', names) as XmlElement[]) checkCount(path, list);
  for (const rule of root.find('//x:dataValidation', names) as XmlElement[]) {
    // Excel's limits, which the schema has too.
    if ((rule.attr('promptTitle')?.value.length ?? 0) > 32) throw new Error('a title is too long');
    if ((rule.attr('prompt')?.value.length ?? 0) > 255) throw new Error('a hint is too long');
  }
}

function checkCount(path: string, list: XmlElement): void {
  const { length } = list.find('x:*', names);
  if (Number(list.attr('count')!.value) !== length) throw new Error(`${path}: ${list.name} has ${length} elements`);
}

function values(node: XmlElement, xpath: string): string[] {
  return node.find(xpath, names).map(({ content }) => content);
}
