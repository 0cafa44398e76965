/** Checks periodically that a store's mark is the database's, so that another bucket or disk isn't mistaken for it. */
import { Problem } from '../../../contract/problem.ts';
import type { Database } from '../../db/client.ts';
import type { Storage } from './storage.ts';
import { firstMark, OtherStore, type OwnMark, requireOwn, sqlRunnerOf, storeId } from './store-binding.ts';
import { isSilence, outage, UnknownMark, withTimeout } from './store-error.ts';

/** How long a check is valid, in milliseconds. */
const defaultFreshMs = 30_000;
/** How long to wait for the database; after that its last mark is used. */
const maxQueryMs = 1_000;

/** @returns a store that fails as unavailable while its mark differs from the database's */
export function boundStore<S extends Storage>(store: S, db: Database, freshMs = defaultFreshMs): S {
  const runSql = sqlRunnerOf(db);
  let known: OwnMark | undefined;
  let verifiedMs = Number.NEGATIVE_INFINITY;
  let wasOwn = false;
  let pendingCheck: Promise<void> | undefined;

  /** If the database is down, its last mark is used. */
  const own = async (bounded: boolean): Promise<OwnMark> => {
    const lookup = storeId(runSql).then((mark) => mark ?? firstMark(runSql));
    try {
      known = await (bounded || known?.is_kept ? withTimeout(lookup, maxQueryMs) : lookup);
    } catch (cause) {
      if (!known?.is_kept) throw outage(new UnknownMark('the database does not identify its store', { cause }));
    }
    return known!;
  };
  const compare = async (bounded: boolean) => {
    const { mark, is_kept: isKept } = await own(bounded);
    await requireOwn({ mark, is_kept: isKept }, store, runSql);
    known = { mark, is_kept: true };
    wasOwn = true;
    verifiedMs = performance.now();
  };
  /** Concurrent callers share one check. @param bounded whether the wait for a silent database is limited */
  const recheck = (bounded = false): Promise<void> => {
    pendingCheck ??= compare(bounded).finally(() => {
      pendingCheck = undefined;
    });
    return pendingCheck;
  };
  /** A failed check doesn't disqualify a store that was right before. Silence is reported now, to avoid waiting for it twice. */
  const ensureChecked = async () => {
    if (performance.now() - verifiedMs <= freshMs) return;
    try {
      await recheck();
    } catch (error) {
      if (error instanceof Problem && error.cause instanceof OtherStore) wasOwn = false;
      if (!wasOwn || isSilence(error)) throw error;
    }
  };
  /** Leaves all other faults, and the first start, to the check of the store. */
  const refuseOther = async () => {
    const { is_kept: isKept } = await own(true).catch(() => ({ is_kept: false }));
    if (isKept)
      await recheck(true).catch((error) => {
        if (error instanceof Problem && error.cause instanceof OtherStore) throw error;
      });
  };
  const { presign } = store;
  return {
    ...store,
    async put(key, content) {
      content.on('error', () => {}); // it may fail before it is read; reading reports it
      await ensureChecked();
      await store.put(key, content);
    },
    async read(key, range) {
      await ensureChecked();
      return store.read(key, range);
    },
    async size(key) {
      await ensureChecked();
      return store.size(key);
    },
    async remove(key) {
      await ensureChecked();
      await store.remove(key);
    },
    // The sweep removes listed files without a row, which would be disastrous in another database's store.
    async *list(after) {
      await recheck();
      yield* store.list(after);
    },
    async check(mode) {
      verifiedMs = Number.NEGATIVE_INFINITY;
      if (!wasOwn) await refuseOther(); // the check would create the folder of a missing disk, for other processes to write to
      await store.check(mode);
      await recheck(true);
    },
    ...(presign && {
      async presign(key, headers) {
        await ensureChecked();
        return presign(key, headers);
      },
    }),
  } satisfies Storage as S;
}
