import * as XLSX from 'xlsx';
import { createStorage } from '../../../../src/platform/files/context.ts';
import { sweepFiles } from '../../../../src/platform/files/sweep.ts';
import { SheetReader } from '../../../../src/platform/sheets/reader.ts';
import { exampleEmail } from '../../../../src/product/collaborators/fields/sheet-columns.ts';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { fetchFile, objects } from '../../../helpers/resources/documents.ts';
import { errorsOf, runImport, waitForImport } from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';
import { strictParts } from '../../../platform/sheets/strict.ts';
import { readAll } from '../../../platform/sheets/workbooks.ts';

const path = '/v1/collaborators/import-template';
const reader = new SheetReader(1);

interface Column {
  key: string;
  header: string;
  required: boolean;
  rule: string;
  example: string | null;
}

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await reader.close();
  await worker.stop();
  await app.close();
});

/** The choices of a column’s dropdown, in order. */
function offered(bytes: Buffer, header: string): string[] {
  const { Sheets } = XLSX.read(bytes);
  const [headers = []] = XLSX.utils.sheet_to_json<string[]>(Sheets.Collaborators!, { header: 1 });
  const letter = XLSX.utils.encode_col(headers.indexOf(header));
  const rule = new RegExp(`sqref="${letter}2:${letter}\\d+"><formula1>Lists!\\$(\\w+)\\$2:\\$\\1\\$(\\d+)</formula1>`);
  const [, list, last] = rule.exec(strictParts(bytes).get('xl/worksheets/sheet1.xml')!) ?? [];
  if (!list) return [];
  const cells = XLSX.utils.sheet_to_json<string[]>(Sheets.Lists!, { header: 1, range: `${list}2:${list}${last}` });
  return cells.map(([value]) => value!);
}

