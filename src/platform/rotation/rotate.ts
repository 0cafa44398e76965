/**
 * Rotates ENCRYPTION_KEY: decrypts what older keys encrypted, and encrypts it with the first key.
 *
 * Processes rows in primary key order, a few hundred per transaction, while the service runs. Rows changed concurrently are
 * skipped, because the change encrypts them with the first key. Can be interrupted at any time and resumed, because it skips
 * values that use the first key.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/client.ts';
import { type EncryptionKeys, type SealContext as ValueContext, type Vault, vault } from '../secrets/secrets.ts';
import { type SealedColumn, sealedColumns, sealedJobs } from './sealed-columns.ts';

const rowsPerBatch = 500;

export interface KeyCount {
  name: string;
  /** Encrypted with the first key. */
  current: number;
  /** Encrypted with another key. */
  older: number;
}

export interface RotationCount {
  name: string;
  resealed: number;
  /** No key decrypts them; left unchanged. */
  unreadable: number;
}

/** A company whose data was unavailable; the others are rotated anyway. */
interface Unreached {
  company_id: string;
  reason: string;
}

interface Rotation {
  places: RotationCount[];
  unreached: Unreached[];
}

/** Counts values by key; changes nothing. */
export async function sealedCounts(db: Database, keys: EncryptionKeys): Promise<KeyCount[]> {
  const counts: KeyCount[] = [];
  for (const sealedColumn of sealedColumns) {
    const { key_id: keyId } = vault(keys, sealedColumn.purpose);
    const total = { name: sealedColumn.name, current: 0, older: 0 };
    for (const source of await sourcesOf(db, sealedColumn)) add(total, await countRows(source, sealedColumn, keyId));
    counts.push(total);
  }
  for (const { name, purpose, task } of sealedJobs) {
    counts.push({ name, ...(await countJobs(db, task, vault(keys, purpose).key_id)) });
  }
  return counts;
}

/** @param keys the first encrypts, all decrypt */
export async function rotate(db: Database, keys: EncryptionKeys): Promise<Rotation> {
  const done: RotationCount[] = [];
  const unreached = new Map<string, Unreached>();
  for (const sealedColumn of sealedColumns) {
    const box = vault(keys, sealedColumn.purpose);
    const total = { name: sealedColumn.name, resealed: 0, unreadable: 0 };
    for (const source of await sourcesOf(db, sealedColumn)) {
      try {
        await rotateRows(source, sealedColumn, box, total);
      } catch (error) {
        const { company_id: companyId } = source;
        if (companyId === undefined) throw error;
        unreached.set(companyId, { company_id: companyId, reason: (error as Error).message });
      }
    }
    done.push(total);
  }
  for (const { name, purpose, task } of sealedJobs) {
    const total = { name, resealed: 0, unreadable: 0 };
    await rotateJobs(db, task, vault(keys, purpose), total);
    done.push(total);
  }
  return { places: done, unreached: [...unreached.values()] };
}

/** The rows of one company, or of a global table. */
interface Source {
  company_id: string | undefined;
  query: Kysely<never>;
  /** The condition that binds a statement to the company. */
  bound: RawBuilder<unknown>;
}

async function sourcesOf(db: Database, { of_company: ofCompany }: SealedColumn): Promise<Source[]> {
  if (!ofCompany) return [{ company_id: undefined, query: db.global as unknown as Kysely<never>, bound: sql`true` }];
  const companies = await db.global.selectFrom('companies').select('id').execute();
  return companies.map(({ id }) => ({
    company_id: id,
    query: db.tenant(id).raw as unknown as Kysely<never>,
    bound: sql`company_id = ${id}`,
  }));
}

async function countRows({ query, bound }: Source, sealedColumn: SealedColumn, keyId: Buffer) {
  const column = sql.ref(sealedColumn.column);
  const { rows } = await sql<{ current: number; older: number }>`
    select count(*) filter (where ${beginsWith(column, keyId)})::int as current,
      count(*) filter (where not ${beginsWith(column, keyId)})::int as older
    from ${sql.table(sealedColumn.table)} where ${bound} and ${column} is not null`.execute(query);
  return rows[0]!;
}

