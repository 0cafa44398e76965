/** The connections that point reads share: one for each lane however often they are lost, and none leaks. */
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { createPipeline, type Pipeline, type PipelineOptions } from '../../../src/platform/connection/pipeline.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const applicationName = 'lanes-of-this-test';
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(1);
});
afterAll(() => database.drop());

const openPipeline = (more: Partial<PipelineOptions> = {}): Pipeline =>
  createPipeline({ config: configOf(true), lanes: 1, lifetimeS: 60, prepares: true, ...more });
const configOf = (pipeline: boolean) => ({
  connectionString: database.url,
  application_name: applicationName,
  pipeline,
});
const backends = () =>
  database.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 order by backend_start desc, pid desc',
    [applicationName],
  );

test('a connection lost under load is replaced once, and none survives closing', async () => {
  const pipeline = openPipeline();
  const runQuery = () => pipeline.query(CompiledQuery.raw('select $1::int as n', [1])).catch(() => []);
  let busy = true;
  const load = Array.from({ length: 4 }, async () => {
    while (busy) await runQuery();
  });
  for (let kills = 0; kills < 15; kills++) {
    await eventually(async () => expect((await backends()).length).toBeGreaterThan(0));
    const [{ pid } = { pid: 0 }] = await backends();
    await database.query('select pg_terminate_backend($1::integer)', [pid]);
    await eventually(async () => expect((await backends()).map((each) => each.pid)).not.toContain(pid));
  }
  busy = false;
  await Promise.all(load);
  await runQuery();
  await eventually(async () => expect(await backends()).toHaveLength(1));
  expect(pipeline.figures().open).toBe(1);
  await pipeline.close();
  await eventually(async () => expect(await backends()).toHaveLength(0));
});

test('closes a connection whose setup fails', async () => {
  const onConnect = async () => Promise.reject(new Error('refused'));
  const pipeline = openPipeline({ onConnect });
  for (let tries = 0; tries < 3; tries++)
    await expect(pipeline.query(CompiledQuery.raw('select 1', []))).rejects.toThrow('refused');
  await eventually(async () => expect(await backends()).toHaveLength(0));
  expect(pipeline.figures()).toEqual({ open: 0, under_way: 0 });
  await pipeline.close();
});

test('opens nothing after closing', async () => {
  const pipeline = openPipeline();
  await pipeline.query(CompiledQuery.raw('select 1', []));
  await pipeline.close();
  await expect(pipeline.query(CompiledQuery.raw('select 1', []))).rejects.toThrow('closed');
  expect(await backends()).toHaveLength(0);
});

describe.each([true, false])('with pipelining: %s', (pipelining) => {
  const config = () => configOf(pipelining);

  test('concurrent queries get their own results, and a failing one fails alone', async () => {
    const pipeline = openPipeline({ config: config(), lanes: 2 });
    const runQuery = (n: number) => pipeline.query<{ n: number }>(CompiledQuery.raw('select 100 / $1::int as n', [n]));
    const found = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => runQuery(n)));
    expect(found[0]).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    for (const [n, each] of found.entries()) {
      if (n > 0) expect(each).toMatchObject({ status: 'fulfilled', value: [{ n: Math.floor(100 / n) }] });
    }
    await pipeline.close();
  });

  test('queries pending at a disconnect are retried on another connection, unless their company is no longer admitted', async () => {
    const pipeline = openPipeline({ config: config() });
    const holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query('select pg_advisory_lock(1)');
    const runQuery = (admit: () => void) =>
      pipeline.query(CompiledQuery.raw('select pg_advisory_xact_lock_shared(1)'), admit);
    let times = 0;
    let isAdmitted = true;
    const retried = runQuery(() => times++);
    const refused = runQuery(() => {
      if (!isAdmitted) throw new Error('not admitted');
    });
    await eventually(async () => expect(await backends()).toHaveLength(1));
    const [before] = await backends();
    isAdmitted = false;
    pipeline.cut();
    await expect(refused).rejects.toThrow('not admitted');
    await database.query('select pg_terminate_backend($1::integer)', [before!.pid]); // still waits for its lock
    await holder.end();
    await expect(retried).resolves.toHaveLength(1);
    expect(times).toBeGreaterThan(1);
    await pipeline.close();
  });

  test('an old connection is replaced without failing queries', async () => {
    const pipeline = openPipeline({ config: config(), lifetimeS: 0.05 });
    const runQuery = () => pipeline.query<{ pid: number }>(CompiledQuery.raw('select pg_backend_pid() as pid'));
    const pids = new Set<number>();
    while (pids.size < 4) {
      const found = await Promise.all(Array.from({ length: 20 }, runQuery));
      for (const [row] of found) pids.add(row!.pid);
    }
    await eventually(async () => expect((await backends()).length).toBeLessThanOrEqual(1));
    await pipeline.close();
  });
});
