/** Which sheet of a workbook has the people: the one that is named, the template's, or the first that has headers. */
import { say } from '../../../contract/languages/text.ts';
import { plainName } from '../../../platform/sheets/header-names.ts';
import { mostRowsAbove } from '../../../platform/sheets/header-row.ts';
import type { OpenTable, SheetReader } from '../../../platform/sheets/reader.ts';
import type { Row } from '../../../platform/sheets/types.ts';
import { columnNames } from '../../collaborators/column-names.ts';
import type { AskedFault, Question } from '../state/questions.ts';
import { templateSheets } from '../template-words.ts';
import type { TableSettings } from './people-table.ts';
import { headerOf } from './table-columns.ts';

/** Rows in which the headers are looked for; the one below them may have units, and belongs to them then. */
export const headRows = mostRowsAbove + 2;

export interface SheetChoice {
  file: OpenTable;
  /** Other sheets that have rows, by name. */
  leftOut: string[];
  /** Other sheets that have people, too. */
  alike: string[];
}

/** Further ones are not opened: each is read from its beginning. */
const mostSheets = 20;

/** @throws SheetError when there is no such sheet, or it can't be read */
export async function openPeopleSheet(
  sheets: SheetReader,
  bytes: Uint8Array,
  settings: TableSettings,
  signal: AbortSignal,
): Promise<SheetChoice> {
  const { sheet, encoding } = settings;
  const said = { ...(sheet !== null && { sheet }), ...(encoding !== null && { encoding }) };
  const file = await sheets.open(bytes, { ...said, signal });
  const { info } = file;
  const names = info.sheets ?? [];
  if (info.encoding_guess && encoding === null)
    return { file: await inLikelyEncoding(sheets, bytes, file, settings, signal), ...alone };
  if (sheet !== null || names.length < 2) return { file, ...alone };
  const usual = names.find((name) => templateSheets.has(name));
  file.close();
  if (usual !== undefined) return { file: await sheets.open(bytes, { sheet: usual, signal }), ...alone };
  const withRows: string[] = [];
  const withPeople: string[] = [];
  for (const name of names.slice(0, mostSheets)) {
    const head = await headOf(await sheets.open(bytes, { sheet: name, signal }));
    if (head.length === 0) continue;
    withRows.push(name);
    if (headerOf(head, settings)) withPeople.push(name);
  }
  const chosen = withPeople[0] ?? withRows[0] ?? names[0]!;
  return {
    file: await sheets.open(bytes, { sheet: chosen, signal }),
    leftOut: withRows.filter((name) => name !== chosen),
    alike: withPeople.slice(1),
  };
}

const alone = { leftOut: [], alike: [] };

/** Where its bytes leave it open, the language of its headers tells the encoding. It stays a guess, and is told as one. */
async function inLikelyEncoding(
  sheets: SheetReader,
  bytes: Uint8Array,
  file: OpenTable,
  settings: TableSettings,
  signal: AbortSignal,
): Promise<OpenTable> {
  const { encoding, encoding_guess: guess } = file.info;
  const header = headerOf(await headOf(file), settings);
  const isWestern = header?.cells.some((cell) => isOfWest(String(cell ?? '')));
  if (!isWestern || guess!.other_encoding !== western) return sheets.open(bytes, { signal });
  const other = await sheets.open(bytes, { encoding: western, signal });
  const { sample, other_sample: otherSample } = guess!;
  other.info.encoding_guess = { sample: otherSample, other_encoding: encoding!, other_sample: sample };
  return other;
}

/** Of the languages below. */
const western = 'windows-1252';

/** A header in Portuguese, Spanish or French, and in no other language. */
function isOfWest(header: string): boolean {
  return ofWest.has(plainName(header));
}

const inLanguages = (...languages: ('en' | 'pt' | 'es' | 'de' | 'fr')[]) =>
  Object.values(columnNames).flatMap((names) => languages.flatMap((language) => names[language].map(plainName)));
const ofOthers = new Set(inLanguages('en', 'de'));
const ofWest = new Set(inLanguages('pt', 'es', 'fr').filter((name) => !ofOthers.has(name)));

async function headOf(file: OpenTable): Promise<Row[]> {
  const head: Row[] = [];
  for await (const row of file.rows) if (head.push(row) === headRows) break;
  return head;
}

/** @param row of the headers */
export function faultOfSheets({ file, alike }: SheetChoice, row: number): AskedFault[] {
  const { sheet } = file.info;
  if (alike.length === 0 || sheet === undefined) return [];
  const names = [sheet, ...alike];
  const question: Question = {
    ...{ id: 'sheet', kind: 'sheet', column: null },
    message: say`Several sheets have people. Which one is to be imported?`,
    choices: names.map((name) => ({ answer: name, label: name })),
  };
  const list = names.map((name) => `“${name}”`).join(', ');
  const message = say`Several sheets have people: ${list}. Say which with \`sheet\`.`;
  return [{ row, column: null, field: null, code: 'duplicate', message, question }];
}
