/** Columns of kept statements are described once on each connection, and answers are what they are without that. */
import { Socket } from 'node:net';
import pg from 'pg';
import { type Keeping, sendStatement } from '../../../src/platform/connection/kept-statement.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
let client: pg.Client;
const socket = new Socket();
/** What Postgres has sent. */
let received = '';

beforeAll(async () => {
  database = await testDatabase(1);
  client = new pg.Client({ connectionString: database.url, pipeline: true, stream: () => socket });
  await client.connect();
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const send = (sql: string, parameters: unknown[], name: string, keeping: Keeping = 'statements and columns') =>
  new Promise<pg.QueryResult>((resolve, reject) => {
    const done = (error: Error | null | undefined, result: pg.QueryResult) => (error ? reject(error) : resolve(result));
    sendStatement(client, { sql, parameters, name } as never, keeping, done);
  });

const row = `select $1::int as number, 'text' as word, null::date as never, true as "truth", '{1,2}'::int[] as many,
  '{"a": 1}'::jsonb as json`;

/** How often Postgres described a column of this name. */
async function described(column: string, work: () => Promise<unknown>): Promise<number> {
  received = '';
  await work();
  return received.split(column).length - 1;
}

test('what is described once is not described again, and all answers are those of a statement that is', async () => {
  const answers: pg.QueryResult[] = [];
  const three = async () => {
    for (const n of [1, 2, 3]) answers.push(await send(row, [n], 'once'));
  };
  expect(await described('truth', three)).toBe(1);
  const each_time = [1, 2, 3].map((n) => send(row, [n], 'each time', 'statements'));
  const expected = (await Promise.all(each_time)).map(({ rows, rowCount }) => ({ rows, rowCount }));
  expect(answers.map(({ rows, rowCount }) => ({ rows, rowCount }))).toEqual(expected);
  expect(expected[2]!.rows).toEqual([
    { number: 3, word: 'text', never: null, truth: true, many: [1, 2], json: { a: 1 } },
  ]);
  expect(answers[2]!.fields.map(({ name }) => name)).toEqual(['number', 'word', 'never', 'truth', 'many', 'json']);
});

test('what is sent before the first answer has come is described as well', async () => {
  const both = () => Promise.all([send(row, [1], 'at once'), send(row, [2], 'at once')]);
  expect(await described('truth', both)).toBe(2);
  expect((await both()).map(({ rows }) => rows[0].number)).toEqual([1, 2]);
});

test('no row, many rows, and statements that answer with no columns', async () => {
  await client.query('create temporary table kept (n int)');
  for (const n of [1, 2, 3]) {
    const added = await send('insert into kept values ($1)', [n], 'adds');
    expect([added.command, added.rowCount, added.rows]).toEqual(['INSERT', 1, []]);
  }
  for (const least of [4, 2, 1, 4]) {
    const found = await send('select n from kept where n >= $1 order by n', [least], 'finds');
    expect(found.rows.map(({ n }) => n)).toEqual([1, 2, 3].filter((n) => n >= least));
  }
});

test('one that fails is described again, and the next one is answered', async () => {
  const divide = 'select 6 / $1::int as quotient';
  await expect(send(divide, [0], 'divides')).rejects.toThrow('division by zero');
  expect(await described('quotient', async () => send(divide, [2], 'divides'))).toBe(1);
  await expect(send(divide, [0], 'divides')).rejects.toThrow('division by zero');
  await expect(send(divide, ['two'], 'divides')).rejects.toThrow('invalid input syntax');
  expect((await send(divide, [3], 'divides')).rows).toEqual([{ quotient: 2 }]);
});

test('when a column has got another type, Postgres refuses what was described', async () => {
  await client.query('create temporary table changing (n int); insert into changing values (1)');
  const read = () => send('select n from changing', [], 'changing');
  expect((await read()).rows).toEqual([{ n: 1 }]);
  expect((await read()).rows).toEqual([{ n: 1 }]);
  await client.query('alter table changing alter n type text');
  await expect(read()).rejects.toThrow('cached plan must not change result type');
  expect((await send('select n from changing', [], 'changing anew')).rows).toEqual([{ n: '1' }]);
});

test('another connection asks for itself', async () => {
  await send(row, [1], 'of each');
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  const answer = new Promise<pg.QueryResult>((resolve, reject) => {
    const done = (error: Error | null | undefined, result: pg.QueryResult) => (error ? reject(error) : resolve(result));
    sendStatement(other, { sql: row, parameters: [2], name: 'of each' } as never, 'statements and columns', done);
  });
  expect((await answer).rows[0].number).toBe(2);
  await other.end();
});
