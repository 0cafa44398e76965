/**
 * Compares rows with the people of the company: whom each row is about, who their manager is, and what is wrong with
 * it.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { Row } from '../../../platform/sheets/types.ts';
import { type CollaboratorRow, collaboratorColumns, isId } from '../../access/records.ts';
import {
  hasOneOf,
  holdersOf,
  takenFaults,
  takenNames,
  type UniqueField,
  uniqueFields,
  wantedOf,
} from '../../collaborators/unique-fields.ts';
import type { ImportRow } from '../state/find-import.ts';
import type { ImportFault } from '../state/row-errors.ts';
import type { PeopleTable } from './people-table.ts';
import { emailOf, faultOf, faultsOfFields, fieldsOf, type RowFields, uniqueOf } from './row-fields.ts';

/** Someone who is not there yet, by the index of their row. */
export interface Newcomer {
  index: number;
}

/** Someone of the company. */
export interface Known {
  id: string;
  email: string;
  revision: number;
}

export interface MatchedRow {
  /** Of the row in the table, counted from 0. */
  index: number;
  row: Row;
  /** In lower case; undefined for what can't be an address. */
  email: string | undefined;
  said: RowFields;
  /** Whom it changes; undefined when it adds someone. */
  before: CollaboratorRow | undefined;
  /** Null for none, undefined where it is not said. */
  manager: Known | Newcomer | null | undefined;
  faults: ImportFault[];
}

/** The index of the first row with each value of the unique fields, in the form in which it is compared. */
export type Firsts = Record<UniqueField, ReadonlyMap<string, number>>;

interface MatchOptions extends Pick<ImportRow, 'mode' | 'empty_cells'> {
  firsts: Firsts;
  /**
   * Whether the rows are about to be written: those who may be changed are locked, in the order of their ids. Where all
   * rows add someone, their fields are not looked at again: the file is the same, and so is what the contract asks of it.
   * Nor is it looked up who has their addresses: the database tells when it writes them.
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
  const rows = indexes.map((index) => table.rows[index]!);
  const emails = rows.map((row) => emailOf(table, row));
  const clears = options.mode === 'upsert' && options.empty_cells === 'clear';
  const is_known_good = options.locks && options.mode === 'create';
  const people = is_known_good ? new Map<string, CollaboratorRow>() : await peopleBy(tenant, emails, options);
  const values = rows.map((row) => uniqueValues(table, row));
  const holders = await holdersOf(tenant, wantedOf(is_known_good ? [] : values));
  const judged = rows.map((row, at): MatchedRow => {
    const email = emails[at];
    const before = email === undefined ? undefined : people.get(email);
    const said = fieldsOf(table, row, clears && before !== undefined);
    const faults = is_known_good
      ? []
      : faultsOfFields(table, row, said, before !== undefined && options.mode === 'upsert');
    const place = { index: indexes[at]!, row, email, said, before };
    faults.push(...duplicates(table, place, values[at]!, options));
    for (const field of takenNames(holders, values[at]!, options.mode === 'upsert' ? before?.id : undefined)) {
      if (faults.some((fault) => fault.field === field)) continue;
      faults.push(faultOf(table, row, field, takenFaults[field].code, takenFaults[field].message));
    }
    return { ...place, manager: undefined, faults };
  });
  await findManagers(tenant, table, judged, options);
  return judged;
}

function uniqueValues(table: PeopleTable, row: Row) {
  return Object.fromEntries(uniqueFields.map((field) => [field, uniqueOf(table, row, field)]));
}

function duplicates(
  table: PeopleTable,
  { index, row }: Pick<MatchedRow, 'index' | 'row'>,
  values: ReturnType<typeof uniqueValues>,
  { firsts }: MatchOptions,
): ImportFault[] {
  const faults: ImportFault[] = [];
  for (const field of uniqueFields) {
    const value = values[field];
    const first = value === undefined ? index : firsts[field].get(value)!;
    if (first === index) continue;
    const message = `Row ${table.rows[first]!.row} has this ${words[field]} already.`;
    faults.push(faultOf(table, row, field, 'duplicate', message));
  }
  return faults;
}

const words: Record<UniqueField, string> = {
  email: 'address',
  external_id: 'external id',
  employee_number: 'employee number',
};

async function peopleBy(
  tenant: Tenant,
  emails: readonly (string | undefined)[],
  { mode, locks }: MatchOptions,
): Promise<Map<string, CollaboratorRow>> {
  const wanted = emails.filter((email) => email !== undefined);
  const rows = await tenant
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where(hasOneOf({ email: wanted }))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .$if(locks && mode === 'upsert', (query) => query.forNoKeyUpdate())
    .execute();
  return new Map(rows.map((row) => [row.email.toLowerCase(), row]));
}

/** In place. */
async function findManagers(
  tenant: Tenant,
  table: PeopleTable,
  judged: readonly MatchedRow[],
  { firsts }: MatchOptions,
): Promise<void> {
  const known = await knownManagers(tenant, table, judged);
  for (const each of judged) {
    const { row, said, before } = each;
    const { manager_email, manager_id } = said;
    const [field, text] = manager_email === undefined ? ['manager_id', manager_id] : ['manager_email', manager_email];
    if (text === undefined || text === null) {
      each.manager = text;
      continue;
    }
    const name = text.toLowerCase();
    const first = field === 'manager_email' ? firsts.email.get(name) : undefined;
    const manager = known.get(name) ?? (first === undefined ? undefined : { index: first });
    if (!manager) {
      const where = field === 'manager_email' ? 'in the company or in this file has this address' : 'has this id';
      each.faults.push(faultOf(table, row, field, 'not_found', `Nobody ${where}.`));
    } else if ('id' in manager ? manager.id === before?.id : manager.index === each.index) {
      each.faults.push(faultOf(table, row, field, 'self', 'A person can not be their own manager.'));
    } else each.manager = manager;
  }
}

/** By address in lower case, and by id. */
async function knownManagers(
  tenant: Tenant,
  table: PeopleTable,
  judged: readonly MatchedRow[],
): Promise<Map<string, Known>> {
  const emails = judged.map(({ row }) => emailOf(table, row, 'manager_email')).filter((email) => email !== undefined);
  const ids = judged.map(({ said }) => said.manager_id).filter((id) => typeof id === 'string' && isId(id));
  const known = new Map<string, Known>();
  if (emails.length === 0 && ids.length === 0) return known;
  const find = (condition: Expression<SqlBool>) =>
    tenant
      .selectFrom('collaborators')
      .select(['id', 'email', 'revision'])
      .where(condition)
      .where('deleted_at', 'is', null)
      .execute();
  for (const person of await find(hasOneOf({ email: emails }))) known.set(person.email.toLowerCase(), person);
  for (const person of await find(sql`id = any(${ids}::uuid[])`)) known.set(person.id, person);
  return known;
}
