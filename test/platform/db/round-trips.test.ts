/** How often a transaction waits for Postgres. */
import { type AddressInfo, connect, createServer } from 'node:net';
import { CompiledQuery } from 'kysely';
import type { TenantTransaction } from '../../../src/platform/db/tenant.ts';
import { newId } from '../../../src/platform/values/ids.ts';
import { openTestDatabase, type TestDatabase, testDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(1);
});
afterAll(() => database.drop());

/** How long an answer is on its way: far more than the parts of one question lie apart. */
const answer_ms = 30;

/**
 * A long way to Postgres that counts how often it was asked: what is sent before the answer to it comes is one question.
 * @param text counts on the connection that sends it: others look whether all machines are there
 */
async function countingWay(url: string, text: string) {
  const there = new URL(url);
  let counted = { asked: 0 };
  const server = createServer((near) => {
    const counts = { asked: 0 };
    let is_asking = false;
    const far = connect(Number(there.port), there.hostname);
    near.on('data', (chunk) => {
      if (chunk.includes(text)) counted = counts;
      if (!is_asking) counts.asked++;
      is_asking = true;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      setTimeout(() => {
        is_asking = false;
        near.write(chunk);
      }, answer_ms);
    });
    for (const socket of [near, far])
      socket.on('error', () => {}).on('close', () => [near, far].map((each) => each.destroy()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const through = Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` });
  return { url: through.href, asked: () => counted.asked, close: () => new Promise((closed) => server.close(closed)) };
}

test.each([
  [true, 1, 2],
  [false, 5, 6],
])('pipelining %s: a transaction of three writes waits %i times, with a read among them %i', async (...row) => {
  const [pipelining, without, with_a_read] = row;
  const update = 'update users set name = name where 1 = $1::int';
  const way = await countingWay(database.url, update);
  const one = openTestDatabase(way.url, 1, async () => {}, { pipelining });
  const company = one.db.tenant(newId());
  const write = CompiledQuery.raw(update, [0]);
  const waits = async (work: (tx: TenantTransaction) => Promise<unknown>) => {
    const before = way.asked();
    await company.transaction(work);
    return way.asked() - before;
  };
  await waits(async (tx) => tx.write(write)); // connects
  const found_without = await waits(async (tx) => {
    for (let n = 0; n < 3; n++) tx.write(write);
  });
  expect(found_without).toBe(without);
  const found = waits(async (tx) => {
    tx.write(write);
    tx.write(write);
    expect((await tx.raw.executeQuery(CompiledQuery.raw('select 1 as one'))).rows).toEqual([{ one: 1 }]);
    tx.write(write);
  });
  expect(await found).toBe(with_a_read);
  await one.drop();
  await way.close();
});
