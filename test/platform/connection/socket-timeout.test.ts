/** The timeout for silent connections that owe a response, for each kind of connection. */
import { buffer } from 'node:stream/consumers';
import { CompiledQuery } from 'kysely';
import { to as copyTo } from 'pg-copy-streams';
import { openSession } from '../../../src/platform/connection/open.ts';
import { createPipeline } from '../../../src/platform/connection/pipeline.ts';
import { openPool } from '../../../src/platform/connection/pool.ts';
import { SilentConnection } from '../../../src/platform/connection/postgres-client.ts';
import { sessionTo } from '../../../src/platform/connection/session.ts';
import { connectListener } from '../../../src/platform/notify/listen.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { gateTo } from '../../helpers/network/gate.ts';

const limitMs = 1_000;

let database: TestDatabase;
let gate: Awaited<ReturnType<typeof gateTo>>;
beforeAll(async () => {
  database = await testDatabase();
  gate = await gateTo(database.url);
});
afterAll(async () => {
  await gate.close();
  await database.drop();
});

const backendsOf = async (applicationName: string) =>
  (await database.query('select pid from pg_stat_activity where application_name = $1', [applicationName])).length;

describe.each(['answers', 'requests'] as const)('silence of %s', (direction) => {
  test('fails a pool’s statement as an outage, and the next one gets another connection', async () => {
    const cut: SilentConnection[] = [];
    const socketTimeout = { limitMs, onCut: (error: SilentConnection) => void cut.push(error) };
    const pool = openPool(sessionTo(gate.url, { max: 1, socketTimeout }), () => {});
    await pool.query('select 1');
    gate.silence(direction);
    await expect(pool.query('select 1')).rejects.toMatchObject({ name: 'SilentConnection', code: 'ETIMEDOUT' });
    expect(cut).toHaveLength(1);
    await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
    await pool.end();
  });

  test('ends a statement that the server is no longer running, but not one that it runs', async () => {
    const work = 'select pg_advisory_lock(7)';
    const holder = await openSession(database.url, {});
    await holder.query(work);
    const more = { socketTimeout: { limitMs, isUnlimited: true } };
    const patient = await openSession(gate.url, { application_name: 'patient', ...more });
    const locked = patient.query(work);
    const lost = await openSession(gate.url, { application_name: 'lost', ...more });
    await lost.query('select 1');
    gate.silence(direction);
    await expect(lost.query('select 2')).rejects.toBeInstanceOf(SilentConnection);
    // The other one has been silent for longer, but runs: it ends once it has its lock.
    const outcome = locked.then(
      () => 'answered',
      (error) => error.name,
    );
    expect(await Promise.race([outcome, lost.end().then(() => 'waiting')])).toBe('waiting');
    await holder.end();
    expect(await outcome).toBe(direction === 'requests' ? 'answered' : 'SilentConnection');
    await patient.end();
  });
});

test.each([true, false])('retries point reads, with pipelining: %s', async (pipeline) => {
  const config = sessionTo(gate.url, { pipeline, socketTimeout: { limitMs } });
  const lane = createPipeline({ config, lanes: 1, lifetimeS: 60, prepares: false });
  const runQuery = (n: number) => lane.query<{ n: number }>(CompiledQuery.raw('select $1::int as n', [n]));
  await runQuery(0);
  gate.silence('answers');
  expect(await Promise.all([1, 2, 3].map(runQuery))).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  await lane.close();
});

test('ends a COPY', async () => {
  const session = await openSession(gate.url, { socketTimeout: { limitMs, isUnlimited: true } });
  const rows = session.query(copyTo('copy (select repeat($$x$$, 1000) from generate_series(1, 50000)) to stdout'));
  await new Promise((started) => rows.once('readable', started));
  gate.silence('answers');
  await expect(buffer(rows)).rejects.toBeInstanceOf(SilentConnection);
});

test('a slow reader of a COPY isn’t disconnected', async () => {
  const session = await openSession(gate.url, { socketTimeout: { limitMs, isUnlimited: true } });
  const rows = session.query(copyTo('copy (select repeat($$x$$, 1000) from generate_series(1, 20000)) to stdout'));
  const cut = new Promise((resolve) => session.once('error', resolve));
  await new Promise((started) => rows.once('readable', started));
  // Longer than the timeout: a control connection that goes silent now is cut in the meantime.
  const control = await openSession(gate.url, { socketTimeout: { limitMs } });
  const controlled = control.query('select pg_sleep(3600)');
  await expect(controlled).rejects.toBeInstanceOf(SilentConnection);
  expect(await Promise.race([cut, buffer(rows)])).toHaveLength(20_000 * 1_001);
  await session.end();
});

test('idle connections are probed; silent ones end, and those in a transaction are skipped', async () => {
  const silentWay = await gateTo(database.url);
  const heard: string[] = [];
  const listener = await connectListener(silentWay.url, (payload) => heard.push(payload));
  await listener.query('listen silence');
  const ended = new Promise((resolve) => listener.once('end', () => resolve('ended')));
  const session = await openSession(gate.url, { application_name: 'idle' });
  const pool = openPool(
    sessionTo(gate.url, { max: 1, application_name: 'held', socketTimeout: { limitMs } }),
    () => {},
  );
  const client = await pool.connect();
  await client.query('begin');
  silentWay.silence();
  await database.query("notify silence, 'unheard'");
  const latest = (name: string) =>
    database.query<{ query: string }>('select state, query from pg_stat_activity where application_name = $1', [name]);
  await eventually(async () => expect((await latest('idle'))[0]!.query).toBe('select 1')); // the heartbeat
  expect(await latest('held')).toEqual([{ state: 'idle in transaction', query: 'begin' }]);
  expect(await ended).toBe('ended');
  expect(heard).toEqual([]);
  expect(await latest('idle')).toHaveLength(1); // it has responded
  client.release();
  await pool.end();
  await session.end();
  await silentWay.close();
});

test('neither disconnecting nor connecting waits for a silent server', async () => {
  const session = await openSession(gate.url, { application_name: 'goodbye' });
  gate.silence();
  await session.end();
  gate.mute();
  await expect(openSession(gate.url, { connectionTimeoutMillis: limitMs })).rejects.toThrow('accepted no connection');
  gate.unmute();
  await eventually(async () => expect(await backendsOf('goodbye')).toBe(0));
});
