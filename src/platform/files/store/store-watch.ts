/** Monitors the file store. The process stays ready while it fails, because all processes share it and the rest works. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { Problem } from '../../../contract/problem.ts';
import type { Logger } from '../../observe/log.ts';
import type { Storage, StoredObject } from './storage.ts';
import { errorOf, isOfDatabase, isOutage, KnownOutage, outage, withTimeout } from './store-error.ts';

/** In milliseconds. */
const defaultTimes = {
  /** How long a check is valid. */
  fresh: 10_000,
  /** Between background checks while the store is down. */
  freshWhileDown: 5_000,
  /** How long a metrics scrape waits for a check; then it gets the result of the last one. */
  response: 2_000,
  /** After this long without a response the store is down. A busy machine takes a few seconds. */
  silent: 10_000,
};

export interface WatchedStore {
  /** The store with its errors counted. */
  storage: Storage;
  /** The result of the last check; starts another one in the background if that was a while ago. */
  isUp(): boolean;
  /** The first check. @throws when only the operator can fix the store; a temporary outage is only logged */
  begin(): Promise<void>;
}

interface WatchStoreOptions {
  registry: Registry;
  log: Logger;
  times?: typeof defaultTimes;
}

export function watchStore(store: Storage, { registry, log, times = defaultTimes }: WatchStoreOptions): WatchedStore {
  let wasUp = true;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let lastCheck: Promise<boolean> = Promise.resolve(true);
  let timer: NodeJS.Timeout | undefined;
  const recordState = (up: boolean, error?: unknown) => {
    if (wasUp && !up) log.warn({ err: error }, 'the file store is unavailable: requests that need files get 503');
    if (!wasUp && up) log.info('the file store is available again');
    wasUp = up;
    clearTimeout(timer);
    // Checks unconditionally: a timer can fire slightly early, and no other check would follow.
    if (!up) timer = setTimeout(checkNow, times.freshWhileDown).unref();
    return up;
  };
  const checkNow = () => {
    checkedMs = performance.now();
    lastCheck = withTimeout(store.check('reading'), times.silent).then(
      () => recordState(true),
      (error) => recordState(isOfDatabase(error) && wasUp, error),
    );
    return lastCheck;
  };
  const checkIfDue = () => {
    const fresh = wasUp ? times.fresh : times.freshWhileDown;
    return performance.now() - checkedMs < fresh ? lastCheck : checkNow();
  };
  new Gauge({
    name: 'storage_up',
    help: 'Whether the file store is available; if 0, requests that need files get 503.',
    registers: [registry],
    async collect() {
      this.set((await withTimeout(checkIfDue(), times.response).catch(() => wasUp)) ? 1 : 0);
    },
  });
  return {
    storage: counted(
      watched(store, () => wasUp, checkIfDue),
      registry,
    ),
    isUp() {
      void checkIfDue();
      return wasUp;
    },
    async begin() {
      try {
        await withTimeout(store.check('writing'), times.silent);
        recordState(true);
      } catch (error) {
        const { reason, isLasting } = errorOf(error);
        if (isLasting) throw new Error(`STORAGE_URL can't be used: ${reason}`, { cause: error });
        if (!isOfDatabase(error)) recordState(false, error);
      }
      checkedMs = performance.now();
      lastCheck = Promise.resolve(wasUp);
    },
  };
}

/** Rejects uploads immediately while the store is down, instead of after its timeout. Other failures trigger a check. */
function watched(store: Storage, isUp: () => boolean, check: () => Promise<unknown>): Storage {
  const failed = (error: unknown): never => {
    if (!isOutage(error)) throw error;
    if (!isUp()) throw outage(new KnownOutage(errorOf(error).reason, { cause: error }));
    void check();
    throw error;
  };
  return {
    ...store,
    async put(key, content) {
      if (isUp()) return store.put(key, content).catch(failed);
      content.on('error', () => {}); // it may fail before it is read; reading reports it
      throw outage(new KnownOutage('the store was unavailable at the last check'));
    },
    read: (key, range) => store.read(key, range).catch(failed),
    size: (key) => store.size(key).catch(failed),
    remove: (key) => store.remove(key).catch(failed),
  };
}

type Operation = 'put' | 'read' | 'size' | 'remove' | 'list';

function counted(store: Storage, registry: Registry): Storage {
  const errors = new Counter({
    name: 'storage_errors_total',
    help: 'Failed file store operations, by operation; each is a request with 503, or work that is retried.',
    labelNames: ['operation'],
    registers: [registry],
  });
  for (const operation of ['put', 'read', 'size', 'remove', 'list'] satisfies Operation[]) errors.inc({ operation }, 0);
  const count = (operation: Operation) => (error: unknown) => {
    if (error instanceof Problem && error.status === 503) errors.inc({ operation });
    throw error;
  };
  return {
    ...store,
    put: (key, content) => store.put(key, content).catch(count('put')),
    read: async (key, range) => {
      const content = await store.read(key, range).catch(count('read'));
      return content.on('error', (error) => {
        if (error instanceof Problem) errors.inc({ operation: 'read' });
      });
    },
    size: (key) => store.size(key).catch(count('size')),
    remove: (key) => store.remove(key).catch(count('remove')),
    async *list(after): AsyncIterable<StoredObject> {
      try {
        yield* store.list(after);
      } catch (error) {
        count('list')(error);
      }
    },
  };
}
