/**
 * Carrying imports out: the file is read, every row is checked, and then the rows are written in batches, each with its
 * progress in one transaction. The file never changes and the order of writing follows from it alone, so whoever takes
 * over after a crash reads it again and goes on at the position that was committed last.
 */
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Postage } from '../collaborators/invite.ts';
import type { Database } from '../db/client.ts';
import type { Tenant, TenantTransaction } from '../db/tenant.ts';
import { discardObject } from '../files/discard.ts';
import type { Storage } from '../files/storage.ts';
import type { Logger } from '../log.ts';
import { SheetError } from '../sheets/error.ts';
import type { SheetReader } from '../sheets/reader.ts';
import { type Checked, checkPeople, firstsOf } from './check.ts';
import { claimImport, holdLease, lease_end, releaseImport, Superseded, setBackImport } from './claim.ts';
import { endImport } from './end.ts';
import { addFaults, faultyRows, type ImportFault } from './errors.ts';
import { findImport, type ImportRow, importRowColumns, lockImport } from './find.ts';
import { writingOrder } from './order.ts';
import { writeReport } from './report.ts';
import { type PeopleTable, readPeople } from './table.ts';
import { wakeImports } from './wake.ts';
import { lockEveryone, type WrittenRows, writeRows } from './write.ts';

/** What carrying out an import needs. */
export interface Workshop {
  db: Database;
  storage: Storage;
  sheets: SheetReader;
  postage: Postage;
  log: Logger;
}

/** A job may not run long: what is left then is a job of its own. */
const longest_turn_ms = 60_000;
const rows_a_batch = 1_000;
const matches_a_statement = 2_000;
const progress_every_ms = 500;
const most_tries = 4;
const shortest_pause_ms = 500;
/** How often an import is begun without getting on, before it has failed. */
const most_attempts = 8;

/**
 * Carries out the imports of a company, one after another, as long as the turn lasts.
 * @param stopping ends the turn after the batch that is being written
 */
export async function runImports(shop: Workshop, company_id: string, stopping: AbortSignal): Promise<void> {
  const tenant = shop.db.tenant(company_id);
  const turn: Turn = { ...shop, tenant, stopping, ends_at: Date.now() + longest_turn_ms };
  await tidyCancelled(turn);
  while (!isOver(turn)) {
    const row = await claimImport(tenant);
    if (!row) return;
    await carryOut(turn, row);
    await tidyCancelled(turn);
  }
  await wakeImports(tenant.raw, company_id);
}

interface Turn extends Workshop {
  tenant: Tenant;
  stopping: AbortSignal;
  ends_at: number;
}

function isOver({ stopping, ends_at }: Turn): boolean {
  return stopping.aborted || Date.now() > ends_at;
}

/** The turn is over before the import is. */
class TurnOver extends Error {
  override name = 'TurnOver';
}

async function carryOut(turn: Turn, row: ImportRow): Promise<void> {
  const { tenant, storage, log } = turn;
  const about = { company_id: tenant.company_id, import_id: row.id };
  const lease = holdLease(tenant, row.id);
  try {
    if (row.attempts > most_attempts) {
      const message = 'The service could not carry this import out. Its operator has been told.';
      log.error(about, 'import given up');
      return await endImport(tenant, storage, row, { ...failed('internal_error', message), report_key: null });
    }
    await carryOn(turn, row, AbortSignal.any([lease.signal, turn.stopping]));
  } catch (error) {
    if (error instanceof Superseded || lease.signal.aborted) log.info(about, 'import is not carried on with here');
    else if (error instanceof TurnOver || turn.stopping.aborted) await releaseImport(tenant, row.id);
    else {
      log.error({ ...about, err: error }, 'import was interrupted');
      await withPatience(() => setBackImport(tenant, row));
    }
  } finally {
    lease.end();
  }
}

/** The database may be what is lost. Should it stay away, the lease ends by itself. */
async function withPatience(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === most_tries) throw error;
      await sleep(attempt * shortest_pause_ms);
    }
  }
}

