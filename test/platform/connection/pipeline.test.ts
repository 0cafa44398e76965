/** The connections that point reads share: however often they are lost, there is one for each lane, and none is left behind. */
import { createPipeline, type Pipeline } from '../../../src/platform/connection/pipeline.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const application_name = 'lanes-of-this-test';
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(1);
});
afterAll(() => database.drop());

const openPipeline = (more: object = {}): Pipeline =>
  createPipeline({
    config: { connectionString: database.url, application_name, pipeline: true },
    lanes: 1,
    observer: undefined,
    ...more,
  });
const backends = () =>
  database.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 order by backend_start desc, pid desc',
    [application_name],
  );

test('a connection that is lost under load is replaced by one, and none outlives the close', async () => {
  const pipeline = openPipeline();
  const ask = () => pipeline.query(undefined, 'select $1::int as n', [1]).catch(() => []);
  let busy = true;
  const load = Array.from({ length: 4 }, async () => {
    while (busy) await ask();
  });
  for (let kills = 0; kills < 15; kills++) {
    await eventually(async () => expect((await backends()).length).toBeGreaterThan(0));
    const [{ pid } = { pid: 0 }] = await backends();
    await database.query('select pg_terminate_backend($1)', [pid]);
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
    await expect(pipeline.query(undefined, 'select 1', [])).rejects.toThrow('refused');
  await eventually(async () => expect(await backends()).toHaveLength(0));
  expect(pipeline.figures()).toEqual({ open: 0, under_way: 0 });
  await pipeline.close();
});

test('once closed, it opens nothing more', async () => {
  const pipeline = openPipeline();
  await pipeline.query(undefined, 'select 1', []);
  await pipeline.close();
  await expect(pipeline.query(undefined, 'select 1', [])).rejects.toThrow('closed');
  expect(await backends()).toHaveLength(0);
});

test.each([true, false])(
  'many at once get their own answers, and one that fails is alone (pipelining: %s)',
  async (pipeline) => {
    const config = { connectionString: database.url, application_name, pipeline };
    const lanes = createPipeline({ config, lanes: 2, observer: undefined });
    const asked = Array.from({ length: 50 }, (_, n) =>
      lanes.query<{ n: number }>(undefined, n === 20 ? 'select 1 / $1::int as n' : 'select $1::int as n', [
        n === 20 ? 0 : n,
      ]),
    );
    const found = await Promise.allSettled(asked);
    for (const [n, each] of found.entries()) {
      expect(each).toMatchObject(n === 20 ? { status: 'rejected' } : { status: 'fulfilled', value: [{ n }] });
    }
    await lanes.close();
  },
);