describe('succeeds', () => {
  test('returns a workbook and describes its columns', async () => {
    const { body } = await app.admin.get(path).expect(200);
    const { status, type, bytes } = await fetchFile(body.url);
    expect([status, type]).toEqual([200, body.content_type]);
    expect(body).toMatchObject({ filename: 'collaborators-template.xlsx', version: '1' });
    const columns: Column[] = body.columns;
    expect(columns.find(({ key }) => key === 'salary')).toEqual({
      key: 'salary',
      header: 'Salary',
      required: false,
      rule: 'Annual salary, a number with at most two decimals.',
      example: '68400',
    });

    const book = XLSX.read(bytes, { cellDates: true, UTC: true });
    expect(book.SheetNames).toEqual(['Collaborators', 'Instructions', 'Lists']);
    expect(book.Workbook?.Sheets?.map(({ Hidden }) => Hidden)).toEqual([0, 0, 1]);
    expect(book.Custprops).toEqual({ template_version: '1' });
    const [header, example, ...more] = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets.Collaborators!, { header: 1 });
    expect(header).toEqual(columns.map(({ header, required }) => (required ? `${header} *` : header)));
    const values = [exampleEmail, '+55 11 91234-5678', new Date('2026-03-02'), 68_400];
    expect(example).toEqual(expect.arrayContaining(values));
    expect(more).toEqual([]);
    const explained = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets.Instructions!, { header: 1 });
    for (const { header, rule, required, example } of columns) {
      const [, hint, isRequired, displayed = null] = explained.find(([name]) => name === header)!;
      expect([hint, isRequired]).toEqual([rule, required ? 'yes' : 'no']);
      expect(displayed === null ? null : String(displayed)).toBe(example);
    }
  });

  test('offers the company’s values, most frequent first, in the most frequent spelling', async () => {
    const add = (department: string, location: string | null, count: number) => {
      return app.database.query(
        `insert into collaborators (company_id, id, name, email, position, department, location)
         select $1, gen_random_uuid(), 'Some Body', gen_random_uuid() || '@example.com', 'Dock Hand', $2, $3
         from generate_series(1, $4::int)`,
        [app.company_id, department, location, count],
      );
    };
    await add('Warehouse', 'Porto', 30);
    await add('warehouse', '=HYPERLINK("http://evil.example")', 3);
    await add('R&D, "Lab" <2>', null, 20);
    const { body } = await app.admin.get(path).expect(200);
    const { bytes } = await fetchFile(body.url);
    expect(offered(bytes, 'Department *')).toEqual(['Warehouse', 'R&D, "Lab" <2>', 'Operations']);
    expect(offered(bytes, 'Position *')).toEqual(['Dock Hand', 'Planner']);
    expect(offered(bytes, 'Location')).toEqual(['Porto', `'=HYPERLINK("http://evil.example")`]);
  });

  test('limits the choices, however large the company', async () => {
    await app.database.query(
      `insert into collaborators (company_id, id, name, email, position, department)
       select $1, gen_random_uuid(), 'Some Body', 'person' || n || '@example.com', 'Number ' || n, 'Many'
       from generate_series(1, 1000) n`,
      [app.outsider.company_id],
    );
    const { body } = await app.outsider.get(path).expect(200);
    const { bytes } = await fetchFile(body.url);
    expect(offered(bytes, 'Position *')).toHaveLength(200);
    expect(offered(bytes, 'Department *')[0]).toBe('Many');
  });

  test('offers the company’s managers with their names, those with the largest teams first', async () => {
    const [busy, named] = await addManagers();
    const { bytes } = await fetchFile((await app.admin.get(path).expect(200)).body.url);
    const emails = offered(bytes, 'Manager email');
    expect(emails[0]).toBe(busy);
    expect(emails).toContain(named);
    expect(new Set(emails).size).toBe(emails.length);
    const { Sheets } = XLSX.read(bytes);
    const lists = XLSX.utils.sheet_to_json<string[]>(Sheets.Lists!, { header: 1 });
    const at = lists[0]!.indexOf('Manager email');
    expect(lists.find((row) => row[at] === busy)![at + 1]).toBe('Busy Manager');
    const others = await fetchFile((await app.outsider.get(path).expect(200)).body.url);
    expect(offered(others.bytes, 'Manager email')).not.toContain(busy);
  });

  describe('can be filled in and imported', () => {
    /** Two people, where the manager comes after the report. */
    function pair(handle: string): Record<string, unknown>[] {
      const person = (name: string, more: Record<string, unknown>) => ({
        name: 'Íris Conceição',
        email: `${name}.${handle}@example.com`,
        position: 'Planner',
        department: 'Operations',
        salary: 1234.5,
        hire_date: new Date('2024-02-29'),
        manager_email: `head.${handle}@example.com`,
        employee_number: `00-${name}-${handle}`,
        ...more,
      });
      return [person('ana', {}), person('head', { manager_email: null })];
    }

    async function expectPeople(people: Record<string, unknown>[], file: Buffer, filename: string): Promise<void> {
      const job = await runImport(app.admin, { file, filename, dry_run: true });
      expect(await errorsOf(app.admin, job.id)).toEqual([]);
      expect(job).toMatchObject({ status: 'completed', counts: { created: 2, failed: 0 } });
      await app.admin.post(`/v1/imports/${job.id}/commit`).expect(202);
      expect(await waitForImport(app.admin, job.id)).toMatchObject({ status: 'completed', counts: { created: 2 } });
      const [ana, head] = people;
      const list = `/v1/collaborators?expand=manager&email=${encodeURIComponent(String(ana!.email))}`;
      const { body } = await app.admin.get(list).expect(200);
      expect(body.data).toEqual([
        expect.objectContaining({
          ...{ name: ana!.name, hire_date: '2024-02-29', salary: 1234.5, employee_number: ana!.employee_number },
          manager: expect.objectContaining({ email: head!.email }),
        }),
      ]);
    }

    test('as a workbook, unchanged, including the example', async () => {
      const { body } = await app.admin.get(`${path}?language=pt`).expect(200);
      expect(body.language).toBe('pt');
      const { bytes } = await fetchFile(body.url);
      strictParts(bytes);
      const book = XLSX.read(bytes, { cellStyles: true });
      expect(book.SheetNames[0]).toBe('Colaboradores');
      const columns: Column[] = body.columns;
      expect(columns.find(({ key }) => key === 'email')!.header).toBe('E-mail');
      expect(columns.find(({ key }) => key === 'hire_date')!.rule).toMatch(/^Uma data/);
      const [, example] = (await readAll(reader, bytes)).rows;
      const examples = columns.map(({ example }) => example);
      expect(example!.cells.map((cell) => cell && String(cell))).toEqual(examples.slice(0, example!.cells.length));
      const people = pair('book');
      const rows = people.map((each) => columns.map(({ key }) => each[key] ?? null));
      XLSX.utils.sheet_add_aoa(book.Sheets.Colaboradores!, rows, { origin: 'A3', UTC: true } as XLSX.SheetAOAOpts);
      await expectPeople(people, XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }), 'people.xlsx');
    });

    test('as a CSV file, with an editor', async () => {
      const { body } = await app.admin.get(`${path}?language=es&format=csv`).expect(200);
      const { bytes } = await fetchFile(body.url);
      const columns: Column[] = body.columns;
      const text = (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? ''));
      const people = pair('csv');
      const rows = people.map((each) => columns.map(({ key }) => text(each[key])).join(';'));
      expect(bytes.toString().split('\r\n')[1]!.split(';')).toContain(exampleEmail);
      await expectPeople(people, Buffer.concat([bytes, Buffer.from(rows.join('\r\n'))]), 'people.csv');
    });
  });

  test.each([
    ['pt-PT,en;q=0.5', '', 'pt'],
    ['de, es-MX;q=0.8', '', 'es'],
    ['de', '', 'en'],
    ['pt', '?language=en', 'en'],
  ])('follows Accept-Language %s unless the parameter overrides it: %s', async (accepted, query, language) => {
    const { body } = await app.admin.get(`${path}${query}`).set('accept-language', accepted).expect(200);
    expect(body.language).toBe(language);
  });

  test('its sheet is recognized in every language and at any position', async () => {
    const { body } = await app.admin.get(`${path}?language=es`).expect(200);
    const { bytes } = await fetchFile(body.url);
    const book = XLSX.read(bytes);
    const person = { name: 'Ana', email: 'moved@example.com', position: 'Planner', department: 'Operations' };
    const columns: Column[] = body.columns;
    const row = columns.map(({ key }) => (person as Record<string, string>)[key] ?? null);
    XLSX.utils.sheet_add_aoa(book.Sheets.Colaboradores!, [row], { origin: 'A3' });
    book.SheetNames.reverse();
    book.Workbook!.Sheets!.reverse();
    const file = XLSX.write(book, { type: 'buffer', bookType: 'ods' });
    const job = await runImport(app.admin, { file, filename: 'people.ods', dry_run: true });
    expect(job).toMatchObject({ status: 'completed', counts: { created: 1, failed: 0 } });
  });

  test('has no salaries for a token that can’t write them', async () => {
    const client = await app.as('admin', { scopes: ['imports:write'] });
    const { body } = await client.get(path).expect(200);
    expect(body.columns.map(({ key }: Column) => key)).not.toContain('salary');
    const { rows } = await readAll(reader, (await fetchFile(body.url)).bytes);
    expect(rows[0]!.cells).not.toContain('Salary');
  });

  test('the file is deleted after its link expires', async () => {
    await app.admin.get(path).expect(200);
    const templateCount = async () => (await objects(app)).filter((key) => key.includes('/templates/')).length;
    const storage = createStorage(app.config);
    await sweepFiles(app.database.db, storage);
    expect(await templateCount()).toBeGreaterThan(0); // recent
    await sweepFiles(app.database.db, storage, { olderThanS: 0 });
    expect(await templateCount()).toBe(0);
  });
});