async function carryOn(turn: Turn, row: ImportRow, signal: AbortSignal): Promise<void> {
  const table = await readTable(turn, row, signal);
  if (!table) return;
  const checked = row.status === 'validating' ? await validate(turn, row, table) : row;
  if (checked.status === 'processing') await writePeople(turn, checked, table);
  await finish(turn, await findImport(turn.tenant, row.id), table);
}

function failed(reason: 'unreadable' | 'aborted' | 'internal_error', message: string) {
  return { status: 'failed', reason, message } as const;
}

/** @returns undefined when the file is no table of people: the import has failed then */
async function readTable(turn: Turn, row: ImportRow, signal: AbortSignal): Promise<PeopleTable | undefined> {
  const { storage, sheets } = turn;
  const bytes = await buffer(await storage.read(row.key!));
  try {
    const table = await readPeople(sheets, bytes, row, signal);
    if (table.faults.length === 0) return table;
    const message = table.faults.map((fault) => fault.message).join(' ');
    await refuseFile(turn, row, message, table.faults, table);
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    await refuseFile(turn, row, error.message, faultsOfFile(error));
  }
  return undefined;
}

/** Where an error of the whole file has a place in it. */
function faultsOfFile({ code, message, details }: SheetError): ImportFault[] {
  const { row, column = null } = details;
  if (row === undefined) return [];
  return [{ row, column, field: null, code: code === 'damaged' ? 'invalid_format' : 'too_long', message }];
}

async function refuseFile(
  { tenant, storage }: Turn,
  row: ImportRow,
  message: string,
  faults: readonly ImportFault[],
  table?: PeopleTable,
): Promise<void> {
  await tenant.transaction(async (tx) => {
    await lockOurs(tx, row, row.status);
    await tx.deleteFrom('import_errors').where('import_id', '=', row.id).execute();
    await addFaults(tx, row.id, faults);
    await tx
      .updateTable('imports')
      .set({ error_count: faults.length, columns: JSON.stringify(table?.columns ?? []) })
      .where('id', '=', row.id)
      .execute();
  });
  await endImport(tenant, storage, row, { ...failed('unreadable', message), report_key: null });
}

/** @returns the import as it is then: `processing` when rows are to be written */
async function validate({ tenant }: Turn, row: ImportRow, table: PeopleTable): Promise<ImportRow> {
  const { rows, columns, has_salaries } = table;
  const tell = async (set: object) => {
    const { numUpdatedRows } = await tenant
      .updateTable('imports')
      .set(set)
      .where('id', '=', row.id)
      .where('status', '=', 'validating')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new Superseded();
  };
  await tell({ rows_total: rows.length, columns: JSON.stringify(columns), has_salaries });
  let told_at = Date.now();
  const checked = await checkPeople(tenant, table, row, async (rows_checked) => {
    if (Date.now() - told_at < progress_every_ms) return;
    told_at = Date.now();
    await tell({ rows_checked });
  });
  return tenant.transaction((tx) => keepChecked(tx, row, table, checked));
}

async function keepChecked(
  tx: TenantTransaction,
  row: ImportRow,
  { rows }: PeopleTable,
  { faults, failed, created, updated, unchanged, matches }: Checked,
): Promise<ImportRow> {
  await lockOurs(tx, row, 'validating');
  // Of an attempt that came to nothing.
  await tx.deleteFrom('import_errors').where('import_id', '=', row.id).execute();
  await tx.deleteFrom('import_matches').where('import_id', '=', row.id).execute();
  await addFaults(tx, row.id, faults);
  const aborts = row.on_error === 'abort' && failed > 0;
  if (row.dry_run && !aborts) await keepMatches(tx, row.id, [...matches.values()]);
  const would_have = { created_count: created, updated_count: updated, unchanged_count: unchanged };
  return tx
    .updateTable('imports')
    .set({
      status: row.dry_run || aborts ? 'validating' : 'processing',
      rows_checked: rows.length,
      failed_count: failed,
      error_count: faults.length,
      attempts: 0,
      ...(row.dry_run && !aborts && would_have),
    })
    .where('id', '=', row.id)
    .returning(importRowColumns)
    .executeTakeFirstOrThrow();
}

