import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as XLSX from 'xlsx';
import { type SignedIn, signedIn } from '../../helpers/signed-in-cli.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn();
  await addPeople(here, 30);
});
afterAll(() => here.close());

/** Inserts people straight into the database, which is fast. @param department an SQL expression */
async function addPeople(
  { database, company_id: companyId }: SignedIn,
  count: number,
  prefix = 'person',
  department = `'Department ' || n % 3`,
): Promise<void> {
  await database.query(
    `insert into collaborators (company_id, id, name, email, position, department, location)
     select $1, gen_random_uuid(), 'Person ' || n, $3 || n || '@verde.example', 'Grade ' || n % 4,
       ${department}, '=Site ' || n % 2
     from generate_series(1, $2::int) n`,
    [companyId, count, prefix],
  );
  await database.query('analyze collaborators');
}

const path = (file: string) => join(here.folder, file);

test('saves everyone as a workbook under the name from the service', async () => {
  const { code, stdout, stderr } = await here.cli('export');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '100 % Fetching\n' });
  const [, file, bytes] = /^(collaborators-\S+\.xlsx): 31 collaborators, (\d+) bytes\.\n$/.exec(stdout)!;
  const content = await readFile(path(file!));
  expect(content.length).toBe(Number(bytes));
  const { Sheets, SheetNames } = XLSX.read(content);
  expect(XLSX.utils.sheet_to_json(Sheets[SheetNames[0]!]!)).toHaveLength(31);
});

test('filters, sorts, and derives the format from the file name', async () => {
  const args = ['--department', 'department 1', '--location', '=Site 1', '--sort', '-email', '--json'];
  const { code, stdout } = await here.cli('export', '-o', 'some.csv', ...args);
  expect(code).toBe(0);
  const rows: Record<string, string>[] = parse(await readFile(path('some.csv')), { bom: true, columns: true });
  const emails = rows.map(({ Email }) => Email);
  expect(emails).toEqual(
    ['1', '7', '13', '19', '25']
      .map((n) => `person${n}@verde.example`)
      .sort()
      .reverse(),
  );
  expect(rows[0]!.Location).toBe("'=Site 1");
  const output = JSON.parse(stdout);
  expect(output).toMatchObject({
    file: 'some.csv',
    export: { kind: 'list', format: 'csv', row_count: 5, omitted: [] },
  });
});

test('saves chosen fields', async () => {
  const chosen = ['--fields', 'name,email', '--search', 'person7@', '-o', 'few.csv'];
  expect(await here.cli('export', ...chosen)).toMatchObject({ code: 0 });
  const rows = parse(await readFile(path('few.csv')), { bom: true, columns: true }) as object[];
  expect(rows).toEqual([{ Name: 'Person 7', Email: 'person7@verde.example', ID: expect.any(String) }]);
});

test('saves groups as sheets, and a single person as JSON', async () => {
  expect(await here.cli('export', '--group-by', 'position', '-o', 'groups.xlsx')).toMatchObject({ code: 0 });
  const { SheetNames } = XLSX.read(await readFile(path('groups.xlsx')));
  expect(SheetNames).toEqual(expect.arrayContaining(['Grade 0', 'Grade 1', 'Grade 2', 'Grade 3', 'Director']));

  const [person] = await here.database.query<{ id: string }>(
    `select id from collaborators where email = 'person7@verde.example'`,
  );
  expect(await here.cli('export', '--collaborator', person!.id, '-o', 'one.json')).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(path('one.json'), 'utf8'))).toMatchObject({
    collaborator: { id: person!.id, name: 'Person 7', location: '=Site 1' },
    documents: [],
    history: [],
  });
});

test('doesn’t overwrite an existing file unless requested', async () => {
  await writeFile(path('kept.json'), 'kept');
  const refused = await here.cli('export', '-o', 'kept.json');
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: kept\.json already exists/),
  });
  expect(await readFile(path('kept.json'), 'utf8')).toBe('kept');
  expect(await here.cli('export', '-o', 'kept.json', '--force')).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(path('kept.json'), 'utf8'))).toHaveLength(31);
});

test('checks that the file is writable before downloading', async () => {
  const before = await here.database.query('select count(*) from exports');
  const missing = await here.cli('export', '-o', 'none/people.csv');
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing.stderr).toMatch(/^error: none\/people\.csv can't be written: there is no folder none \(in \S+\)\n$/);
  expect(await here.cli('export', '-o', '.')).toMatchObject({ code: 1, stderr: expect.stringMatching(/is a folder/) });
  expect(await here.database.query('select count(*) from exports')).toEqual(before);
});

test('shows the service’s error in one line, and creates no file', async () => {
  const before = await readdir(here.folder);
  const unsorted = await here.cli('export', '--sort', 'salary');
  expect(unsorted).toMatchObject({ code: 1, stdout: '' });
  expect(unsorted.stderr).toMatch(/^error: .*\(invalid_parameter; sort: .+\)\n$/);
  const notFound = await here.cli('export', '--collaborator', 'nonsense');
  expect(notFound).toMatchObject({ code: 1, stderr: 'error: There is no such resource. (not_found)\n' });
  const foreign = await here.cli('export', '--company', '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30');
  expect(foreign).toMatchObject({ code: 1, stderr: expect.stringMatching(/\(company_access_denied\)\n$/) });
  expect(await readdir(here.folder)).toEqual(before);
});

test('a large export is created by the worker, and downloaded when ready', async () => {
  // So many people are inserted much faster without the other indexes.
  const indexes = await here.database.query<{ name: string }>(
    `select indexname as name from pg_indexes where tablename = 'collaborators' and indexname <> 'collaborators_by_name'
     and indexdef not like 'CREATE UNIQUE%'`,
  );
  for (const { name } of indexes) await here.database.query(`drop index ${name}`);
  await addPeople(here, 20_001, 'many', `'Many'`);
  const { code, stdout, stderr } = await here.cli(
    'export',
    '--department',
    'Many',
    '--fields',
    'name',
    '-o',
    'many.csv',
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^many\.csv: 20001 collaborators, /);
  expect(stderr).toMatch(/^(\d+ % (Queued|Writing( \(\d+ of 20001\))?)\n)+(\d+ % Fetching\n)+$/);
  expect((await readFile(path('many.csv'), 'utf8')).split('\r\n')).toHaveLength(20_001 + 2);
});
