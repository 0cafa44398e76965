/**
 * Which store belongs to which database: a random id in a row, and the same in an object of the store. A store with another
 * mark or with none is another store, or is empty, and what is not in it would look as if it were gone.
 *
 * The row comes first, and says when the object is there: so the first processes that start, all at once, write the same mark,
 * and one that ends in between leaves what the next one completes.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CompiledQuery } from 'kysely';
import { Problem } from '../../../contract/problem.ts';
import type { Database } from '../../db/client.ts';
import { markKey, partsOfKey, type Storage } from './storage.ts';
import { outage, StoreFault } from './store-fault.ts';

/** Runs one statement. @returns its rows */
export type Ask = <R>(sql: string, values: unknown[]) => Promise<R[]>;

/** That it answers, and is not the one of the database. */
export class OtherStore extends StoreFault {}

/** Of which store a database says that it is its own. */
export interface OwnMark {
  mark: string;
  /** Whether the store has had it; before that, any store without a mark may get it. */
  is_kept: boolean;
}

export function asking({ global }: Database): Ask {
  return async <R>(sql: string, values: unknown[]) =>
    (await global.executeQuery<R>(CompiledQuery.raw(sql, values))).rows;
}

/** A store may have kept half of one, and said that it kept nothing. */
const wholeMark = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isKept = 'marked_at is not null as is_kept';

/** @returns undefined before the first start */
export async function ownMark(ask: Ask): Promise<OwnMark | undefined> {
  const [own] = await ask<OwnMark>(`select mark, ${isKept} from file_store`, []);
  return own;
}

/** Of the processes that start for the first time, one decides. */
export async function firstMark(ask: Ask): Promise<OwnMark> {
  await ask('insert into file_store (is_only, mark) values (true, $1) on conflict (is_only) do nothing', [
    randomUUID(),
  ]);
  return (await ownMark(ask))!;
}

/** @returns undefined when there is none, or half of one */
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
  return cause instanceof StoreFault && cause.isDamage;
}

async function keepMark(ask: Ask, store: Storage, mark: string): Promise<void> {
  await store.put(markKey, Readable.from([Buffer.from(`${mark}\n`)], { objectMode: false }));
  await ask('update file_store set marked_at = now() where is_only and mark = $1', [mark]);
}

/**
 * Makes a store that of this database, whatever it was. It gets a new mark: so the one that was this database's before is so
 * no longer, and neither is this one any other's.
 */
export async function adopt(ask: Ask, store: Storage): Promise<void> {
  const mark = randomUUID();
  await ask(
    `insert into file_store (is_only, mark) values (true, $1)
     on conflict (is_only) do update set mark = excluded.mark, marked_at = null`,
    [mark],
  );
  await keepMark(ask, store, mark);
}

/**
 * @param own what the database says
 * @param ask gives a store its mark that can have had none yet; without it, that is no fault
 * @throws 503 when the store is another one
 */
export async function requireOwn(own: OwnMark, store: Storage, ask?: Ask): Promise<void> {
  const found = await markOf(store);
  if (found === own.mark) {
    if (!own.is_kept && ask) await keepMark(ask, store, own.mark);
    return;
  }
  if (own.is_kept && found === undefined)
    throw otherStore('it has not the mark of this database: it is empty, or another one');
  if (own.is_kept || (found !== undefined && (await hasFiles(store))))
    throw otherStore('it is that of another database');
  if (ask) await keepMark(ask, store, own.mark);
}

function otherStore(reason: string): Problem {
  return outage(new OtherStore(`${reason} (see docs/operations/files.md, "Its mark")`));
}

async function hasFiles(store: Storage): Promise<boolean> {
  for await (const { key } of store.list()) if (partsOfKey(key)) return true;
  return false;
}
