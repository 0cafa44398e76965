import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as XLSX from 'xlsx';
import { type SignedIn, signedIn } from '../../helpers/signed-in-cli.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn();
});
afterAll(() => here.close());

const header = ['Name', 'Email', 'Position', 'Department'];
const person = (handle: string) => [`Person ${handle}`, `${handle}@verde.example`, 'Driver', 'Fleet'];

/** Writes a file with these rows into the working folder. */
async function file(name: string, rows: unknown[][], { folder }: Pick<SignedIn, 'folder'> = here): Promise<string> {
  return save(XLSX.utils.book_new(XLSX.utils.aoa_to_sheet(rows), 'People'), name, { folder });
}

async function save(book: XLSX.WorkBook, name: string, { folder }: Pick<SignedIn, 'folder'> = here): Promise<string> {
  await writeFile(
    join(folder, name),
    XLSX.write(book, { type: 'buffer', bookType: name.endsWith('csv') ? 'csv' : 'xlsx' }),
  );
  return name;
}

async function found(...handle: string[]): Promise<string[]> {
  const emails = handle.map((one) => `${one}@verde.example`);
  const rows = await here.database.query<{ email: string }>(
    'select email from collaborators where email = any($1) order by email',
    [emails],
  );
  return rows.map(({ email }) => email.split('@')[0]!);
}

test('imports people and reports the count', async () => {
  const name = await file('new.csv', [header, person('ana'), person('bento'), person('clara')]);
  const { code, stdout, stderr } = await here.cli('import', name);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'new.csv: 3 created.\n' });
  expect(stderr).toMatch(/^(\d+ % (Queued|Checking|Writing)( \(\d+ of 3\))?\n)+$/);
  expect(await found('ana', 'bento', 'clara')).toEqual(['ana', 'bento', 'clara']);
});

test('can be undone after a preview of the people to delete and to keep', async () => {
  const name = await file('wrong.csv', [header, person('olga'), person('otto')]);
  const { stdout: sent } = await here.cli('import', name, '--json');
  const { id } = JSON.parse(sent).import;
  await here.database.query(
    `insert into collaborator_history (company_id, id, collaborator_id, action, description)
     select company_id, gen_random_uuid(), id, 'updated', 'Changed' from collaborators where email = 'otto@verde.example'`,
  );
  const preview = await here.cli('import', '--undo', id, '--dry-run');
  expect(preview).toMatchObject({ code: 0, stdout: expect.stringContaining('It would delete 1 person.\n') });
  expect(preview.stdout).toMatch(/Person otto +changed since the import/);
  expect(await found('olga', 'otto')).toEqual(['olga', 'otto']);
  const { code, stdout } = await here.cli('import', '--undo', id);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('1 person deleted. They can be restored for 30 days.'),
  });
  const rows = await here.database.query(
    "select 1 from collaborators where email like 'olga@%' and deleted_at is null",
  );
  expect(rows).toEqual([]);
  expect(await here.cli('import', name, '--undo', id)).toMatchObject({ code: 2 });
});

describe('a dry run', () => {
  let id: string;

  test('writes nothing, prints every error with its position, and says how to continue', async () => {
    const rows = [
      header,
      person('dora'),
      person('not an address'),
      ['Emil', 'emil@verde.example'],
      person('ANA'),
      person('fina'),
    ];
    const { code, stdout, stderr } = await here.cli('import', await file('some.xlsx', rows), '--dry-run');
    expect(code).toBe(1);
    expect(stderr).toMatch(/\nerror: errors in the file: 4\n$/);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('some.xlsx was checked, and nothing was written. Expected result: 2 created, 3 failed.');
    expect(lines[2]).toMatch(/^ROW {2}COLUMN {2}FIELD +ERROR$/);
    expect(lines.slice(3, 7).map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ['3', 'B', 'email'],
      ['4', 'C', 'position'],
      ['4', 'D', 'department'],
      ['5', 'B', 'email'],
    ]);
    expect(lines[3]).toContain('Must be a valid email address, such as ana@company.example.');
    id = /To import it: npm run cli -- import --commit (\S+)$/.exec(stdout.trim())![1]!;
    expect(await found('dora', 'emil', 'fina')).toEqual([]);
  });

  test('can be committed by id', async () => {
    const { code, stdout, stderr } = await here.cli('import', '--commit', id);
    expect(stdout.split('\n')[0]).toBe('some.xlsx: 2 created, 3 failed.');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/errors in the file: 4\n$/) });
    expect(await found('dora', 'emil', 'fina')).toEqual(['dora', 'fina']);
    const repeated = await here.cli('import', '--commit', id);
    expect(repeated).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^error: .*\(conflict\)\n$/) });
  });
});

