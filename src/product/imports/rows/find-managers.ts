/** Resolves the managers of rows, by any identifier, among people of the company or the file. */
import { type Expression, type SqlBool, sql } from 'kysely';
import { type Text, t } from '../../../contract/languages/text.ts';
import { emailForm } from '../../../contract/texts/email.ts';
import { refusedCharacter } from '../../../contract/texts/one-line.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import { plainName } from '../../../platform/sheets/headers/header-names.ts';
import { isId } from '../../access/records.ts';
import type { MatchKey } from '../../collaborators/fields/match.ts';
import { hasOneOf } from '../../collaborators/fields/unique-fields.ts';
import type { ImportRow } from '../state/find-import.ts';
import { reorderedName } from './columns/split-names.ts';
import type { Firsts, Known, MatchedRow, Newcomer } from './matched-row.ts';
import type { PeopleTable } from './people/people-table.ts';
import { errorOf, isAddress, keyOf, type ManagerReference } from './people/row-fields.ts';

type Clue = { by: 'email' | 'id' | 'employee_number' | 'name'; value: string };

/** In order of precedence, without impossible values. */
function cluesOf(input: ManagerReference): Clue[] {
  return allCluesOf(input).filter(({ by, value }) => {
    return by === 'email' ? isAddress(value) : !refusedCharacter(value) && value.isWellFormed();
  });
}

function allCluesOf({ field, value }: ManagerReference): Clue[] {
  if (field === 'manager_email') return [{ by: 'email', value: value.toLowerCase() }];
  if (field === 'manager_id') return [{ by: 'id', value: value.toLowerCase() }];
  if (field === 'manager_employee_number') return [{ by: 'employee_number', value }];
  const email = emailForm(value);
  if (isAddress(email)) return [{ by: 'email', value: email.toLowerCase() }];
  const [, canonical] = /^CN=((?:\\.|[^,\\])+)/i.exec(value) ?? []; // a distinguished name of a directory
  const bare = canonical?.replace(/\\(.)/g, '$1') ?? value;
  const [, name = bare, number] = /^(.*\S)\s*\(([^()]+)\)$/.exec(bare) ?? [];
  const numbers = [number, bare].flatMap((each) => (each ? [{ by: 'employee_number', value: each } as const] : []));
  return [...numbers, { by: 'name', value: personForm(name) }];
}

export function personForm(name: string): string {
  return plainName(reorderedName(name) ?? name);
}

interface ManagerLookup extends Pick<ManagerOptions, 'firsts'> {
  settings: Parameters<typeof keyOf>[2];
  known: ReadonlyMap<string, readonly Person[]>;
  table: PeopleTable;
}

interface Person extends Known {
  name: string;
  external_id: string | null;
  employee_number: string | null;
}

interface ManagerOptions extends Pick<ImportRow, 'mode' | 'match_by'> {
  firsts: Firsts;
  unknown_managers: string;
}

export async function findManagers(
  tenant: Tenant,
  table: PeopleTable,
  matchedRows: readonly MatchedRow[],
  settings: ManagerOptions,
): Promise<void> {
  const { firsts, unknown_managers: unknownManagers } = settings;
  const known = await knownManagers(tenant, matchedRows);
  for (const each of matchedRows) {
    const { row, input, before } = each;
    if (!input.manager) {
      each.manager = input.manager;
      continue;
    }
    const { field } = input.manager;
    const manager = findOne(input.manager, { known, firsts, table, settings });
    if (manager === 'several') {
      each.errors.push(
        errorOf(table, row, field, 'not_found', t`Several people have this name. Name the manager by email address.`),
      );
    } else if (!manager) {
      if (unknownManagers === 'warn') each.lacksManager = true;
      else each.errors.push(errorOf(table, row, field, 'not_found', notFound[lookupFieldOf(input.manager)]));
    } else if ('index' in manager ? manager.index === each.index : manager.id === before?.id) {
      each.errors.push(errorOf(table, row, field, 'self', t`A person can't be their own manager.`));
    } else each.manager = manager;
  }
  resolveKnownManagers(matchedRows);
}

const notFound: Record<ManagerReference['field'], Text> = {
  manager_email: t`Nobody in the company or in this file has this address.`,
  manager_id: t`Nobody has this id.`,
  manager_employee_number: t`Nobody in the company or in this file has this employee number.`,
  manager: t`Nobody in the company or in this file has this name or employee number.`,
};

