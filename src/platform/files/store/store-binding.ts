/**
 * Binds a store to its database: the same random id is in a row and in an object of the store. A store with another mark or none
 * is the wrong one, and its missing files would look deleted.
 *
 * The row is written first, and records when the object exists. So concurrent first starts write the same mark, and an
 * interrupted one is completed by the next.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CompiledQuery } from 'kysely';
import { Problem } from '../../../contract/problem.ts';
import type { Database } from '../../db/client.ts';
import { markKey, partsOfKey, type Storage } from './storage.ts';
import { outage, StoreError } from './store-error.ts';

/** Runs one statement. @returns its rows */
export type SqlRunner = <R>(sql: string, values: unknown[]) => Promise<R[]>;

/** A reachable store that isn't the database's. */
export class OtherStore extends StoreError {}

/** The mark that the database expects. */
export interface OwnMark {
  mark: string;
  /** Whether the store has had the mark; until then, an unmarked store may get it. */
  is_kept: boolean;
}

export function sqlRunnerOf({ global }: Database): SqlRunner {
  return async <R>(sql: string, values: unknown[]) =>
    (await global.executeQuery<R>(CompiledQuery.raw(sql, values))).rows;
}

/** A failed write may have left a partial mark. */
const wholeMark = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isKept = 'marked_at is not null as is_kept';

/** @returns undefined before the first start */
export async function storeId(runSql: SqlRunner): Promise<OwnMark | undefined> {
  const [own] = await runSql<OwnMark>(`select mark, ${isKept} from file_store`, []);
  return own;
}

/** If several processes start for the first time, one decides. */
export async function firstMark(runSql: SqlRunner): Promise<OwnMark> {
  await runSql('insert into file_store (is_only, mark) values (true, $1) on conflict (is_only) do nothing', [
    randomUUID(),
  ]);
  return (await storeId(runSql))!;
}

/** @returns undefined when there is no mark, or a partial one */
export async function markOf(store: Storage): Promise<string | undefined> {
  try {
    const found = (await buffer(await store.read(markKey))).toString('utf8').trim();
    return wholeMark.test(found) ? found : undefined;
  } catch (error) {
    if (error instanceof Problem && (error.status === 404 || isDamage(error.cause))) return undefined;
    throw error;
  }
}

function isDamage(cause: unknown): boolean {
  return cause instanceof StoreError && cause.isDamage;
}

async function writeMark(runSql: SqlRunner, store: Storage, mark: string): Promise<void> {
  await store.put(markKey, Readable.from([Buffer.from(`${mark}\n`)], { objectMode: false }));
  await runSql('update file_store set marked_at = now() where is_only and mark = $1', [mark]);
}

/** Binds any store to this database with a new mark, which also unbinds the previous store, and this one from any other. */
export async function adopt(runSql: SqlRunner, store: Storage): Promise<void> {
  const mark = randomUUID();
  await runSql(
    `insert into file_store (is_only, mark) values (true, $1)
     on conflict (is_only) do update set mark = excluded.mark, marked_at = null`,
    [mark],
  );
  await writeMark(runSql, store, mark);
}

/**
 * @param own the mark that the database expects
 * @param runSql lets an unmarked store get its mark; without it, a missing first mark is accepted
 * @throws 503 when the store is another one
 */
export async function requireOwn(own: OwnMark, store: Storage, runSql?: SqlRunner): Promise<void> {
  const found = await markOf(store);
  if (found === own.mark) {
    if (!own.is_kept && runSql) await writeMark(runSql, store, own.mark);
    return;
  }
  if (own.is_kept && found === undefined)
    throw otherStore('it lacks the marker of this database: it is empty or belongs elsewhere');
  if (own.is_kept || (found !== undefined && (await hasFiles(store))))
    throw otherStore('it belongs to another database');
  if (runSql) await writeMark(runSql, store, own.mark);
}

function otherStore(reason: string): Problem {
  return outage(new OtherStore(`${reason} (see docs/operations/files.md, "The mark")`));
}

async function hasFiles(store: Storage): Promise<boolean> {
  for await (const { key } of store.list()) if (partsOfKey(key)) return true;
  return false;
}