async function keepMatches(
  tx: TenantTransaction,
  import_id: string,
  matches: readonly { email: string; collaborator_id: string | null; revision: number | null }[],
): Promise<void> {
  for (let at = 0; at < matches.length; at += matches_a_statement) {
    const part = JSON.stringify(matches.slice(at, at + matches_a_statement));
    await sql`
      insert into import_matches (company_id, import_id, email, collaborator_id, revision)
      select ${tx.company_id}, ${import_id}, m.email, m.collaborator_id, m.revision
      from json_to_recordset(${part}::json) as m (email text, collaborator_id uuid, revision int)`.execute(tx.raw);
  }
}

/** @throws Superseded unless it is where this worker left it */
async function lockOurs(tx: TenantTransaction, { id, position }: ImportRow, status: string): Promise<void> {
  const current = await lockImport(tx, id);
  if (current.status !== status || current.position !== position) throw new Superseded();
}

interface Writing {
  /** The indexes of all rows, as they are written. */
  order: readonly number[];
  /** The index of the first row with each address. */
  firsts: ReadonlyMap<string, number>;
  /** The numbers of rows with faults. */
  faulty: ReadonlySet<number>;
}

async function writePeople(turn: Turn, row: ImportRow, table: PeopleTable): Promise<void> {
  const firsts = await firstsOf(table);
  const order = await writingOrder(table, firsts);
  const writing = { order, firsts, faulty: await faultyRows(turn.tenant, row.id) };
  if (row.on_error === 'abort') await writeAllOrNone(turn, row, table, writing);
  else await writeInBatches(turn, row, table, writing);
}

async function writeInBatches(turn: Turn, row: ImportRow, table: PeopleTable, writing: Writing): Promise<void> {
  const { tenant } = turn;
  for (let { position } = row; position < writing.order.length; position += rows_a_batch) {
    if (isOver(turn)) throw new TurnOver();
    await tenant.transaction(async (tx) => {
      await lockOurs(tx, { ...row, position }, 'processing');
      const written = await writeBatch(tx, turn, row, table, writing, position);
      await addFaults(tx, row.id, written.faults);
      await count(tx, row.id, written, Math.min(position + rows_a_batch, writing.order.length));
    });
  }
}

/**
 * One transaction for all. How far it is, others see by another connection; that it is done, only its commit says: so the
 * last position is not told before.
 */
async function writeAllOrNone(turn: Turn, row: ImportRow, table: PeopleTable, writing: Writing): Promise<void> {
  const { tenant, stopping } = turn;
  const total = writing.order.length;
  if (row.position === total) return; // a crash came between the commit and the end
  const faults: ImportFault[] = [];
  const tell = async (position: number) => {
    const { numUpdatedRows } = await tenant
      .updateTable('imports')
      .set({ position })
      .where('id', '=', row.id)
      .where('status', '=', 'processing')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new Superseded();
  };
  await tell(0);
  const write = tenant.transaction(async (tx) => {
    await lockEveryone(tx, row, writing.firsts);
    const sums = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    for (let position = 0; position < total; position += rows_a_batch) {
      if (stopping.aborted) throw new TurnOver();
      const written = await writeBatch(tx, turn, row, table, writing, position);
      faults.push(...written.faults);
      for (const key of ['created', 'updated', 'unchanged', 'failed'] as const) sums[key] += written[key];
      await tell(Math.min(position + rows_a_batch, total - 1));
    }
    if (faults.length > 0) throw new Aborted();
    const current = await lockImport(tx, row.id);
    if (current.status !== 'processing' || current.position === total) throw new Superseded();
    await count(tx, row.id, { ...sums, faults }, total);
  });
  await write.catch(async (error) => {
    if (!(error instanceof Aborted)) throw error;
    await tenant.transaction(async (tx) => {
      const current = await lockImport(tx, row.id);
      if (current.status !== 'processing' || current.position === total) throw new Superseded();
      await addFaults(tx, row.id, faults);
      const failed_rows = new Set(faults.map((fault) => fault.row)).size;
      const nothing = { created: 0, updated: 0, unchanged: 0 };
      await count(tx, row.id, { ...nothing, failed: failed_rows, faults }, 0);
    });
  });
}

