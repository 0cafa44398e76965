/** Rate limits: exact within a process, shared between processes, and never blocking if the database is down. */

import pg from 'pg';
import { createRateLimiter, type RateLimiterOptions, tooManyRequests } from '../../../src/api/rate-limit/rate-limit.ts';
import { openWindow } from '../../../src/api/rate-limit/window.ts';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { type Clock, databaseClock } from '../../../src/platform/db/database-clock.ts';
import type { Logger } from '../../../src/platform/observe/log.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const limits = { default: 20, writes: 8, uploads: 4, heavy: 2, directory: 6 };
const company = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
const web = { client_id: 'web', user_id: 'ada' };
const otherCompany = '0199a3c4-5213-7b8e-b1d4-6c0f3a9e7d52';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

let nowMs: number;
const clock: Clock = { now_ms: () => nowMs, measure: () => () => {} };
beforeEach(async () => {
  await database.query('truncate rate_limit_windows');
  nowMs = Math.ceil(Date.now() / 60_000) * 60_000;
});

const limiter = (options: Partial<RateLimiterOptions> = {}) =>
  createRateLimiter({ db: database.db, limits, intervalMs: 0, clock, ...options });

/** The number of allowed requests out of `times`. */
async function passed(
  subject: ReturnType<typeof limiter>,
  times: number,
  {
    client = 'web',
    user = 'ada',
    kind = 'read' as 'read' | 'write',
    extra = undefined as 'upload' | 'heavy' | undefined,
  } = {},
): Promise<number> {
  let count = 0;
  for (let i = 0; i < times; i++)
    if ((await subject.take(company, { client_id: client, user_id: user }, kind, extra)).allowed) count++;
  return count;
}

const sums = async () => {
  const rows = await database.query<{ key: string; points: number }>('select key, points from rate_limit_windows');
  return Object.fromEntries(rows.map(({ key, points }) => [key, points]));
};

function recorder() {
  const lines: string[] = [];
  const record = (_: object | string, line?: string) => void lines.push(line ?? String(_));
  return { lines, log: { warn: record, info: record } as unknown as Logger };
}

