/** Interprets the rows of a file after all are read, column by column: formats of people, and artifacts of programs. */
import { type Text, t } from '../../../../contract/languages/text.ts';
import { listFromStored } from '../../../../contract/stored.ts';
import type { CompanyFields } from '../../../../identity/members/company-fields.ts';
import type { DateOrder } from '../../../../platform/sheets/cells/date-texts.ts';
import type { DecimalSign } from '../../../../platform/sheets/cells/number-texts.ts';
import { columnLetter } from '../../../../platform/sheets/model/letters.ts';
import type { CellKind, Row } from '../../../../platform/sheets/model/types.ts';
import { maxDecimals } from '../../../custom-fields/check-value.ts';
import type { AnswerableError } from '../../state/questions.ts';
import type { ImportWarning } from '../../state/warnings.ts';
import { type Cleaned, cleanCells, type GarbledText } from '../columns/clean-cells.ts';
import { type DateColumn, readDateColumn } from '../columns/date-columns.ts';
import { isKnownStatus } from '../columns/employment-status.ts';
import { encodingOf, errorOfEncoding, type FileEncoding, warningsOfEncoding } from '../columns/file-encoding.ts';
import { kindOf, type TableField } from '../columns/import-fields.ts';
import { type NumberColumn, readNumberColumns } from '../columns/number-columns.ts';
import { type NameOrder, type Names, readNames } from '../columns/split-names.ts';
import { headerExcerpt, isConfirmed, type TableColumns } from '../columns/table-columns.ts';
import { readMarks } from '../marked-rows.ts';
import { sidewaysError } from '../sideways-error.ts';
import { suggestedFields } from '../suggested-fields.ts';
import { firstValues } from './create-preview.ts';
import { errorOfSheets, type SheetChoice } from './people-sheet.ts';
import { byColumn, type PeopleTable, type TableSettings } from './people-table.ts';

const decimalsOf: Partial<Record<CellKind, number>> = { money: 2, number: maxDecimals };

export interface Found {
  columns: TableColumns;
  choice: SheetChoice;
  rows: Row[];
  rowsAbove: number;
  nameless: ReadonlySet<number>;
  indexColumn: number | undefined;
  hasSalaries: boolean;
}

interface Readings {
  cleaned: Cleaned;
  dates: ReadonlyMap<number, DateColumn>;
  numbers: ReadonlyMap<number, NumberColumn>;
  names: Names;
  markWarnings: ImportWarning[];
}

export async function interpret(found: Found, settings: TableSettings): Promise<PeopleTable> {
  const { columns, choice, rows, indexColumn } = found;
  const { header, layout } = columns;
  const { info } = choice.file;
  const readings = await readColumns(found, settings);
  const { dates, names } = readings;
  const keys = columns.keys.map((key, column) =>
    isNameField(key) && !isUsed(columns, names, column) ? undefined : key,
  );
  const fieldColumns = new Map(columns.fieldColumns);
  if (names.column !== undefined) fieldColumns.set('name', names.column);
  for (const part of ['given_name', 'family_name'] as const) fieldColumns.delete(part);
  const encoding = encodingOf(info, settings);
  return {
    ...{
      encoding,
      delimiter: info.delimiter,
      header_row: header.row,
      header: header.cells,
      keys,
      fieldColumns,
      indexColumn,
    },
    nameParts: names.column === columns.names.name ? [] : columns.names.parts,
    layout: layout?.name ?? null,
    columns: columnResponses(found, keys, dates, settings.fields),
    unclear: new Map([...dates].flatMap(([column, { unclear }]) => (unclear ? [[column, unclear]] : []))),
    warnings: [...warningsOfEncoding(encoding), ...warningsOf(found, readings)],
    errors: errorsOf(found, settings, encoding, readings),
    rows,
    has_salaries: found.hasSalaries || clearsSalaries(found, settings),
    fields: settings.fields,
  };
}

