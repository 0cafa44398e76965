/** The connections that point reads share: however often they are lost, there is one for each lane, and none is left behind. */
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { createPipeline, type Pipeline, type PipelineOptions } from '../../../src/platform/connection/pipeline.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const applicationName = 'lanes-of-this-test';
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(1);
});
afterAll(() => database.drop());

const openPipeline = (more: Partial<PipelineOptions> = {}): Pipeline =>
  createPipeline({ config: configOf(true), lanes: 1, lifetimeS: 60, keeping: true, ...more });
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

test('a connection that is lost under load is replaced by one, and none outlives the close', async () => {
  const pipeline = openPipeline();
  const ask = () => pipeline.query(CompiledQuery.raw('select $1::int as n', [1])).catch(() => []);
  let busy = true;
  const load = Array.from({ length: 4 }, async () => {
    while (busy) await ask();
  });
  for (let kills = 0; kills < 15; kills++) {
    await eventually(async () => expect((await backends()).length).toBeGreaterThan(0));
    const [{ pid } = { pid: 0 }] = await backends();
    await database.query('select pg_terminate_backend($1::integer)', [pid]);
    await eventually(async () => expect((await backends()).map((each) => each.pid)).not.toContain(pid));
  }
  busy = false;
  await Promise.all(load);
  await ask();
  await eventually(async () => expect(await backends()).toHaveLength(1));
  expect(pipeline.figures().open).toBe(1);
  await pipeline.close();
  await eventually(async () => expect(await backends()).toHaveLength(0));
});

test('a connection that is refused what it begins with is not left open', async () => {
  const onConnect = async () => Promise.reject(new Error('refused'));
  const pipeline = openPipeline({ onConnect });
  for (let tries = 0; tries < 3; tries++)
    await expect(pipeline.query(CompiledQuery.raw('select 1', []))).rejects.toThrow('refused');
  await eventually(async () => expect(await backends()).toHaveLength(0));
  expect(pipeline.figures()).toEqual({ open: 0, under_way: 0 });
  await pipeline.close();
});

test('once closed, it opens nothing more', async () => {
  const pipeline = openPipeline();
  await pipeline.query(CompiledQuery.raw('select 1', []));
  await pipeline.close();
  await expect(pipeline.query(CompiledQuery.raw('select 1', []))).rejects.toThrow('closed');
  expect(await backends()).toHaveLength(0);
});

describe.each([true, false])('with pipelining: %s', (pipelining) => {
  const config = () => configOf(pipelining);

  test('many at once get their own answers, and one that fails is alone', async () => {
    const pipeline = openPipeline({ config: config(), lanes: 2 });
    const ask = (n: number) => pipeline.query<{ n: number }>(CompiledQuery.raw('select 100 / $1::int as n', [n]));
    const found = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => ask(n)));
    expect(found[0]).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    for (const [n, each] of found.entries()) {
      if (n > 0) expect(each).toMatchObject({ status: 'fulfilled', value: [{ n: Math.floor(100 / n) }] });
    }
    await pipeline.close();
  });

  test('what waits when it is cut off is asked again by another connection, unless it is not admitted any more', async () => {
    const pipeline = openPipeline({ config: config() });
    const holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query('select pg_advisory_lock(1)');
    const ask = (admit: () => void) =>
      pipeline.query(CompiledQuery.raw('select pg_advisory_xact_lock_shared(1)'), admit);
    let times = 0;
    let isAdmitted = true;
    const again = ask(() => times++);
    const refused = ask(() => {
      if (!isAdmitted) throw new Error('not admitted');
    });
    await eventually(async () => expect(await backends()).toHaveLength(1));
    const [before] = await backends();
    isAdmitted = false;
    pipeline.cut();
    await expect(refused).rejects.toThrow('not admitted');
    await database.query('select pg_terminate_backend($1::integer)', [before!.pid]); // it waits for its lock still
    await holder.end();
    await expect(again).resolves.toHaveLength(1);
    expect(times).toBeGreaterThan(1);
    await pipeline.close();
  });

  test('a connection that is old makes way for a new one, and nothing that is asked meanwhile fails', async () => {
    const pipeline = openPipeline({ config: config(), lifetimeS: 0.05 });
    const ask = () => pipeline.query<{ pid: number }>(CompiledQuery.raw('select pg_backend_pid() as pid'));
    const pids = new Set<number>();
    while (pids.size < 4) {
      const found = await Promise.all(Array.from({ length: 20 }, ask));
      for (const [row] of found) pids.add(row!.pid);
    }
    await eventually(async () => expect((await backends()).length).toBeLessThanOrEqual(1));
    await pipeline.close();
  });
});
