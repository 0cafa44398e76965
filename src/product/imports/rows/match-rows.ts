/** Matches rows with people of the company: the person, their manager, values of others, and the errors of each row. */
import { type Text, t } from '../../../contract/languages/text.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { Row } from '../../../platform/sheets/model/types.ts';
import { type CollaboratorRow, isId } from '../../access/records.ts';
import { dateErrors } from '../../collaborators/fields/employment-dates.ts';
import { finderOf, matched } from '../../collaborators/fields/match.ts';
import { uniqueValue } from '../../collaborators/fields/moved-values.ts';
import {
  lookupOf,
  ownersOf,
  takenFieldNames,
  type UniqueField,
  uniqueFields,
} from '../../collaborators/fields/unique-fields.ts';
import type { ImportRow } from '../state/find-import.ts';
import type { RowError } from '../state/row-errors.ts';
import { findManagers } from './find-managers.ts';
import type { Firsts, MatchedRow } from './matched-row.ts';
import type { PeopleTable } from './people/people-table.ts';
import { errorOf, errorsOfFields, fieldsOf, keyOf, type RowFields, uniqueOf } from './people/row-fields.ts';
import { findTaken } from './unique-values.ts';

interface MatchOptions extends Pick<ImportRow, 'mode' | 'match_by' | 'empty_cells' | 'unknown_managers'> {
  firsts: Firsts;
  /** Row index by person id, filled during matching. */
  indexByPerson: Map<string, number>;
  /** Index of the first row with each value of a unique custom field. */
  indexByCustomValue: Map<string, number>;
  /**
   * Whether the rows are about to be written: people to change are then locked by id. If all rows add people, the fields aren't
   * checked again, nor are addresses and ids in use, which the database checks.
   */
  locks: boolean;
}

/** Some hundreds of rows at a time. */
export async function matchRows(
  tenant: Tenant,
  table: PeopleTable,
  indexes: readonly number[],
  options: MatchOptions,
): Promise<MatchedRow[]> {
  const rows = indexes.map((index) => ({ index, row: table.rows[index]! }));
  const keyedRows = rows.map((each): KeyedRow => ({ ...each, key: keyOf(table, each.row, options) }));
  const isKnownGood = options.locks && options.mode === 'create';
  const find = await findPeople(tenant, isKnownGood ? [] : keyedRows, options);
  const values = rows.map(({ row }) => uniqueValues(table, row));
  const owners = await ownersOf(tenant, lookupOf(isKnownGood ? [] : values));
  const clears = options.mode === 'upsert' && options.empty_cells === 'clear';
  const matchedRows = keyedRows.map((keyedRow, at): MatchedRow => {
    const before = keyedRow.key && find(keyedRow.key);
    const input = fieldsOf(table, keyedRow.row, clears && before !== undefined, before);
    const isSame = isKnownGood && input.own_errors.length === 0;
    const errors = isSame ? [] : errorsOfRow(table, keyedRow, input, before, options);
    errors.push(...duplicates(table, keyedRow, values[at]!, before, options));
    const others = takenFieldNames(owners, values[at]!, options.mode === 'upsert' ? before?.id : undefined);
    const taken = others.flatMap((field) => {
      if (lacksRequiredMatch(keyedRow, before, options) || errors.some((error) => error.field === field)) return [];
      return uniqueValue(field, values[at]![field]!);
    });
    return { ...keyedRow, input, before, manager: undefined, taken, errors };
  });
  await findTaken(tenant, table, matchedRows, options.indexByCustomValue);
  await findManagers(tenant, table, matchedRows, options);
  return matchedRows;
}

type KeyedRow = Pick<MatchedRow, 'index' | 'row' | 'key'>;

async function findPeople(tenant: Tenant, keyedRows: readonly KeyedRow[], { mode, locks }: MatchOptions) {
  const keys = keyedRows.flatMap(({ key }) => (key && (key.field !== 'id' || isId(key.value)) ? [key] : []));
  if (keys.length === 0) return () => undefined;
  const people = matched(tenant, keys).$if(locks && mode === 'upsert', (query) => query.forNoKeyUpdate());
  return finderOf(await people.execute());
}

/** Whether a row must match an existing person, but names none or an unknown id. */
function lacksRequiredMatch(
  { key }: Pick<KeyedRow, 'key'>,
  before: CollaboratorRow | undefined,
  { mode, match_by: matchBy }: Pick<MatchOptions, 'mode' | 'match_by'>,
): boolean {
  return mode === 'upsert' && !before && (key ? key.field === 'id' : matchBy !== null);
}

function errorsOfRow(
  table: PeopleTable,
  { row, key }: KeyedRow,
  input: RowFields,
  before: CollaboratorRow | undefined,
  { mode, match_by: matchBy }: MatchOptions,
): RowError[] {
  const isUnmatched = lacksRequiredMatch({ key }, before, { mode, match_by: matchBy });
  const exists = mode === 'upsert' && (before !== undefined || isUnmatched);
  const errors = errorsOfFields(table, row, input, exists);
  const hasFaultyDate = errors.some(({ field }) => field === 'hire_date' || field === 'termination_date');
  for (const [field, [error]] of Object.entries(hasFaultyDate ? {} : dateErrors(before, input.fields))) {
    errors.push(errorOf(table, row, field, error!.code, error!.message));
  }
  if (isUnmatched && key) errors.push(errorOf(table, row, 'id', 'not_found', t`Nobody of the company has this id.`));
  if (isUnmatched && !key && matchBy !== null && !errors.some(({ field }) => field === matchBy)) {
    errors.push(errorOf(table, row, matchBy, 'required', t`The file is matched by this field, so it is required.`));
  }
  return errors;
}

function uniqueValues(table: PeopleTable, row: Row) {
  return Object.fromEntries(uniqueFields.map((field) => [field, uniqueOf(table, row, field)]));
}

function duplicates(
  table: PeopleTable,
  { index, row, key }: KeyedRow,
  values: ReturnType<typeof uniqueValues>,
  before: CollaboratorRow | undefined,
  { firsts, indexByPerson, mode }: MatchOptions,
): RowError[] {
  const errors: RowError[] = [];
  for (const field of uniqueFields) {
    const value = values[field];
    const first = value === undefined ? index : firsts[field].get(value)!;
    if (first === index) continue;
    errors.push(errorOf(table, row, field, 'duplicate', duplicateMessages[field](table.rows[first]!.row)));
  }
  if (mode !== 'upsert' || !before) return errors;
  const other = indexByPerson.get(before.id) ?? index;
  indexByPerson.set(before.id, other);
  if (other !== index && errors.length === 0) {
    const message = t`Row ${table.rows[other]!.row} is about the same person already.`;
    errors.push(errorOf(table, row, key!.field, 'duplicate', message));
  }
  return errors;
}

const duplicateMessages: Record<UniqueField, (row: number) => Text> = {
  email: (row) => t`Row ${row} already has this address.`,
  external_id: (row) => t`Row ${row} has this external id already.`,
  employee_number: (row) => t`Row ${row} has this employee number already.`,
};