/** In this order: cells first, then their meaning. Changes cells in place. */
async function readColumns({ columns, choice, rows }: Found, settings: TableSettings): Promise<Readings> {
  const { keys, header, names } = columns;
  const markWarnings = readMarks(rows, choice.file.marks);
  const used = new Map(
    keys.flatMap((key, column) => (key ? [[column, kindOf(key, settings.fields) === 'text'] as const] : [])),
  );
  const { garbled_text: garbled, name_order: order } = settings;
  const cleaned = await cleanCells(rows, { columns: used, garbled: (garbled as GarbledText | null) ?? undefined });
  const { from1904 = false } = choice.file.info;
  const dates = new Map<number, DateColumn>();
  const decimals = new Map<number, number>();
  for (const [column, key] of keys.entries()) {
    const kind = kindOf(key, settings.fields);
    if (kind === 'date') {
      dates.set(column, await readDateColumn(rows, column, { ...dateSettingsOf(column, settings), from1904 }));
    } else if (decimalsOf[kind] !== undefined) decimals.set(column, decimalsOf[kind]);
  }
  const decimal = (settings.decimal as DecimalSign | null) ?? undefined;
  const numbers = await readNumberColumns(rows, decimals, { decimal, isConfirmed: isConfirmed(settings) });
  return {
    markWarnings,
    cleaned,
    dates,
    numbers,
    names: await readNames(rows, names, header.cells, (order as NameOrder) ?? undefined),
  };
}

/** A committed file is read with the dry run's date orders. */
function dateSettingsOf(column: number, settings: TableSettings) {
  const { date_order: dateOrder, columns, committed_at: committedAt } = settings;
  const committedColumns = committedAt === null ? [] : listFromStored('ImportColumn', columns);
  const before = committedColumns.find((each) => each.column === columnLetter(column))?.date_order;
  const order = (dateOrder ?? before ?? undefined) as DateOrder | undefined;
  return { order, isConfirmed: isConfirmed(settings) };
}

function clearsSalaries({ columns }: Found, { mode, empty_cells: emptyCells }: TableSettings): boolean {
  return mode === 'upsert' && emptyCells === 'clear' && columns.fieldColumns.has('salary');
}

function isNameField(key: TableField | undefined): boolean {
  return key === 'name' || key === 'given_name' || key === 'family_name';
}

/** Whether the full name comes from this column, alone or joined. */
function isUsed({ names }: Found['columns'], { column: whole }: Names, column: number): boolean {
  return whole === names.name ? column === whole : names.parts.includes(column);
}

function columnResponses(
  { columns, rows }: Found,
  keys: PeopleTable['keys'],
  dates: Readings['dates'],
  fields: CompanyFields,
): PeopleTable['columns'] {
  const suggested = suggestedFields(columns.unknown, columns.header.cells, rows, fields);
  return columns.header.cells.flatMap((cell, column) => {
    if (cell === null) return [];
    const field = keys[column] ?? null;
    const guessed = columns.isGuessed(column);
    const base = { column: columnLetter(column), header: headerExcerpt(cell), field, guessed };
    const order = dates.get(column)?.order ?? null;
    // The preview has the samples.
    return [{ ...base, date_order: order, samples: [], suggested_field: suggested.get(column) ?? null }];
  });
}

