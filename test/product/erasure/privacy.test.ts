/** The privacy page lists every column, so adding one means deciding how erasure handles it. */
import { readFile } from 'node:fs/promises';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

const page = new URL('../../../docs/operations/privacy.md', import.meta.url);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('docs/operations/privacy.md lists exactly the columns of each table', async () => {
  const rows = await database.query<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  );
  const text = await readFile(page, 'utf8');
  const listed = [...text.matchAll(/^\| `(\w+)` +\| (`[^|]+`) +\|/gm)].flatMap(([, table, columns]) =>
    columns!.split(' ').map((column) => `${table}.${column.replaceAll('`', '')}`),
  );
  expect(listed.sort()).toEqual(rows.map(({ name }) => name).sort());
});