type Row = Record<string, unknown> & { sealed: Buffer };

async function rotateRows(source: Source, sealedColumn: SealedColumn, box: Vault, total: RotationCount): Promise<void> {
  const { query, bound } = source;
  const column = sql.ref(sealedColumn.column);
  const key = sql.join(sealedColumn.key.map((name) => sql.ref(name)));
  for (let after: unknown[] | undefined; ; ) {
    const afterLast = after ? sql`(${key}) > (${sql.join(after)})` : sql`true`;
    const { rows } = await sql<Row>`
      select ${key}, ${column} as sealed from ${sql.table(sealedColumn.table)}
      where ${bound} and ${column} is not null and not ${beginsWith(column, box.key_id)} and ${afterLast}
      order by ${key} limit ${rowsPerBatch}`.execute(query);
    if (rows.length === 0) return;
    const resealed = rows.flatMap((row) => reseal(row, contextOf(source, sealedColumn, row), box, total));
    await query.transaction().execute(async (tx) => {
      for (const { row, sealed } of resealed) {
        const same = sql.join(
          sealedColumn.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
          sql` and `,
        );
        const { numAffectedRows } = await sql`
          update ${sql.table(sealedColumn.table)} set ${sql.ref(sealedColumn.column)} = ${sealed}
          where ${bound} and ${same} and ${column} = ${row.sealed}`.execute(tx);
        total.resealed += Number(numAffectedRows);
      }
    });
    const last = rows.at(-1)!;
    after = sealedColumn.key.map((name) => last[name]);
  }
}

async function countJobs(db: Database, task: string, keyId: Buffer) {
  const { rows } = await sql<{ current: number; older: number }>`
    select count(*) filter (where ${beginsWith(sealedPayload, keyId)})::int as current,
      count(*) filter (where not ${beginsWith(sealedPayload, keyId)})::int as older
    from graphile_worker._private_jobs as jobs ${tasksOf(task)}`.execute(db.global);
  return rows[0]!;
}

/** In one query, because workers keep the queue of these jobs short. */
async function rotateJobs(db: Database, task: string, box: Vault, total: RotationCount): Promise<void> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    select jobs.id, ${sealedPayload} as sealed from graphile_worker._private_jobs as jobs ${tasksOf(task)}
    where not ${beginsWith(sealedPayload, box.key_id)}`.execute(db.global);
  for (const { row, sealed } of rows.flatMap((row) => reseal(row, ['graphile_worker.jobs', task], box, total))) {
    const payload = JSON.stringify({ sealed: sealed.toString('base64') });
    const { numAffectedRows } = await sql`
      update graphile_worker._private_jobs as jobs set payload = ${payload}::json
      where jobs.id = ${row.id} and ${sealedPayload} = ${row.sealed}`.execute(db.global);
    total.resealed += Number(numAffectedRows);
  }
}

const sealedPayload = sql`decode(jobs.payload->>'sealed', 'base64')`;

const tasksOf = (task: string) =>
  sql`join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id and tasks.identifier = ${task}`;

function beginsWith(column: RawBuilder<unknown>, keyId: Buffer): RawBuilder<unknown> {
  return sql`substring(${column} from 1 for ${sql.lit(keyId.length)}) = ${keyId}`;
}

/** The place that the value was bound to when it was encrypted. */
function contextOf({ company_id: companyId }: Source, { table, column, key }: SealedColumn, row: Row): ValueContext {
  const ofRow = key.map((name) => row[name] as string | Buffer);
  return companyId === undefined ? [table, column, ...ofRow] : [table, column, companyId, ...ofRow];
}

function reseal<R extends { sealed: Buffer }>(
  row: R,
  context: ValueContext,
  box: Vault,
  total: RotationCount,
): { row: R; sealed: Buffer }[] {
  try {
    return [{ row, sealed: box.seal(box.open(row.sealed, context), context) }];
  } catch {
    total.unreadable += 1;
    return [];
  }
}

function add(total: KeyCount, { current, older }: { current: number; older: number }): void {
  total.current += current;
  total.older += older;
}