describe('one process', () => {
  test('limits beyond 32 bits are shared too', async () => {
    const { lines, log } = recorder();
    const subject = limiter({ log, limits: { ...limits, default: 1_000_000_000 } });
    await passed(subject, 2);
    await subject.sync();
    expect(lines).toEqual([]);
    expect(Object.values(await sums())).toEqual([2, 2]);
  });

  test('headers count down, then 429 says when to retry', async () => {
    const subject = limiter();
    expect(subject.policy_header).toEqual({ 'RateLimit-Policy': '"default";q=20;w=60' });
    nowMs += 15_500;
    const first = await subject.take(company, web, 'read');
    expect(first).toEqual({
      allowed: true,
      headers: { 'RateLimit-Policy': '"default";q=20;w=60', RateLimit: '"default";r=19;t=45' },
      retry_after_s: 45,
    });
    expect(await passed(subject, 18)).toBe(18);
    expect((await subject.take(company, web, 'read')).headers.RateLimit).toBe('"default";r=0;t=45');

    const refused = await subject.take(company, web, 'read');
    expect(refused.allowed).toBe(false);
    expect(refused.headers.RateLimit).toBe('"default";r=0;t=45');
    const problem = tooManyRequests(refused);
    expect(problem.status).toBe(429);
    expect(problem.body()).toEqual({ error: 'rate_limited', message: 'Too many requests. Try again in 45 seconds.' });
    expect(problem.headers).toEqual({ 'Retry-After': '45' });
  });

  test.each([
    ['a write', 'write', undefined, 8, '"writes";q=8;w=60'],
    ['an upload', 'write', 'upload', 4, '"uploads";q=4;w=60'],
    ['an import', 'write', 'heavy', 2, '"heavy";q=2;w=60'],
    ['an export', 'read', 'heavy', 2, '"heavy";q=2;w=60'],
  ] as const)(
    '%s is subject to the narrowest limit, which every response names',
    async (_, kind, extra, limit, policy) => {
      const subject = limiter();
      const [, name] = policy.split('"');
      const headersOf = async () => (await subject.take(company, web, kind, extra)).headers;
      const left = (count: number) => ({ 'RateLimit-Policy': policy, RateLimit: `"${name}";r=${count};t=60` });
      expect(await headersOf()).toEqual(left(limit - 1));
      expect(await passed(subject, 30, { kind, extra })).toBe(limit - 1);
      expect(await headersOf()).toEqual(left(0));
    },
  );

  test('headers show the limit that the next such request reaches first', async () => {
    const subject = limiter({ clientFactor: 1 });
    const left = async (user: string, kind: 'read' | 'write') =>
      (await subject.take(company, { client_id: 'web', user_id: user }, kind)).headers.RateLimit;
    expect(await passed(subject, 15)).toBe(15);
    expect(await left('ada', 'write')).toBe('"default";r=4;t=60');
    expect(await left('ada', 'read')).toBe('"default";r=3;t=60');
    expect(await left('ben', 'read')).toBe('"client";r=2;t=60');
  });

  test('a rejected request consumes nothing', async () => {
    const subject = limiter();
    expect(await passed(subject, 50, { kind: 'write', extra: 'heavy' })).toBe(2);
    expect(await passed(subject, 50, { kind: 'write' })).toBe(6);
    expect(await passed(subject, 50)).toBe(12);
    expect(await passed(subject, 50, { kind: 'write' })).toBe(0);
    await subject.sync();
    const user = `${company} web ada`;
    const client = `${company} web`;
    expect(await sums()).toEqual({
      ...{ [`default ${user}`]: 20, [`writes ${user}`]: 8, [`heavy ${user}`]: 2 },
      ...{ [`client ${client}`]: 20, [`client_writes ${client}`]: 8, [`client_heavy ${client}`]: 2 },
    });
  });

  test('is exact for concurrent requests', async () => {
    const subject = limiter();
    const atOnce = (kind: 'read' | 'write') => subject.take(company, web, kind);
    const writes = await Promise.all(Array.from({ length: 50 }, () => atOnce('write')));
    expect(writes.filter(({ allowed }) => allowed)).toHaveLength(8);
    const all = await Promise.all(Array.from({ length: 50 }, (_, i) => atOnce(i % 2 ? 'write' : 'read')));
    expect(all.filter(({ allowed }) => allowed)).toHaveLength(12);
  });

  test('every client of every company has a separate limit', async () => {
    const subject = limiter();
    expect(await passed(subject, 30)).toBe(20);
    expect(await passed(subject, 30, { client: 'mobile' })).toBe(20);
    expect((await subject.take(otherCompany, web, 'read')).headers.RateLimit).toBe('"default";r=19;t=60');
  });

  test('every user of a client has a separate limit, and all share another', async () => {
    const subject = limiter({ clientFactor: 2 });
    expect(await passed(subject, 30, { user: 'ada' })).toBe(20);
    expect(await passed(subject, 30, { user: 'ben' })).toBe(20);
    const refused = await subject.take(company, { client_id: 'web', user_id: 'cleo' }, 'read');
    expect(refused).toMatchObject({
      allowed: false,
      headers: { 'RateLimit-Policy': '"client";q=40;w=60', RateLimit: '"client";r=0;t=60' },
    });
    expect(subject.refused).toMatchObject({ default: 20, client: 1 });
    expect(await passed(subject, 5, { user: 'cleo', client: 'mobile' })).toBe(5);
    // Requests rejected by the client limit don't count for its users.
    await subject.sync();
    expect(await sums()).not.toHaveProperty([`default ${company} web cleo`]);
  });

  test('the other limits are shared by all users too', async () => {
    const subject = limiter({ clientFactor: 1 });
    expect(await passed(subject, 30, { user: 'ada', kind: 'write', extra: 'upload' })).toBe(4);
    expect(await passed(subject, 30, { user: 'ben', kind: 'write', extra: 'upload' })).toBe(0);
    expect(await passed(subject, 30, { user: 'ben', kind: 'write' })).toBe(4);
    expect(subject.refused).toMatchObject({ client_uploads: 30, client_writes: 26 });
  });

  test('resets every minute', async () => {
    const subject = limiter();
    expect(await passed(subject, 30)).toBe(20);
    nowMs += 59_999;
    expect((await subject.take(company, web, 'read')).retry_after_s).toBe(1);
    nowMs += 1;
    expect((await subject.take(company, web, 'read')).headers.RateLimit).toBe('"default";r=19;t=60');
  });

  test('a small step back of the clock doesn’t reopen the previous minute, and a large one is followed', async () => {
    const subject = limiter();
    await subject.take(company, web, 'read');
    nowMs -= 500;
    expect((await subject.take(company, web, 'read')).headers.RateLimit).toBe('"default";r=18;t=60');
    nowMs -= 3_600_000;
    expect((await subject.take(company, web, 'read')).headers.RateLimit).toBe('"default";r=19;t=1');
  });

  test('keeps a limited number of keys', async () => {
    const subject = limiter({ maxKeys: 10 });
    for (let i = 0; i < 4; i++) expect(await passed(subject, 30, { client: `client-${i}` })).toBe(20);
    await subject.sync();
    for (let i = 0; i < 100; i++) await subject.take(company, { client_id: `crowd-${i}`, user_id: 'ada' }, 'write');
    expect(await passed(subject, 5, { client: 'client-0' })).toBe(5); // evicted …
    await subject.sync();
    expect(await passed(subject, 5, { client: 'client-0' })).toBe(0); // … until the next sync

    const window = openWindow(1, limits as never, 10);
    await window.applyTotals(Array.from({ length: 100 }, (_, i) => [`default ${i}`, 1]));
    expect(window.size).toBe(5);
  });
});

