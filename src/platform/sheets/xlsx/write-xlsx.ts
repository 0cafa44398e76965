/**
 * Writes a workbook as it is read by whoever takes it: rows become XML, XML is packed, and nothing waits in memory but what
 * is on its way. The parts that list the sheets come last, so that sheets may be found out while writing.
 */
import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { columnLetter } from '../model/letters.ts';
import { type Sheet, sheetName, type WrittenSheet } from '../model/sheet.ts';
import type { Cell } from '../model/types.ts';
import { sheetXml } from './sheet-xml.ts';
import { stylesXml } from './styles.ts';
import {
  contentTypes,
  coreProperties,
  customProperties,
  relations,
  workbookRelations,
  workbookXml,
} from './xlsx-parts.ts';

interface WorkbookOptions {
  title: string;
  /** Kept in the workbook where people do not see it; `TableInfo` has it again. */
  properties?: Record<string, string>;
  /** When it is made. */
  now?: Date;
}

/** Level 3 takes a fifth more time, and makes files smaller by a twentieth. */
const compressionLevel = 1;
/** Of what waits to be packed, which another thread does meanwhile. */
const waitingBytes = 262_144;

/** @returns the bytes; what goes wrong with the rows is an error of this stream. Destroying it ends the reading of rows. */
export function writeWorkbook(
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>,
  { title, properties = {}, now = new Date() }: WorkbookOptions,
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const options = { mtime: now, compressionLevel: compressionLevel };
  let current: Readable | undefined;
  const add = async (xml: AsyncIterable<string>, path: string) => {
    current = Readable.from(bytesOf(xml), { objectMode: false, highWaterMark: waitingBytes });
    zip.addReadStream(current, path, options);
    await finished(current, { writable: false });
  };
  const addText = (text: string, path: string) => zip.addBuffer(Buffer.from(text), path, options);
  const write = async () => {
    const used = new Set([listsName.toLowerCase()]);
    const written: WrittenSheet[] = [];
    const lists: List[] = [];
    for await (const sheet of sheets) {
      if (output.destroyed) return;
      written.push({ name: sheetName(sheet.name, used), visibility: sheet.visibility ?? 'visible' });
      await add(sheetXml(sheet, listRanges(sheet, lists)), `xl/worksheets/sheet${written.length}.xml`);
    }
    if (lists.length > 0) {
      written.push({ name: listsName, visibility: 'hidden' });
      await add(sheetXml(listSheet(lists)), `xl/worksheets/sheet${written.length}.xml`);
    }
    addText(stylesXml, 'xl/styles.xml');
    addText(workbookXml(written), 'xl/workbook.xml');
    addText(workbookRelations(written.length), 'xl/_rels/workbook.xml.rels');
    addText(coreProperties(title, now), 'docProps/core.xml');
    addText(customProperties(properties), 'docProps/custom.xml');
    addText(relations, '_rels/.rels');
    addText(contentTypes(written.length), '[Content_Types].xml');
    zip.end();
  };
  zip.on('error', (error: Error) => output.destroy(error));
  output.on('error', () => {}); // whoever begins to read later hears of it then
  output.once('close', () => current?.destroy());
  write().catch((error: Error) => output.destroy(error));
  return output;
}

/** The sheet with the values of lists: in a rule itself they may not be longer than 255 characters, nor have commas. */
const listsName = 'Lists';

interface List {
  header: string;
  values: readonly string[];
}

/** @param lists those so far; the sheet's own are added */
function listRanges({ columns }: Sheet, lists: List[]): (string | undefined)[] {
  return columns.map(({ header, rule }) => {
    if (rule?.kind !== 'list' || rule.values.length === 0) return undefined;
    const { values, notes } = rule;
    lists.push({ header, values });
    const letter = columnLetter(lists.length - 1);
    if (notes) lists.push({ header: '', values: notes });
    return `${listsName}!$${letter}$2:$${letter}$${values.length + 1}`;
  });
}

/** Hidden, and not for good: some programs do not offer values of a sheet that nobody can ever see. */
function listSheet(lists: readonly List[]): Sheet {
  const rows: Cell[][] = [];
  const longest = Math.max(...lists.map(({ values }) => values.length));
  for (let row = 0; row < longest; row++) rows.push(lists.map(({ values }) => values[row] ?? null));
  const columns = lists.map(({ header }) => ({ header, kind: 'text' as const, width: 32 }));
  return { name: listsName, columns, groups: [rows], visibility: 'hidden' };
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}
