/**
 * The fields of the company as a transaction that writes people knows them. What it writes is told to subscribers without their
 * sensitive values, so each such transaction reads them, behind its first statement and without waiting. One that writes values
 * has them stay as they are.
 */
import { sql } from 'kysely';
import { Problem, validationError } from '../../contract/problem.ts';
import { type CompanyFields, readFields } from '../../identity/members/company-fields.ts';
import { preparedWrite } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { isTaken, keepUniqueValues, type Owner, takenFault } from './unique-values.ts';

interface Known {
  reading: Promise<void>;
  fields: CompanyFields | undefined;
  /** Rows that were written, where values of unique fields may be others now. */
  written: { before?: Owner | undefined; after: Owner }[];
}

const known = new WeakMap<TenantTransaction, Known>();

/** Called when a transaction begins to write people. */
export function beginFields(tx: TenantTransaction): void {
  const before = known.get(tx);
  if (before?.fields) {
    before.written = []; // a part of a transaction that has locked them
    return;
  }
  const state: Known = { reading: Promise.resolve(), fields: undefined, written: [] };
  state.reading = readFields(tx).then((fields) => {
    state.fields ??= fields;
  });
  state.reading.catch(() => {}); // the transaction has failed then
  known.set(tx, state);
}

/** Behind an answer of the database, which comes after this one. */
export function fieldsIn(tx: TenantTransaction): CompanyFields {
  const fields = known.get(tx)?.fields;
  if (!fields) throw new Error('a transaction that writes people has asked the database for nothing yet');
  return fields;
}

/** The same, whatever was asked before. */
export async function fieldsNow(tx: TenantTransaction): Promise<CompanyFields> {
  await known.get(tx)!.reading;
  return fieldsIn(tx);
}

/** As they stay until the end of the transaction. Call it before any row is locked. */
export async function lockedFields(tx: TenantTransaction): Promise<CompanyFields> {
  lock(tx, `custom fields ${tx.company_id}`);
  const fields = await readFields(tx);
  const state = known.get(tx);
  if (state) state.fields = fields;
  else known.set(tx, { reading: Promise.resolve(), fields, written: [] });
  return fields;
}

const lock = preparedWrite((_, name: string) => sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`);

/** To be called for every row that is written. */
export function noteValues(tx: TenantTransaction, before: Owner | undefined, after: Owner): void {
  const { fields, written } = known.get(tx)!;
  if (fields?.active.some(({ unique }) => unique)) written.push({ before, after });
}

/**
 * Called at the end of what writes people.
 * @throws 400 `taken` when somebody took a value since it was looked for
 */
export async function endFields(tx: TenantTransaction): Promise<void> {
  const { fields, written } = known.get(tx)!;
  if (!fields || written.length === 0) return;
  await keepUniqueValues(tx, fields, written).catch((error) => {
    throw isTaken(error) ? new ValueTaken(pathOf(error)) : error;
  });
}

/** Somebody took a value of a unique field while it was written. */
export class ValueTaken extends Problem {
  constructor(path: string) {
    const { status, code, text, details } = validationError({ [path]: [takenFault] });
    super(status, code, text, details && { details });
  }
}

/** What Postgres says of it names the field. */
function pathOf(error: unknown): string {
  const { detail } = error as { detail?: unknown };
  const key = /\(company_id, key, value_text\)=\([^,]+, ([a-z][a-z0-9_]*), /.exec(String(detail))?.[1];
  return key ? `custom_fields.${key}` : 'custom_fields';
}
