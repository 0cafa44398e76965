/** Internals of pg and kysely that the service uses: the reviewed versions, and whether they still work. */
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { connectionOf, gather, readIn } from '../../../src/platform/connection/library-internals.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(1);
});
afterAll(() => database.drop());

test.each(Object.entries(readIn))('%s is the reviewed version', (name, version) => {
  const installed = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
  expect(installed).toBe(version);
});

class CountingSocket extends Socket {
  writes = 0;

  override _write(...args: Parameters<Socket['_write']>): void {
    this.writes++;
    super._write(...args);
  }

  override _writev(...args: Parameters<NonNullable<Socket['_writev']>>): void {
    this.writes++;
    super._writev!(...args);
  }
}

async function writesOf(count: number, before: (client: pg.Client) => void): Promise<number> {
  const socket = new CountingSocket();
  const client = new pg.Client({ connectionString: database.url, pipeline: true, stream: () => socket });
  await client.connect();
  const writesBefore = socket.writes;
  const queries = Array.from({ length: count }, (_, n) => {
    before(client);
    return client.query('select $1::int as n', [n]);
  });
  const found = await Promise.all(queries);
  const { writes } = socket;
  await client.end();
  expect(found.map(({ rows }) => rows[0].n)).toEqual(Array.from({ length: count }, (_, n) => n));
  return writes - writesBefore;
}

test('corked statements leave in one write, and uncorked ones separately', async () => {
  expect(await writesOf(5, gather)).toBe(1);
  expect(await writesOf(5, () => {})).toBe(5);
});

test('a transaction’s statements run on its connection', async () => {
  await database.db.global.transaction().execute(async (tx) => {
    const [own, lent] = [await connectionOf(tx), await connectionOf(tx)];
    expect(own).toBe(lent);
    const pid = { sql: 'select pg_backend_pid() as pid', parameters: [] } as never;
    const { rows } = await own.executeQuery(pid);
    expect((await sql`select pg_backend_pid() as pid`.execute(tx)).rows).toEqual(rows);
  });
});