describe('several processes', () => {
  test('see each other’s counts, also for a client they never met', async () => {
    const [one, two] = [limiter(), limiter()];
    expect(await passed(one, 12)).toBe(12);
    await one.sync();
    await two.sync();
    expect((await two.take(company, web, 'read')).headers.RateLimit).toBe('"default";r=7;t=60');
    expect(await passed(two, 30)).toBe(7);
    await two.sync();
    await one.sync();
    expect(await passed(one, 5)).toBe(0);
    expect(await sums()).toEqual({ [`default ${company} web ada`]: 20, [`client ${company} web`]: 20 });
  });

  test('read keys that are near their limit, and those they count themselves', async () => {
    const [one, two] = [limiter(), limiter()];
    expect(await passed(one, 5, { user: 'far' })).toBe(5);
    expect(await passed(one, 10, { user: 'near' })).toBe(10);
    await one.sync();
    await two.sync();
    const remaining = async (userId: string) =>
      (await two.take(company, { client_id: 'web', user_id: userId }, 'read')).headers.RateLimit;
    expect(await remaining('near')).toBe('"default";r=9;t=60');
    expect(await remaining('far')).toBe('"default";r=19;t=60');
    await two.sync();
    expect(await remaining('far')).toBe('"default";r=13;t=60');
    // Keys that all processes read are few, whatever else is counted.
    await passed(one, 1, { user: 'third' });
    await one.sync();
    const nearWindows = await database.query<{ key: string }>('select key from rate_limit_windows where is_near');
    expect(nearWindows).toEqual([{ key: `default ${company} web near` }]);
  });

  test('add new counts instead of replacing them', async () => {
    const [one, two] = [limiter(), limiter()];
    await Promise.all([passed(one, 6), passed(two, 7)]);
    const merging = one.sync();
    await passed(one, 1);
    await merging;
    await two.sync();
    await one.sync();
    expect((await one.take(company, web, 'read')).headers.RateLimit).toBe('"default";r=5;t=60');
    await passed(two, 2);
    await Promise.all([one.sync(), two.sync(), one.sync()]);
    await Promise.all([one.sync(), two.sync()]);
    for (const each of [one, two]) {
      expect((await each.take(company, web, 'write')).headers.RateLimit).toBe('"default";r=2;t=60');
    }
  });

  test('concurrent syncs lose nothing and don’t block each other', async () => {
    const all = Array.from({ length: 5 }, () => limiter({ limits: { ...limits, default: 10_000 } }));
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        all.map(async (each, process) => {
          for (let i = 0; i < 20; i++)
            await each.take(company, { client_id: `client-${(i * (process + 1)) % 20}`, user_id: 'ada' }, 'read');
          await each.sync();
        }),
      );
    }
    const total = Object.values(await sums()).reduce((sum, points) => sum + points, 0);
    expect(total).toBe(2 * 5 * 10 * 20); // for users and for clients
  });

  test('reset together, and delete expired windows', async () => {
    const [one, two] = [limiter(), limiter()];
    await database.query("insert into rate_limit_windows values (1, 'default old', 7, now())");
    expect(await passed(one, 30)).toBe(20);
    await one.sync();
    expect(Object.keys(await sums()).sort()).toEqual([`client ${company} web`, `default ${company} web ada`]);
    nowMs += 60_000;
    await Promise.all([one.sync(), two.sync()]);
    for (const each of [one, two]) expect(await passed(each, 1)).toBe(1);
  });

  test('a process that starts midway reads the current counts', async () => {
    const one = limiter();
    await passed(one, 15);
    await one.close(); // writes its last counts
    const two = limiter();
    await two.sync();
    expect(await passed(two, 30)).toBe(5);
  });

  test('sync on their own', async () => {
    // The second one's limit is higher, so that it doesn't reach it by itself while the test waits.
    const two = limiter({ intervalMs: 50, limits: { ...limits, default: 10_000 } });
    const one = limiter({ intervalMs: 50 });
    expect(await passed(one, 20)).toBe(20);
    let own = 0;
    await eventually(async () => {
      own += 1;
      const { headers } = await two.take(company, web, 'read');
      expect(headers.RateLimit).toBe(`"default";r=${10_000 - 20 - own};t=60`);
    });
    await Promise.all([one.close(), two.close()]);
  });

  test('with different clocks count in the database’s minute', async () => {
    const fast = limiter({ clock: databaseClock(() => Date.now() + 150_000) });
    const slow = limiter({ clock: databaseClock(() => Date.now() - 150_000) });
    await Promise.all([fast.sync(), slow.sync()]);
    await passed(fast, 3);
    await passed(slow, 4);
    await Promise.all([fast.sync(), slow.sync()]);
    const rows = await database.query<{ minutes_ago: number; points: number }>(
      'select floor(extract(epoch from clock_timestamp()) / 60)::integer - minute as minutes_ago, points ' +
        'from rate_limit_windows',
    );
    expect(rows.reduce((sum, { points }) => sum + points, 0)).toBe(2 * 7);
    for (const { minutes_ago: minutesAgo } of rows) expect([0, 1]).toContain(minutesAgo); // 1 if the minute ended in between
  });
});

