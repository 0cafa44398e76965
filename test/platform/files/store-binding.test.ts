/** A store that doesn't belong to the database, empty or another's: none of its files counts as deleted, and none is deleted. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createFolder, createStorage } from '../../../src/platform/files/context.ts';
import { boundStore } from '../../../src/platform/files/store/bound-store.ts';
import { markKey, newKey, type Storage } from '../../../src/platform/files/store/storage.ts';
import { adopt, markOf, sqlRunnerOf } from '../../../src/platform/files/store/store-binding.ts';
import { errorOf } from '../../../src/platform/files/store/store-error.ts';
import { watchStore } from '../../../src/platform/files/store/store-watch.ts';
import { sweepFiles } from '../../../src/platform/files/sweep.ts';
import { rotateFiles } from '../../../src/platform/rotation/files.ts';
import { temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { type S3Peer, startS3 } from '../../helpers/network/s3-peer.ts';
import { testSettings } from '../../helpers/settings.ts';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let peer: S3Peer;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  [folder, peer] = await Promise.all([temporaryFolder(), startS3()]);
});
afterEach(() => Promise.all([database.query('delete from file_store'), folder.remove(), peer.close()]));

const configOf = (STORAGE_URL: string, more: Record<string, string> = {}) =>
  readConfig({ ...testSettings, DATA_DIR: folder.path, STORAGE_URL, ...more });
const kinds: [string, (prefix?: string) => string][] = [
  ['folder', (prefix = 'files') => `file:${join(folder.path, prefix)}`],
  ['S3', (prefix) => peer.url(prefix)],
];
const companyId = randomUUID();
const putObject = async (store: Storage, key = newKey(companyId, 'documents')) => {
  await store.put(key, Readable.from([Buffer.from('bytes')], { objectMode: false }));
  return key;
};
const keysOf = async (store: Storage) => {
  const keys: string[] = [];
  for await (const { key } of store.list()) if (key !== markKey) keys.push(key);
  return keys;
};
/** The message to the operator. */
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => [error.status, errorOf(error).reason],
  );
const isEmpty = [503, expect.stringMatching(/^it lacks the marker of this database: it is empty or belongs elsewhere/)];
const isOthers = [503, expect.stringMatching(/^it belongs to another database/)];
const rows = () =>
  database.query<{ mark: string; is_kept: boolean }>('select mark, marked_at is not null as is_kept from file_store');

describe.each(kinds)('%s', (_, url) => {
  const bare = (prefix?: string) => createStorage(configOf(url(prefix)));
  /** A store as each process sees it, with its check cached for this long. */
  const marked = (prefix?: string, db = database.db, freshMs?: number) => boundStore(bare(prefix), db, freshMs);

  test('concurrently starting processes set one mark, which later ones find', async () => {
    await Promise.all(Array.from({ length: 5 }, () => marked().check('writing')));
    const [{ mark } = { mark: '' }, ...others] = await rows();
    expect(others).toEqual([]);
    expect(await markOf(bare())).toBe(mark);
    const key = await putObject(marked());
    expect(await text(await marked().read(key))).toBe('bytes');
    expect(await rows()).toEqual([{ mark, is_kept: true }]);
  });

  test('an empty store in its place does nothing and reports no file as deleted, and the right one works again immediately', async () => {
    const key = await putObject(marked());
    const wrong = marked('other');
    const asked = async () => ({
      put: await refused(putObject(wrong)),
      read: await refused(wrong.read(key)),
      size: await refused(wrong.size(key)),
      remove: await refused(wrong.remove(key)),
      list: await refused(keysOf(wrong)),
      check: await refused(wrong.check('reading')),
    });
    const [put, read, size, remove, list, check] = Array(6).fill(isEmpty);
    expect(await asked()).toEqual({ put, read, size, remove, list, check });
    expect(await keysOf(bare('other'))).toEqual([]);
    expect(await markOf(bare('other'))).toBeUndefined();
    expect(await text(await marked().read(key))).toBe('bytes');
  });

  test('a truncated mark doesn’t count, because a failing store may truncate files too', async () => {
    await putObject(bare());
    const [row] = await database.query<{ mark: string }>('insert into file_store (mark) values ($1) returning mark', [
      randomUUID(),
    ]);
    await bare().put(markKey, Readable.from([Buffer.from(row!.mark.slice(0, 18))], { objectMode: false }));
    await marked().check('writing');
    expect(await markOf(bare())).toBe(row!.mark);
  });
});