function lookupFieldOf({ field, value }: ManagerReference): ManagerReference['field'] {
  return field === 'manager' && isAddress(emailForm(value)) ? 'manager_email' : field;
}

/** Existing people take precedence over new ones; a name must be unique. */
function findOne(
  input: ManagerReference,
  { known, firsts, table, settings }: ManagerLookup,
): Known | Newcomer | 'several' | undefined {
  for (const clue of cluesOf(input)) {
    const people = known.get(clueText(clue)) ?? [];
    const index = indexOf(clue, firsts);
    if (clue.by === 'name') {
      const all = new Set(people.map(({ email }) => email.toLowerCase()));
      if (index === severalIndex || all.size > 1) return 'several';
      const key = index === undefined ? undefined : keyOf(table, table.rows[index]!, settings);
      if (key && people[0] && valueBy(people[0], key) !== key.value) return 'several';
    }
    const row = index === undefined || !table.rows[index] ? undefined : { index };
    if (people[0]) return clue.by === 'name' ? people[0] : { ...people[0], ...row };
    if (row) return row;
  }
  return undefined;
}

function valueBy(person: Person, { field }: MatchKey): string | null {
  return field === 'email' ? person.email.toLowerCase() : person[field];
}

/** Replaces the row index for a name that several people have. */
export const severalIndex = -1;

function indexOf({ by, value }: Clue, firsts: Firsts): number | undefined {
  return by === 'id' ? undefined : firsts[by].get(value);
}

/** Row index of a person's manager, as far as the file shows. */
export function managerInFile(input: ManagerReference | null | undefined, firsts: Firsts): number | undefined {
  if (!input) return undefined;
  for (const clue of cluesOf(input)) {
    const index = indexOf(clue, firsts);
    if (index !== undefined && index !== severalIndex) return index;
  }
  return undefined;
}

/** Resolves existing managers who are named by the new address or number in their own row, in place. */
function resolveKnownManagers(matchedRows: readonly MatchedRow[]): void {
  const people = new Map(matchedRows.flatMap(({ index, before }) => (before ? [[index, before] as const] : [])));
  for (const each of matchedRows) {
    if (each.manager && !('id' in each.manager)) each.manager = people.get(each.manager.index) ?? each.manager;
  }
}

function clueText({ by, value }: Clue): string {
  return `${by} ${value}`;
}

async function knownManagers(tenant: Tenant, matchedRows: readonly MatchedRow[]): Promise<Map<string, Person[]>> {
  const clues = matchedRows.flatMap(({ input }) => (input.manager ? cluesOf(input.manager) : []));
  const valuesBy = (by: Clue['by']) => [...new Set(clues.flatMap((clue) => (clue.by === by ? [clue.value] : [])))];
  const known = new Map<string, Person[]>();
  const addPerson = (clue: Clue, person: Person) => {
    known.set(clueText(clue), [...(known.get(clueText(clue)) ?? []), person]);
  };
  const find = (condition: Expression<SqlBool>) =>
    tenant
      .selectFrom('collaborators')
      .select(['id', 'email', 'revision', 'name', 'external_id', 'employee_number'])
      .where(condition)
      .where('deleted_at', 'is', null)
      .execute();
  const [emails, numbers, ids, names] = [
    valuesBy('email'),
    valuesBy('employee_number'),
    valuesBy('id').filter(isId),
    valuesBy('name'),
  ];
  if (emails.length > 0 || numbers.length > 0) {
    for (const person of await find(hasOneOf({ email: emails, employee_number: numbers }))) {
      addPerson({ by: 'email', value: person.email.toLowerCase() }, person);
      if (person.employee_number !== null) addPerson({ by: 'employee_number', value: person.employee_number }, person);
    }
  }
  if (ids.length > 0) {
    for (const person of await find(sql`id = any(${ids}::uuid[])`)) addPerson({ by: 'id', value: person.id }, person);
  }
  if (names.length > 0) {
    const condition = sql<boolean>`left(search_form(name), 200) collate "C" = any(
      array(select left(search_form(wanted), 200) collate "C" from unnest(${names}::text[]) wanted))`;
    for (const person of await find(condition)) addPerson({ by: 'name', value: personForm(person.name) }, person);
  }
  return known;
}