/** Faults came up while all rows or none were written. */
class Aborted extends Error {
  override name = 'Aborted';
}

async function writeBatch(
  tx: TenantTransaction,
  { postage }: Turn,
  row: ImportRow,
  table: PeopleTable,
  { order, firsts, faulty }: Writing,
  position: number,
): Promise<WrittenRows> {
  const indexes = order.slice(position, position + rows_a_batch).filter((index) => !faulty.has(table.rows[index]!.row));
  return writeRows(tx, row, table, indexes, firsts, postage);
}

async function count(tx: TenantTransaction, id: string, written: WrittenRows, position: number): Promise<void> {
  await tx
    .updateTable('imports')
    .set((eb) => ({
      position,
      created_count: eb('created_count', '+', written.created),
      updated_count: eb('updated_count', '+', written.updated),
      unchanged_count: eb('unchanged_count', '+', written.unchanged),
      failed_count: eb('failed_count', '+', written.failed),
      error_count: eb('error_count', '+', written.faults.length),
      due_at: lease_end,
      attempts: 0,
    }))
    .where('id', '=', id)
    .execute();
}

/** @param row as it is when all is checked and written */
async function finish({ tenant, storage }: Turn, row: ImportRow, table: PeopleTable): Promise<void> {
  const { rows_total, failed_count, error_count, dry_run, on_error } = row;
  const faulty = await faultyRows(tenant, row.id);
  const writes_nothing = dry_run || (on_error === 'abort' && failed_count > 0);
  const isLeft = (index: number) => writes_nothing || faulty.has(table.rows[index]!.row);
  const report_key = error_count > 0 ? await writeReport(tenant, storage, row, table, isLeft) : null;
  if (failed_count === 0) return endImport(tenant, storage, row, { status: 'completed', report_key });
  if (on_error === 'continue') {
    return endImport(tenant, storage, row, { status: 'completed_with_errors', report_key });
  }
  const have = failed_count === 1 ? 'has a fault' : 'have faults';
  const message = `${failed_count} of ${rows_total} rows ${have}, so nothing was imported.`;
  return endImport(tenant, storage, row, { ...failed('aborted', message), report_key });
}

/** What is left to do for those that someone cancelled: the file with its errors, and removing what was uploaded. */
async function tidyCancelled(turn: Turn): Promise<void> {
  const { tenant, log } = turn;
  const cancelled = await tenant
    .selectFrom('imports')
    .select(importRowColumns)
    .where('status', '=', 'cancelled')
    .where('key', 'is not', null)
    .execute();
  for (const row of cancelled) {
    try {
      await tidyOne(turn, row);
    } catch (error) {
      log.warn({ company_id: tenant.company_id, import_id: row.id, err: error }, 'cancelled import is not tidied up');
    }
  }
}

async function tidyOne(turn: Turn, row: ImportRow): Promise<void> {
  const { tenant, storage } = turn;
  const report_key = row.report_key ?? (await reportOfCancelled(turn, row));
  const { numUpdatedRows } = await tenant
    .updateTable('imports')
    .set({ key: null, report_key })
    .where('id', '=', row.id)
    .where('key', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n && row.report_key === null) await discardObject(storage, report_key);
  await discardObject(storage, row.key);
}

/** Rows that were not written, as far as their faults are known. */
async function reportOfCancelled(turn: Turn, row: ImportRow): Promise<string | null> {
  if (row.error_count === 0) return null;
  const { tenant, storage, sheets, stopping } = turn;
  const bytes = await buffer(await storage.read(row.key!));
  const table = await readPeople(sheets, bytes, row, stopping);
  const order = await writingOrder(table, await firstsOf(table));
  const written = row.on_error === 'abort' ? 0 : row.position;
  const left = new Set(order.slice(written));
  const faulty = await faultyRows(tenant, row.id);
  const isLeft = (index: number) => left.has(index) || faulty.has(table.rows[index]!.row);
  return writeReport(tenant, storage, row, table, isLeft);
}
