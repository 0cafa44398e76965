/** Notifications, with a real listener. */
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { openDatabase } from '../../../src/platform/db/client.ts';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import { createAnnouncer, type Notifier } from '../../../src/platform/notify/announce.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';

let database: TestDatabase;
let listener: pg.Client;
let heard: string[];
let payloads: string[];
/** Notifications sent to Postgres, and how many it has confirmed. */
let sent: string[];
let responseCount: number;

beforeAll(async () => {
  database = await testDatabase();
  listener = new pg.Client(database.url);
  listener.on('error', () => {});
  await listener.connect();
  listener.on('notification', ({ channel, payload }) => {
    heard.push(channel);
    payloads.push(payload!);
  });
  for (const channel of ['events', 'news', 'weather']) await listener.query(`listen ${channel}`);
});
afterAll(async () => {
  await listener.end();
  await database.drop();
});
beforeEach(async () => {
  await listener.query('select 1'); // pending notifications have arrived
  heard = [];
  payloads = [];
  sent = [];
  responseCount = 0;
});

async function notify(channel: string, payloads: readonly string[]): Promise<void> {
  sent.push(channel);
  await database.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, payloads]);
  responseCount++;
}

const hear = (...channels: string[]) => eventually(() => expect(heard.toSorted()).toEqual(channels.toSorted()));

describe('an announcer', () => {
  let announcer: Notifier;
  beforeEach(() => {
    announcer = createAnnouncer(notify);
  });
  afterEach(() => announcer.close());

  test('reaches a listener', async () => {
    announcer.announce('news', '');
    await hear('news');
  });

  test('sends many identical notifications as two: one now, and one for those in the meantime', async () => {
    for (let i = 0; i < 100; i++) announcer.announce('news', '');
    await hear('news', 'news');
    await announcer.close();
    await listener.query('select 1');
    expect(heard).toEqual(['news', 'news']);
  });

  test('always sends after the last call', async () => {
    let last = 0;
    for (let i = 0; i < 200; i++) {
      last = sent.length;
      announcer.announce('news', '');
      await new Promise((turn) => setImmediate(turn));
    }
    await eventually(() => expect(sent.length).toBeGreaterThan(last));
    await announcer.close();
    await listener.query('select 1');
    expect(heard).toHaveLength(sent.length);
    expect(sent.length).toBeLessThan(200);
  });

  test('keeps channels separate', async () => {
    announcer.announce('news', '');
    announcer.announce('weather', '');
    await hear('news', 'weather');
  });

  test('waits for pending notifications when closing, including queued ones', async () => {
    announcer.announce('news', '');
    announcer.announce('news', '');
    announcer.announce('weather', '');
    await announcer.close();
    expect(sent.toSorted()).toEqual(['news', 'news', 'weather']);
    expect(responseCount).toBe(3);
  });

  test('batches payloads that arrive in the meantime, each once', async () => {
    for (const payload of ['a', 'b', 'c', 'b', 'c']) announcer.announce('news', payload);
    await hear('news', 'news', 'news');
    expect(payloads).toEqual(['a', 'b', 'c']);
    expect(sent).toEqual(['news', 'news']);
  });

  test('sends nothing after closing', async () => {
    await announcer.close();
    announcer.announce('news', '');
    await announcer.close();
    expect(sent).toEqual([]);
  });
});

test.each([
  ['rejects', () => Promise.reject(new Error('no connection'))],
  [
    'throws',
    () => {
      throw new Error('no connection');
    },
  ],
])('a notification that %s causes no harm, and the next one is sent', async (_name, fail) => {
  let failing = true;
  let failures = 0;
  const announcer = createAnnouncer((channel, payloads) => {
    if (!failing) return notify(channel, payloads);
    failures++;
    return fail();
  });
  announcer.announce('news', '');
  await eventually(() => expect(failures).toBe(1));
  failing = false;
  announcer.announce('news', '');
  await hear('news');
  await expect(announcer.close()).resolves.toBeUndefined();
});

describe('a transaction', () => {
  const tenant = (): Tenant => database.db.tenant(companyId);

  test('announces after the commit, not before', async () => {
    await tenant().transaction(async (tx) => {
      tx.afterCommit('events');
      tx.afterCommit('events');
      await listener.query('select 1');
      expect(heard).toEqual([]);
    });
    await hear('events');
    expect(payloads).toEqual([companyId]);
  });

  test('announces nothing after a rollback', async () => {
    const failing = tenant().transaction(async (tx) => {
      tx.afterCommit('events');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await tenant().transaction(async (tx) => tx.afterCommit('news'));
    await hear('news');
  });
});

test.each([true, false])(
  'that fails at commit doesn’t suppress the next announcement: pipelining %s',
  async (pipelining) => {
    const { url } = database;
    const db = openDatabase({
      url,
      poolSize: 2,
      connectTimeoutMs: 30_000,
      statementTimeoutMs: 60_000,
      pipelining,
    });
    const failing = db.tenant(companyId).transaction(async (tx) => {
      tx.write(CompiledQuery.raw('select 1 / $1::int', [0]));
      tx.afterCommit('news');
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    await db.tenant(companyId).transaction(async (tx) => tx.afterCommit('news'));
    await db.close();
    await listener.query('select 1');
    expect(heard).toContain('news');
  },
);

test('a database sends pending notifications before closing', async () => {
  const { url } = database;
  const db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 30_000, statementTimeoutMs: 60_000 });
  await db.tenant(companyId).transaction(async (tx) => tx.afterCommit('events'));
  await db.close();
  await listener.query('select 1');
  expect(heard).toEqual(['events']);
});
