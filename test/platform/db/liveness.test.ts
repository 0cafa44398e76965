/** When a process counts as stuck and should be restarted: only if that helps. */

import { CompiledQuery } from 'kysely';
import pg from 'pg';
import { connectionTo } from '../../../src/platform/connection/address.ts';
import { createPipeline } from '../../../src/platform/connection/pipeline.ts';
import { isStuck } from '../../../src/platform/db/liveness.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { gateTo } from '../../helpers/network/gate.ts';

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

test('is stuck if its connections are silent but a new one works, and not if neither works', async () => {
  let heardMs = performance.now();
  const onBytes = () => {
    heardMs = performance.now();
  };
  // As without a timeout that cuts them.
  const config = connectionTo(gate.url, { pipeline: true, socketTimeout: { limitMs: 3_600_000, onBytes } });
  const lane = createPipeline({ config, lanes: 1, lifetimeS: 3_600, prepares: false });
  const runQuery = () => lane.query(CompiledQuery.raw('select 1 as one'));
  const runFreshQuery = async () => {
    const client = new pg.Client(gate.url);
    client.on('error', () => {});
    await client.connect();
    await client.query('select 1');
    await client.end();
  };
  const stuck = (maxQuietMs: number) =>
    isStuck({ lastReceivedMs: () => heardMs, maxQuietMs, queryExisting: runQuery, queryNew: runFreshQuery });

  await runQuery();
  expect(await stuck(0)).toBe(false); // it responds
  gate.silence();
  expect(await stuck(3_600_000)).toBe(false); // not yet
  await eventually(async () => expect(await stuck(1)).toBe(true));
  gate.mute();
  expect(await stuck(1)).toBe(false);
  gate.unmute();
  expect(await stuck(1)).toBe(true);
  lane.cut();
  await eventually(async () => expect(await stuck(1)).toBe(false));
  await lane.close();
});
