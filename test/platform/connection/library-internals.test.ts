/** What is used of pg and kysely beside what they promise: the versions it was read in, and that it does what it is for. */
import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { connectionOf, gather, readIn } from '../../../src/platform/connection/library-internals.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(1);
});
afterAll(() => database.drop());

test.each(Object.entries(readIn))('%s is the version in which its insides were read', (name, version) => {
  const installed = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
  expect(installed).toBe(version);
});

/** Counts what is handed to the system. */
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
  const asked = Array.from({ length: count }, (_, n) => {
    before(client);
    return client.query('select $1::int as n', [n]);
  });
  const found = await Promise.all(asked);
  const { writes } = socket;
  await client.end();
  expect(found.map(({ rows }) => rows[0].n)).toEqual(Array.from({ length: count }, (_, n) => n));
  return writes - writesBefore;
}

test('what is gathered leaves in one write, and without that each statement leaves by itself', async () => {
  expect(await writesOf(5, gather)).toBe(1);
  expect(await writesOf(5, () => {})).toBe(5);
});

test('the connection of a transaction is the one on which its statements run', async () => {
  await database.db.global.transaction().execute(async (tx) => {
    const [own, lent] = [await connectionOf(tx), await connectionOf(tx)];
    expect(own).toBe(lent);
    const pid = { sql: 'select pg_backend_pid() as pid', parameters: [] } as never;
    const { rows } = await own.executeQuery(pid);
    expect((await sql`select pg_backend_pid() as pid`.execute(tx)).rows).toEqual(rows);
  });
});
