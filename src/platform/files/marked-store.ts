/**
 * A store that answers only while it is the one that belongs to the database. It is looked at before it is first used, and
 * again now and then, so that a bucket or a disk that was put in its place does not pass for it.
 */
import { Problem } from '../../contract/problem.ts';
import type { Database } from '../db/client.ts';
import type { Storage } from './storage.ts';
import { asking, firstMark, OtherStore, type OwnMark, ownMark, requireOwn } from './store-mark.ts';

/** For how long it is used without another look, in milliseconds. */
const default_fresh_ms = 30_000;

/** @returns the same, which fails as a store that is down while its mark is not that of the database */
export function markedStore<S extends Storage>(store: S, db: Database, fresh_ms = default_fresh_ms): S {
  const ask = asking(db);
  let known: OwnMark | undefined;
  let seen_ms = Number.NEGATIVE_INFINITY;
  let was_own = false;
  let look: Promise<void> | undefined;

  /** A database that is down is another outage: then what it said last counts. */
  const own = async (): Promise<OwnMark> => {
    try {
      known = (await ownMark(ask)) ?? (await firstMark(ask));
    } catch (error) {
      if (!known?.is_kept) throw error;
    }
    return known!;
  };
  const compare = async () => {
    const { mark, is_kept } = await own();
    await requireOwn({ mark, is_kept }, store, ask);
    known = { mark, is_kept: true };
    was_own = true;
    seen_ms = performance.now();
  };
  /** One for all who wait for it. */
  const lookAgain = (): Promise<void> => {
    look ??= compare().finally(() => {
      look = undefined;
    });
    return look;
  };
  /** A look that has no answer says nothing against a store that was the right one: what it is asked for will tell. */
  const looked = async () => {
    if (performance.now() - seen_ms <= fresh_ms) return;
    try {
      await lookAgain();
    } catch (error) {
      if (error instanceof Problem && error.cause instanceof OtherStore) was_own = false;
      if (!was_own) throw error;
    }
  };
  const { presign } = store;
  return {
    ...store,
    async put(key, content) {
      content.on('error', () => {}); // it may fail before it is read, and is then heard of by reading it
      await looked();
      await store.put(key, content);
    },
    async read(key, range) {
      await looked();
      return store.read(key, range);
    },
    async size(key) {
      await looked();
      return store.size(key);
    },
    async remove(key) {
      await looked();
      await store.remove(key);
    },
    // What is listed may be removed because no row names it: that of another database above all.
    async *list(after) {
      await lookAgain();
      yield* store.list(after);
    },
    async check(how) {
      seen_ms = Number.NEGATIVE_INFINITY;
      await store.check(how);
      await lookAgain();
    },
    ...(presign && {
      async presign(key, answer) {
        await looked();
        return presign(key, answer);
      },
    }),
  } satisfies Storage as S;
}
