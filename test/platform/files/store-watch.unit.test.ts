/** Monitoring of the file store, and when a process refuses to start. */
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { notFound, serviceUnavailable } from '../../../src/contract/problem.ts';
import { newKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { isKnownOutage, outage, StoreError, UnknownMark } from '../../../src/platform/files/store/store-error.ts';
import { watchStore } from '../../../src/platform/files/store/store-watch.ts';
import { eventually } from '../../helpers/eventually.ts';

const key = newKey('0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30', 'documents');
const down = serviceUnavailable(new StoreError('the store returned 500 with InternalError'));

function watched(times = { fresh: 60_000, freshWhileDown: 60_000, response: 60_000, silent: 60_000 }) {
  const state = { fault: undefined as Error | undefined, isSilent: false, checks: [] as string[] };
  const { promise: silence, resolve: endSilence } = Promise.withResolvers<void>();
  const act = async <T>(value: T): Promise<T> => {
    if (state.isSilent) await silence;
    if (state.fault) throw state.fault;
    return value;
  };
  const store: Storage = {
    put: () => act(undefined),
    read: () => act(Readable.from([Buffer.from('x')], { objectMode: false })),
    size: () => act(1),
    remove: () => act(undefined),
    async *list() {
      yield* await act([]);
    },
    check(how) {
      state.checks.push(how);
      return act(undefined);
    },
  };
  const registry = new Registry();
  const lines: { msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const watch = watchStore(store, { registry, log, times });
  const figure = async (name: string) => {
    const line = (await registry.metrics()).split('\n').find((line) => line.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1));
  };
  return { state, watch, figure, endSilence, messages: () => lines.map(({ msg }) => msg) };
}

test('a working store is checked once by a write, and not at every query', async () => {
  const { state, watch, figure, messages } = watched();
  await watch.begin();
  expect(watch.isUp()).toBe(true);
  expect(await figure('storage_up')).toBe(1);
  expect(state.checks).toEqual(['writing']);
  expect(messages()).toEqual([]);
});

test('a store outage is reported but doesn’t stop a process from starting', async () => {
  const { state, watch, figure, messages } = watched();
  state.fault = down;
  await watch.begin();
  expect(watch.isUp()).toBe(false);
  expect(await figure('storage_up')).toBe(0);
  expect(messages()).toEqual([expect.stringMatching(/^the file store is unavailable/)]);
});

test('a permanent error does, with a one-line message', async () => {
  const { state, watch } = watched();
  state.fault = serviceUnavailable(new StoreError('there is no such bucket', { isLasting: true }));
  await expect(watch.begin()).rejects.toThrow(/^STORAGE_URL can't be used: there is no such bucket$/);
});

test('checks again after a while, and reports the recovery once', async () => {
  const { state, watch, figure, messages } = watched({
    fresh: 0,
    freshWhileDown: 0,
    response: 60_000,
    silent: 60_000,
  });
  await watch.begin();
  state.fault = down;
  expect(await figure('storage_up')).toBe(0);
  expect(await figure('storage_up')).toBe(0);
  state.fault = undefined;
  expect(await figure('storage_up')).toBe(1);
  expect(await figure('storage_up')).toBe(1);
  expect(watch.isUp()).toBe(true);
  expect(state.checks).toEqual(['writing', ...Array.from({ length: 5 }, () => 'reading')]);
  expect(messages()).toEqual([expect.stringMatching(/is unavailable/), 'the file store is available again']);
});

test('a store that doesn’t respond counts as down, and blocks nobody', async () => {
  const { state, watch, figure } = watched({ fresh: 0, freshWhileDown: 60_000, response: 10, silent: 10 });
  state.isSilent = true;
  await watch.begin();
  expect(watch.isUp()).toBe(false);
  expect(await figure('storage_up')).toBe(0);
});

test('a slow response, as on a busy machine, changes nothing, and delays no metrics', async () => {
  const { state, watch, figure, endSilence, messages } = watched({
    fresh: 0,
    freshWhileDown: 60_000,
    response: 10,
    silent: 60_000,
  });
  await watch.begin();
  state.isSilent = true;
  expect(await figure('storage_up')).toBe(1);
  expect(watch.isUp()).toBe(true);
  expect(messages()).toEqual([]);
  endSilence();
});

test('uploads are rejected without a request while the store is down', async () => {
  const { state, watch } = watched({ fresh: 60_000, freshWhileDown: 60_000, response: 60_000, silent: 60_000 });
  state.fault = down;
  await watch.begin();
  state.fault = undefined;
  await expect(watch.storage.put(key, Readable.from([]))).rejects.toMatchObject({ status: 503 });
});

test('a store that is down is checked until it is up', async () => {
  const { state, watch } = watched({ fresh: 60_000, freshWhileDown: 10, response: 60_000, silent: 60_000 });
  state.fault = down;
  await watch.begin();
  await eventually(() => expect(state.checks.length).toBeGreaterThan(3));
  state.fault = undefined;
  await eventually(() => watch.storage.put(key, Readable.from([])));
  expect(watch.isUp()).toBe(true);
});

test('a database outage says nothing about the store', async () => {
  const { state, watch, figure, messages } = watched({
    fresh: 0,
    freshWhileDown: 60_000,
    response: 60_000,
    silent: 60_000,
  });
  await watch.begin();
  state.fault = outage(new UnknownMark('the database does not identify its store'));
  expect(await figure('storage_up')).toBe(1);
  expect(watch.isUp()).toBe(true);
  expect(messages()).toEqual([]);
});

test('counts failures of the store, but not missing files', async () => {
  const { state, watch, figure } = watched();
  const { storage } = watch;
  const failures = async () => {
    await storage.put(key, Readable.from([])).catch(() => {});
    await storage.read(key).catch(() => {});
    await storage.size(key).catch(() => {});
    await storage.remove(key).catch(() => {});
    for await (const _ of storage.list());
  };
  const counts = async () =>
    Promise.all(
      ['put', 'read', 'size', 'remove', 'list'].map((name) => figure(`storage_errors_total{operation="${name}"}`)),
    );
  await failures();
  state.fault = notFound();
  await failures().catch(() => {});
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  state.fault = down;
  await failures().catch(() => {});
  expect(await counts()).toEqual([1, 1, 1, 1, 1]);
  state.fault = undefined;
  await watch.begin();
  state.fault = new Error('of the one who uploads');
  await failures().catch(() => {});
  expect(await counts()).toEqual([1, 1, 1, 1, 1]);
});

test('a failed operation triggers a check, so later failures are known to be of the outage', async () => {
  const { state, watch, messages } = watched({ fresh: 0, freshWhileDown: 60_000, response: 60_000, silent: 60_000 });
  await watch.begin();
  state.fault = down;
  const failures = async () => {
    const errors = await Promise.all([
      watch.storage.read(key).catch((error) => error),
      watch.storage.size(key).catch((error) => error),
      watch.storage.put(key, Readable.from([])).catch((error) => error),
    ]);
    return errors.map((error) => [error.status, isKnownOutage(error)]);
  };
  expect(await failures()).toEqual(Array(3).fill([503, false]));
  await eventually(() => expect(messages()).toEqual([expect.stringMatching(/^the file store is unavailable/)]));
  expect(await failures()).toEqual(Array(3).fill([503, true]));
  state.fault = notFound();
  expect(isKnownOutage(await watch.storage.read(key).catch((error) => error))).toBe(false);
});