describe('any store', () => {
  const [[, url]] = kinds as [(typeof kinds)[0]];
  const bare = (prefix?: string) => createStorage(configOf(url(prefix)));
  /** A store as each process sees it, with its check cached for this long. */
  const marked = (prefix?: string, db = database.db, freshMs?: number) => boundStore(bare(prefix), db, freshMs);

  test('a store with files from before marks gets one', async () => {
    const key = await putObject(bare());
    expect(await marked().size(key)).toBe(5);
    expect(await markOf(bare())).toBe((await rows())[0]!.mark);
  });

  test('a store swapped at runtime is noticed after a while, and immediately before a listing', async () => {
    const key = await putObject(marked());
    const [right, wrong] = [bare(), bare('other')];
    let current = right;
    const now = (): Storage => ({ ...right, read: (...asked) => current.read(...asked), list: () => current.list() });
    const often = boundStore(now(), database.db, 0);
    const seldom = boundStore(now(), database.db, 60_000);
    for (const store of [often, seldom]) expect(await text(await store.read(key))).toBe('bytes');
    current = wrong;
    expect(await refused(often.read(key))).toEqual(isEmpty);
    expect(await refused(sweepFiles(database.db, seldom))).toEqual(isEmpty);
    current = right;
    expect(await text(await often.read(key))).toBe('bytes');
  });

  test('another database’s store is rejected even at the first start, so nothing in it is swept', async () => {
    const foreignKey = await putObject(marked());
    const second = await testDatabase();
    try {
      const secondStore = marked(undefined, second.db);
      expect(await refused(secondStore.check('writing'))).toEqual(isOthers);
      expect(await refused(sweepFiles(second.db, secondStore, { olderThanS: -10 }))).toEqual(isOthers);
      expect(await keysOf(bare())).toEqual([foreignKey]);
      // An explicit adoption assigns it to the second database, and the first one notices.
      await adopt(sqlRunnerOf(second.db), bare());
      await secondStore.check('writing');
      expect(await refused(marked().read(foreignKey))).toEqual(isOthers);
    } finally {
      await second.drop();
    }
  });

  test('an interrupted first start is completed by the next, and a mark without files isn’t another database’s', async () => {
    await bare().put(markKey, Readable.from([Buffer.from(randomUUID())], { objectMode: false }));
    await database.query('insert into file_store (mark) values ($1)', [randomUUID()]);
    await marked().check('writing');
    expect(await rows()).toEqual([{ mark: await markOf(bare()), is_kept: true }]);
  });

  test('an adopted store is the only valid one, even for processes that run with the previous one', async () => {
    const key = await putObject(marked());
    const running = marked(undefined, database.db, 0);
    expect(await running.size(key)).toBe(5);
    await adopt(sqlRunnerOf(database.db), bare('other'));
    expect(await refused(running.size(key))).toEqual(isOthers);
    await putObject(marked('other'));
  });

  test('during a database outage, the last known state counts', async () => {
    const running = marked(undefined, database.db, 0);
    const key = await putObject(running);
    const down = { ...database.db, global: { executeQuery: () => Promise.reject(new Error('down')) } };
    const other = boundStore(bare(), down as unknown as typeof database.db, 0);
    expect(await refused(other.size(key))).toEqual([503, 'the database does not identify its store']);
    await database.query('alter table file_store rename to file_store_elsewhere'); // every check fails
    const size = await running.size(key);
    await database.query('alter table file_store_elsewhere rename to file_store');
    expect(size).toBe(5);
  });

  test('monitoring reports it, and the process starts', async () => {
    await marked().check('writing');
    const lines: { level: number; msg: string; err?: { cause?: { message: string } } }[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const watch = watchStore(marked('other'), { registry: new Registry(), log });
    await watch.begin();
    expect(watch.isUp()).toBe(false);
    expect(lines).toMatchObject([{ msg: expect.stringContaining('is unavailable') }]);
    expect(JSON.stringify(lines)).toContain('it lacks the marker of this database');
  });
});

test('a process that starts without the disk creates no folder, in which running processes would store files', async () => {
  const [[, url]] = kinds as [(typeof kinds)[0]];
  const bound = () => boundStore(createStorage(configOf(url())), database.db);
  const running = bound();
  await running.check('writing');
  const key = await putObject(running);
  const [files, unmounted] = [join(folder.path, 'files'), join(folder.path, 'unmounted')];
  await rename(files, unmounted);
  for (const mode of ['writing', 'reading'] as const) expect(await refused(bound().check(mode))).toEqual(isEmpty);
  expect((await refused(putObject(running)))[0]).toBe(503);
  expect(await readdir(folder.path)).not.toContain('files');
  await rename(unmounted, files);
  expect(await text(await running.read(key))).toBe('bytes');
});

test('a silent store is waited for once, and isn’t asked again', async () => {
  const config = readConfig({
    ...testSettings,
    DATA_DIR: folder.path,
    STORAGE_URL: peer.url(),
    STORAGE_TIMEOUT_MS: '500',
  });
  const running = boundStore(createStorage(config), database.db, 0);
  await putObject(running);
  peer.misbehave('silent');
  const before = peer.requests.length;
  expect(await refused(putObject(running))).toEqual([503, 'the store was silent for 500 ms']);
  expect(peer.requests.slice(before).map(({ method }) => method)).toEqual(['GET']); // the check, and no upload
});

test('the mark isn’t encrypted with files, and key rotation skips it', async () => {
  const keys = [1, 2].map((n) => Buffer.alloc(32, n).toString('base64'));
  const of = (...known: string[]) =>
    createFolder(configOf(kinds[0]![1](), { STORAGE_ENCRYPTION: 'true', ENCRYPTION_KEY: known.join() }))!;
  const key = await putObject(boundStore(of(keys[0]!), database.db));
  const rotating = boundStore(of(keys[1]!, keys[0]!), database.db);
  await rotateFiles(rotating, true);
  expect(await rotating.stateOf(key)).toBe('current');
  const mark = await readFile(join(folder.path, 'files', markKey), 'utf8');
  expect(mark).toBe(`${(await rows())[0]!.mark}\n`);
});

test('an unanswered check doesn’t block other requests to a store that was valid', async () => {
  const store = createStorage(configOf(peer.url()));
  const running = boundStore(store, database.db, 0);
  const key = await putObject(running);
  peer.misbehave(({ res }) => void res.writeHead(503).end(), ['GET']);
  expect(await running.size(key)).toBe(5);
  expect(await refused(boundStore(store, database.db).size(key))).toEqual([503, expect.any(String)]);
});

test('a truncated mark with the hash of the whole doesn’t count either', async () => {
  peer.misbehave('keeps_half', ['PUT']);
  const store = createStorage(configOf(peer.url()));
  const marked = () => boundStore(store, database.db);
  await refused(putObject(store));
  expect(await refused(putObject(marked()))).toEqual([503, expect.any(String)]);
  expect([...peer.objects.keys()].some((key) => key.endsWith(markKey))).toBe(true);
  peer.misbehave(undefined);
  expect(await text(await marked().read(await putObject(marked())))).toBe('bytes');
});
