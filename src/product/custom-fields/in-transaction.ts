/**
 * The custom fields within a transaction that writes people, read after its first statement, because events omit sensitive
 * values. A transaction that writes values locks them.
 */
import { sql } from 'kysely';
import { Problem, validationError } from '../../contract/problem.ts';
import { type CompanyFields, readFields } from '../../identity/members/company-fields.ts';
import { preparedWrite } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { isTaken, type Owner, reserveUniqueValues, takenError } from './unique-values.ts';

interface FieldState {
  reading: Promise<void>;
  fields: CompanyFields | undefined;
  written: { before?: Owner | undefined; after: Owner }[];
}

const states = new WeakMap<TenantTransaction, FieldState>();

/** Called when a transaction starts to write people. */
export function startFieldTracking(tx: TenantTransaction): void {
  const before = states.get(tx);
  if (before?.fields) {
    before.written = []; // part of a transaction that has locked them
    return;
  }
  const state: FieldState = { reading: Promise.resolve(), fields: undefined, written: [] };
  state.reading = readFields(tx).then((fields) => {
    state.fields ??= fields;
  });
  state.reading.catch(() => {}); // the transaction fails anyway
  states.set(tx, state);
}

/** Only after the database has answered a later statement. */
export function fieldsIn(tx: TenantTransaction): CompanyFields {
  const fields = states.get(tx)?.fields;
  if (!fields) throw new Error('a transaction that writes people has asked the database for nothing yet');
  return fields;
}

/** The same, without that condition. */
export async function fieldsNow(tx: TenantTransaction): Promise<CompanyFields> {
  await states.get(tx)!.reading;
  return fieldsIn(tx);
}

/** Locked until the end of the transaction. Call it before locking rows. */
export async function lockedFields(tx: TenantTransaction): Promise<CompanyFields> {
  lock(tx, `custom fields ${tx.company_id}`);
  const fields = await readFields(tx);
  const state = states.get(tx);
  if (state) state.fields = fields;
  else states.set(tx, { reading: Promise.resolve(), fields, written: [] });
  return fields;
}

const lock = preparedWrite((_, name: string) => sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`);

/** Must be called for every written row. */
export function trackValues(tx: TenantTransaction, before: Owner | undefined, after: Owner): void {
  const { fields, written } = states.get(tx)!;
  if (fields?.active.some(({ unique }) => unique)) written.push({ before, after });
}

/** Called after people are written. @throws 400 `taken` if a value was taken since the check */
export async function finishFieldTracking(tx: TenantTransaction): Promise<void> {
  const { fields, written } = states.get(tx)!;
  if (!fields || written.length === 0) return;
  await reserveUniqueValues(tx, fields, written).catch((error) => {
    throw isTaken(error) ? new ValueTaken(pathOf(error)) : error;
  });
}

/** A unique value was taken concurrently. */
export class ValueTaken extends Problem {
  constructor(path: string) {
    const { status, code, text, details } = validationError({ [path]: [takenError] });
    super(status, code, text, details && { details });
  }
}

/** Postgres's error detail contains the field. */
function pathOf(error: unknown): string {
  const { detail } = error as { detail?: unknown };
  const key = /\(company_id, key, value_text\)=\([^,]+, ([a-z][a-z0-9_]*), /.exec(String(detail))?.[1];
  return key ? `custom_fields.${key}` : 'custom_fields';
}