describe('the clock', () => {
  test('is the database’s, measured at the middle of the round trip', () => {
    let localMs = 1_000_000;
    const subject = databaseClock(() => localMs);
    expect(subject.now_ms()).toBe(1_000_000);
    const report = subject.measure();
    localMs += 200;
    report(1_005_100);
    expect(subject.now_ms()).toBe(1_005_200);
    const late = subject.measure();
    localMs += 1_001;
    late(0);
    expect(subject.now_ms()).toBe(1_006_201);
  });
});

describe('without the database', () => {
  test('each process limits alone, logs it once, and syncs everything afterwards', async () => {
    const { lines, log } = recorder();
    const { db } = database;
    const unreachable = openDatabase({
      url: 'postgres://nobody@127.0.0.1:1/none',
      poolSize: 1,
      connectTimeoutMs: 1_000,
      statementTimeoutMs: 1_000,
    });
    let reachable = false;
    const flaky = {
      ...db,
      get global() {
        return (reachable ? db : unreachable).global;
      },
    };
    const subject = limiter({ db: flaky, log });
    expect(await passed(subject, 12)).toBe(12);
    for (let i = 0; i < 3; i++) await subject.sync();
    expect(lines).toEqual(['rate limits are not shared between processes']);
    expect(await passed(subject, 12)).toBe(8);

    reachable = true;
    const other = limiter();
    await passed(other, 2);
    await other.sync();
    await subject.sync();
    expect(lines).toEqual([lines[0], 'rate limits are shared between processes again']);
    expect(await sums()).toEqual({ [`default ${company} web ada`]: 22, [`client ${company} web`]: 22 });
    expect(await passed(subject, 5)).toBe(0);

    reachable = false;
    await subject.sync();
    await subject.close();
    expect(lines).toHaveLength(3);
    await unreachable.close();
  });

  test('a slow table delays no request: processes use their own limit and sync later', async () => {
    const own = await testDatabase();
    const holder = new pg.Client(own.url);
    await holder.connect();
    const [one, two] = [limiter({ db: own.db }), limiter({ db: own.db })];
    try {
      await Promise.all([one.sync(), two.sync()]);
      await holder.query('begin; lock table rate_limit_windows in access exclusive mode');
      await passed(one, 5);
      const merges = [one.sync(), two.sync(), one.sync()];
      expect([await passed(one, 30), await passed(two, 30)]).toEqual([15, 20]); // at most the limit for each process
      await holder.query('rollback');
      await Promise.all(merges);
      await Promise.all([one.sync(), two.sync()]);
      const rows = await own.query<{ points: number }>(
        "select points from rate_limit_windows where key like 'default%'",
      );
      expect(rows).toEqual([{ points: 40 }]);
      const third = limiter({ db: own.db });
      await third.sync();
      expect(await passed(third, 5)).toBe(0);
    } finally {
      await holder.end();
      await own.drop();
    }
  });

  test('recovers if the connection breaks during a sync', async () => {
    const own = await testDatabase();
    const subject = limiter({ db: own.db });
    await subject.sync();
    await passed(subject, 5);
    await own.query('alter table rate_limit_windows rename to gone');
    await subject.sync();
    await passed(subject, 5);
    await own.query('alter table gone rename to rate_limit_windows');
    await own.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%rate_limit%' and pid <> pg_backend_pid()",
    );
    await eventually(async () => {
      await subject.sync();
      expect(await own.query('select points from rate_limit_windows')).toEqual([{ points: 10 }, { points: 10 }]);
    });
    await own.drop();
  });
});