/** A manager by thirty reports, and one by role only. */
async function addManagers(): Promise<[busy: string, named: string]> {
  const add = (name: string, email: string, manager: string | null, role: string) =>
    app.database.query(
      `insert into collaborators (company_id, id, name, email, position, department, role, manager_id)
       select $1::uuid, gen_random_uuid(), $2, $3, 'Lead', 'Operations', $5,
         (select id from collaborators where company_id = $1 and email = $4)`,
      [app.company_id, name, email, manager, role],
    );
  await add('Busy Manager', 'busy@example.com', null, 'employee');
  for (let number = 1; number <= 30; number++)
    await add('Some Report', `report${number}@example.com`, 'busy@example.com', 'employee');
  await add('New Manager', 'new@example.com', null, 'manager');
  return ['busy@example.com', 'new@example.com'];
}

describe('refuses bad input', () => {
  test('rejects an unknown language', async () => {
    const { body } = await app.admin.get(`${path}?language=de`).expect(400);
    expect(body).toMatchObject({ error: 'invalid_parameter', details: { language: [{ code: 'not_in_enum' }] } });
  });

  test('rejects an unknown format', async () => {
    const { body } = await app.admin.get(`${path}?format=ods`).expect(400);
    expect(body).toMatchObject({ error: 'invalid_parameter', details: { format: [{ code: 'not_in_enum' }] } });
  });
});

describe('forbidden by role', () => {
  test.each(['manager', 'employee'] as const)('rejects the role %s', async (identity) => {
    const { body } = await app[identity].get(path).expect(403);
    expect(body).toMatchObject({ error: 'forbidden', details: { required_role: 'admin' } });
  });

  test('rejects a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:write'] });
    expect((await client.get(path).expect(403)).body.error).toBe('insufficient_scope');
  });
});

describe('invisible to another company', () => {
  test('doesn’t offer values of another company', async () => {
    const person = { name: 'Some Body', email: 'depot@example.com', position: 'x', department: 'Depot' };
    await app.admin.post('/v1/collaborators', person).expect(201);
    const departments = async (client: TestClient) =>
      offered((await fetchFile((await client.get(path).expect(200)).body.url)).bytes, 'Department *');
    expect(await departments(app.admin)).toContain('Depot');
    expect(await departments(app.outsider)).not.toContain('Depot');
  });
});
