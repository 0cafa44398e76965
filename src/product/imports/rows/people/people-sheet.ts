/** Selects the sheet with people: the named one, the template's, all of a group export, or the first with headers. */
import { t } from '../../../../contract/languages/text.ts';
import { plainName } from '../../../../platform/sheets/headers/header-names.ts';
import { maxRowsAbove } from '../../../../platform/sheets/headers/header-row.ts';
import type { Cell, Row } from '../../../../platform/sheets/model/types.ts';
import type { OpenTable, SheetReader } from '../../../../platform/sheets/reader.ts';
import { exportKindOf } from '../../../collaborators/export-mark.ts';
import { columnNames } from '../../../collaborators/fields/column-names.ts';
import type { AnswerableError, Question } from '../../state/questions.ts';
import { templateSheets } from '../../template/template-messages.ts';
import { meaning } from '../columns/import-fields.ts';
import { headerOf } from '../columns/table-columns.ts';
import { allSheets, joinSheets, type PeopleSheet } from '../joined-sheets.ts';
import type { TableSettings } from './people-table.ts';

/** Rows searched for headers; one below them may contain units, and then belongs to them. */
export const headRows = maxRowsAbove + 2;

export interface SheetChoice {
  file: OpenTable;
  ignored: string[];
  alike: string[];
  joined: string[];
  canBeJoined: boolean;
}

/** Further sheets aren't opened, because each is read from its start. */
const maxSheets = 20;
/** The maximum of an export, including its summary sheet. */
const maxSheetsOfExport = 202;

/** @throws SheetError for a missing or unreadable sheet */
export async function openPeopleSheet(
  sheets: SheetReader,
  bytes: Uint8Array,
  settings: TableSettings,
  signal: AbortSignal,
): Promise<SheetChoice> {
  const { sheet, encoding } = settings;
  const openOptions = {
    ...(sheet !== null && sheet !== allSheets && { sheet }),
    ...(encoding !== null && { encoding }),
  };
  const file = await sheets.open(bytes, { ...openOptions, signal });
  const { info } = file;
  const names = info.sheets ?? [];
  if (info.encoding_guess && encoding === null)
    return { file: await inLikelyEncoding(sheets, bytes, file, settings, signal), ...singleSheet };
  if ((sheet !== null && sheet !== allSheets) || names.length < 2) return { file, ...singleSheet };
  const exportKind = exportKindOf(info);
  const templateSheet = exportKind || sheet === allSheets ? undefined : names.find((name) => templateSheets.has(name));
  file.close();
  if (templateSheet !== undefined)
    return { file: await sheets.open(bytes, { sheet: templateSheet, signal }), ...singleSheet };
  const withRows: string[] = [];
  const withPeople: PeopleSheet[] = [];
  for (const name of names.slice(0, exportKind ? maxSheetsOfExport : maxSheets)) {
    const head = await headOf(await sheets.open(bytes, { sheet: name, signal }));
    if (head.length === 0) continue;
    withRows.push(name);
    const header = headerOf(head, settings);
    // Other sheets of an export have headers such as Name and ID too.
    if (!header || (exportKind && !header.cells.some(isEmailCell))) continue;
    withPeople.push({ name, headersEnd: head[header.next - 1]?.row ?? header.row, headers: header.cells.join('\n') });
  }
  const chosen = withPeople[0]?.name ?? withRows[0] ?? names[0]!;
  const areJoined = exportKind === 'group' || sheet === allSheets;
  const alike = withPeople.filter(({ headers }) => headers === withPeople[0]!.headers);
  const joinedSheets = areJoined && alike.length > 1 ? alike : [];
  const open = await sheets.open(bytes, { sheet: chosen, signal });
  const isRead = (name: string) => name === chosen || joinedSheets.some((each) => each.name === name);
  return {
    file: joinedSheets.length > 0 ? joinSheets(sheets, bytes, joinedSheets, open, signal) : open,
    ignored: (exportKind ? withPeople.map(({ name }) => name) : withRows).filter((name) => !isRead(name)),
    alike: exportKind || areJoined ? [] : withPeople.slice(1).map(({ name }) => name),
    canBeJoined: alike.length === withPeople.length,
    joined: joinedSheets.map(({ name }) => name),
  };
}

const singleSheet = { ignored: [], alike: [], joined: [], canBeJoined: false };

function isEmailCell(cell: Cell): boolean {
  return cell !== null && meaning(String(cell), false) === 'email';
}

/** If the bytes are ambiguous, the language of the headers suggests the encoding. It stays a guess, and is reported as one. */
async function inLikelyEncoding(
  sheets: SheetReader,
  bytes: Uint8Array,
  file: OpenTable,
  settings: TableSettings,
  signal: AbortSignal,
): Promise<OpenTable> {
  const { encoding, encoding_guess: guess } = file.info;
  const header = headerOf(await headOf(file), settings);
  const isWestern = header?.cells.some((cell) => isWesternName(String(cell ?? '')));
  if (!isWestern || guess!.other_encoding !== western) return sheets.open(bytes, { signal });
  const other = await sheets.open(bytes, { encoding: western, signal });
  const { sample, other_sample: otherSample } = guess!;
  other.info.encoding_guess = { sample: otherSample, other_encoding: encoding!, other_sample: sample };
  return other;
}

const western = 'windows-1252';

/** Whether a header is in Portuguese, Spanish, or French, and in no other language. */
function isWesternName(header: string): boolean {
  return westernNames.has(plainName(header));
}

const namesIn = (...languages: ('en' | 'pt' | 'es' | 'de' | 'fr')[]) =>
  Object.values(columnNames).flatMap((names) => languages.flatMap((language) => names[language].map(plainName)));
const otherNames = new Set(namesIn('en', 'de'));
const westernNames = new Set(namesIn('pt', 'es', 'fr').filter((name) => !otherNames.has(name)));

async function headOf(file: OpenTable): Promise<Row[]> {
  const head: Row[] = [];
  for await (const row of file.rows) if (head.push(row) === headRows) break;
  return head;
}

export function errorOfSheets({ file, alike, canBeJoined }: SheetChoice, row: number): AnswerableError[] {
  const { sheet } = file.info;
  if (alike.length === 0 || sheet === undefined) return [];
  const names = [sheet, ...alike];
  const choices = names.map((name) => ({ answer: name, label: name }));
  const question: Question = {
    ...{ id: 'sheet', kind: 'sheet', column: null },
    message: t`Several sheets have people. Which one should be imported?`,
    choices: canBeJoined ? [...choices, { answer: allSheets, label: t`All of them, as one list` }] : choices,
  };
  const list = names.map((name) => `“${name}”`).join(', ');
  const message = t`Several sheets have people: ${list}. Set \`sheet\`.`;
  return [{ row, column: null, field: null, code: 'duplicate', message, question }];
}
