/**
 * A store that answers only while it is the one that belongs to the database. It is looked at before it is first used, and
 * again now and then, so that a bucket or a disk that was put in its place does not pass for it.
 */
import { Problem } from '../../../contract/problem.ts';
import type { Database } from '../../db/client.ts';
import type { Storage } from './storage.ts';
import { inTime, isSilence, outage, UnknownMark } from './store-fault.ts';
import { asking, firstMark, OtherStore, type OwnMark, ownMark, requireOwn } from './store-mark.ts';

/** For how long it is used without another look, in milliseconds. */
const defaultFreshMs = 30_000;
/** How long the database may take to say which store is its own; what it said last counts then. */
const longestQuestionMs = 1_000;

/** @returns the same, which fails as a store that is down while its mark is not that of the database */
export function markedStore<S extends Storage>(store: S, db: Database, freshMs = defaultFreshMs): S {
  const ask = asking(db);
  let known: OwnMark | undefined;
  let seenMs = Number.NEGATIVE_INFINITY;
  let wasOwn = false;
  let look: Promise<void> | undefined;

  /** A database that is down is another outage: then what it said last counts. */
  const own = async (bounded: boolean): Promise<OwnMark> => {
    const asked = ownMark(ask).then((mark) => mark ?? firstMark(ask));
    try {
      known = await (bounded || known?.is_kept ? inTime(asked, longestQuestionMs) : asked);
    } catch (cause) {
      if (!known?.is_kept) throw outage(new UnknownMark('the database does not say which store is its own', { cause }));
    }
    return known!;
  };
  const compare = async (bounded: boolean) => {
    const { mark, is_kept: isKept } = await own(bounded);
    await requireOwn({ mark, is_kept: isKept }, store, ask);
    known = { mark, is_kept: true };
    wasOwn = true;
    seenMs = performance.now();
  };
  /** One for all who wait for it. @param inTime whether a database that is silent is not waited for */
  const lookAgain = (bounded = false): Promise<void> => {
    look ??= compare(bounded).finally(() => {
      look = undefined;
    });
    return look;
  };
  /**
   * A look that fails says nothing against a store that was the right one: what it is asked for will tell. It would only be
   * waited for once more where the store is silent.
   */
  const looked = async () => {
    if (performance.now() - seenMs <= freshMs) return;
    try {
      await lookAgain();
    } catch (error) {
      if (error instanceof Problem && error.cause instanceof OtherStore) wasOwn = false;
      if (!wasOwn || isSilence(error)) throw error;
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
      seenMs = Number.NEGATIVE_INFINITY;
      await store.check(how);
      await lookAgain(true);
    },
    ...(presign && {
      async presign(key, answer) {
        await looked();
        return presign(key, answer);
      },
    }),
  } satisfies Storage as S;
}