test('saves the file with errors, which can be corrected and imported', async () => {
  const name = await file('mend.xlsx', [header, person('gil'), ['Hugo', 'hugo@', 'Driver', 'Fleet'], person('ines')]);
  const { code, stderr } = await here.cli('import', name, '--error-report', 'report.xlsx');
  expect(code).toBe(1);
  expect(stderr).toContain('Your file with the errors: report.xlsx\n');
  const book = XLSX.read(await readFile(join(here.folder, 'report.xlsx')));
  const sheet = book.Sheets[book.SheetNames[0]!]!;
  const [headers, ...rows] = XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1 });
  expect(headers).toEqual([...header, 'Errors']);
  expect(rows).toEqual([['Hugo', 'hugo@', 'Driver', 'Fleet', expect.stringContaining('valid email address')]]);

  sheet.B2.v = 'hugo@verde.example';
  await save(book, 'fixed.xlsx');
  expect(await here.cli('import', 'fixed.xlsx')).toMatchObject({ code: 0, stdout: 'fixed.xlsx: 1 created.\n' });
  expect(await found('gil', 'hugo', 'ines')).toEqual(['gil', 'hugo', 'ines']);
  const refused = await here.cli('import', name, '--error-report', 'report.xlsx');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: report\.xlsx already exists/) });
});

test('updates existing people from a named sheet with mapped columns', async () => {
  const rows = [
    ['Full name', 'Mail', 'Start', 'Badge number', 'Place'],
    ['Mariana D.', 'MARIANA@verde.example', '2026-03-02', 17, null],
  ];
  const book = XLSX.utils.book_new(XLSX.utils.aoa_to_sheet([['x']]), 'Notes');
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), 'Staff');
  await save(book, 'staff.xlsx');
  const columns = ['Mail=email', 'Start=hire_date', 'Badge number=', 'Place=location'].flatMap((map) => ['--map', map]);
  const args = ['--mode', 'upsert', '--sheet', 'Staff', ...columns];
  const { code, stdout } = await here.cli('import', 'staff.xlsx', ...args);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'staff.xlsx: 1 updated.\n' });
  const [mariana] = await here.database.query(
    `select name, hire_date::text from collaborators where lower(email) = 'mariana@verde.example'`,
  );
  expect(mariana).toEqual({ name: 'Mariana D.', hire_date: '2026-03-02' });
});

test('imports all rows or none', async () => {
  const name = await file('abort.csv', [header, person('joana'), ['K', 'kai@verde.example', 'Driver', 'Fleet']]);
  const { code, stdout, stderr } = await here.cli('import', name, '--on-error', 'abort');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^abort\.csv was not imported\. .*\n\nROW .*\n3 {4}A {7}name {3}Must have at least 2 characters\.\n$/,
  );
  expect(stderr).toMatch(/\nerror: .*\n$/);
  expect(await found('joana')).toEqual([]);
});

test('prints the first of many errors, and all of them as JSON', async () => {
  const rows = Array.from({ length: 450 }, (_, n) => [`Person ${n}`, `person${n}`, 'Driver', 'Fleet']);
  const name = await file('many.csv', [header, ...rows]);
  const { code, stdout } = await here.cli('import', name, '--dry-run');
  expect(code).toBe(1);
  expect(stdout.match(/Must be a valid email address/g)).toHaveLength(200);
  expect(stdout).toMatch(/\n… and 250 more\n$/);
  const asJson = JSON.parse((await here.cli('import', name, '--dry-run', '--json')).stdout);
  expect(asJson.import).toMatchObject({ filename: 'many.csv', dry_run: true, error_count: 450 });
  expect(asJson.errors.map(({ row }: { row: number }) => row)).toEqual(rows.map((_, n) => n + 2));
});

test('reports an unreadable file in one line', async () => {
  await mkdir(join(here.folder, 'people'));
  const folder = await here.cli('import', 'people');
  expect(folder).toMatchObject({ code: 1, stdout: '', stderr: 'error: people is a folder: pass a file\n' });
  const none = await here.cli('import', 'none.xlsx');
  expect(none).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: none\.xlsx does not exist/),
  });
  await writeFile(
    join(here.folder, 'broken.xlsx'),
    (await readFile(join(here.folder, await file('whole.xlsx', [header])))).subarray(0, 3_000),
  );
  const broken = await here.cli('import', 'broken.xlsx');
  expect(broken).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^error: .*\(import_unreadable\)\n$/),
  });
  await writeFile(join(here.folder, 'large.csv'), Buffer.alloc(24 * 1024 * 1024, 'a'));
  const large = await here.cli('import', 'large.csv');
  expect(large).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'error: large.csv has more than 20971520 bytes: split it\n',
  });
});

test('prints a header error once, with the option that fixes it', async () => {
  const nicknames = await file('nicknames.csv', [
    [...header, 'Nickname'],
    [...person('lia'), 'L'],
  ]);
  const { code, stdout, stderr } = await here.cli('import', nicknames);
  expect({ code, stdout: stdout.split('\n') }).toEqual({
    code: 1,
    stdout: [
      'nicknames.csv was not imported:',
      '',
      expect.stringMatching(/^ROW {2}COLUMN {2}FIELD {2}ERROR$/),
      expect.stringMatching(/^1 {4}E {14}“Nickname” is not a field\..*--map/),
      '',
    ],
  });
  expect(stderr).toMatch(/\nerror: nothing was imported\n$/);
  const title = await here.cli(
    'import',
    await file('title.csv', [['Our people'], [], header, person('lia')]),
    '--dry-run',
  );
  expect({ code: title.code, lines: title.stdout.split('\n').slice(2, 4) }).toEqual({
    code: 0,
    lines: ['COLUMN  WARNING', expect.stringContaining('headers are in row 3')],
  });
});