function warningsOf(found: Found, { markWarnings, cleaned, dates, numbers, names }: Readings): ImportWarning[] {
  const { columns, choice, rowsAbove, indexColumn } = found;
  const { row, units } = columns.header;
  const warnings: ImportWarning[] = columns.warnings();
  const add = (code: ImportWarning['code'], message: Text) => warnings.push({ code, message, column: null });
  if (choice.joined.length > 0) {
    const list = choice.joined.map((name) => `“${name}”`).join(', ');
    add('sheets_joined', t`These sheets are read as one list, with continuous row numbers: ${list}`);
  }
  if (choice.ignored.length > 0) {
    const list = choice.ignored.map((name) => `“${name}”`).join(', ');
    const message =
      choice.joined.length > 0
        ? t`These sheets are ignored: ${list}`
        : t`Only the sheet “${choice.file.info.sheet!}” is read. These are ignored: ${list}`;
    add('sheets_left_out', message);
  }
  if (rowsAbove > 0) add('rows_left_out', t`The headers are in row ${row}. The rows above them are skipped.`);
  if (units !== undefined) add('rows_left_out', t`Row ${units} has the units of the headers above it, and is ignored.`);
  if (indexColumn !== undefined) {
    const message = t`The column has no header and only numbers the rows, so it is ignored.`;
    warnings.push({ code: 'column_left_out', message, column: columnLetter(indexColumn) });
  }
  warnings.push(...markWarnings, ...cleaned.warnings, ...names.warnings, ...statusWarnings(found));
  for (const [column, reading] of [...dates, ...numbers].toSorted(([a], [b]) => a - b)) {
    for (const warning of reading.warnings) warnings.push({ ...warning, column: columnLetter(column) });
  }
  return warnings;
}

/** Warns of unknown words in a status column. */
function statusWarnings({ columns, rows }: Found): ImportWarning[] {
  const column = columns.fieldColumns.get('status');
  if (column === undefined) return [];
  const unknown = new Set<string>();
  for (const { cells } of rows) {
    const status = cells[column];
    if (typeof status === 'string' && !isKnownStatus(status)) unknown.add(status.slice(0, maxWord));
    if (unknown.size === maxWords) break;
  }
  if (unknown.size === 0) return [];
  const list = [...unknown].map((word) => `“${word}”`).join(', ');
  const message = t`The status is only used to see who has left. These values change nothing: ${list}`;
  return [{ code: 'status', message, column: columnLetter(column) }];
}

const maxWords = 5;
const maxWord = 40;

function errorsOf(
  found: Found,
  settings: TableSettings,
  encoding: FileEncoding,
  { cleaned, dates, numbers, names }: Readings,
): AnswerableError[] {
  const { columns, choice, rows, nameless, indexColumn } = found;
  const { row } = columns.header;
  const sideways = sidewaysError(columns, rows);
  if (sideways) return [sideways];
  const samples = (column: number) => firstValues(rows, column);
  const areAlike = (a: number, b: number) =>
    rows.every(({ cells }) => (cells[b] ?? null) === null || String(cells[a] ?? '').trim() === String(cells[b]).trim());
  const errors = [...columns.errors(samples, areAlike), ...errorOfSheets(choice, row)];
  if (!isConfirmed(settings)) errors.push(...errorOfEncoding(encoding, row));
  for (const column of nameless) {
    if (column === indexColumn) continue;
    const message = t`The column has values, but no header.`;
    errors.push({ ...columns.locationOf(column), field: null, code: 'required', message });
  }
  const unclear = (
    column: number,
    code: AnswerableError['code'],
    reading: Pick<AnswerableError, 'question'> & { error?: Text },
  ) => {
    const { error: message, question } = reading;
    if (message)
      errors.push({ ...columns.locationOf(column), field: columns.keys[column] ?? null, code, message, question });
  };
  for (const [column, reading] of dates) unclear(column, 'unclear_dates', reading);
  for (const [column, reading] of numbers) unclear(column, 'unclear_numbers', reading);
  if (names.error) unclear(names.column!, 'invalid_format', names);
  if (cleaned.error) {
    const { error: message, question } = cleaned;
    errors.push({ row, column: null, field: null, code: 'invalid_format', message, question });
  }
  const salary = columns.fieldColumns.get('salary');
  if (salary !== undefined && !settings.may_write_salary && (found.hasSalaries || clearsSalaries(found, settings))) {
    const message = t`The token needs the scope salary:write to write salaries.`;
    errors.push({ ...columns.locationOf(salary), field: 'salary', code: 'field_not_allowed', message });
  }
  return errors.toSorted(byColumn);
}
