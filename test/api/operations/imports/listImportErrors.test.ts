import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { csv, errorsOf, range, requiredHeaders, runImport } from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
let id: string;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
  const file = csv([requiredHeaders, ...range(40).map((serial) => ['x', `e${serial}`, 'Planner', null])]);
  id = (await runImport(app.admin, { file })).id;
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const path = () => `/v1/imports/${id}/errors`;

describe('succeeds', () => {
  test('lists every error by row and column', async () => {
    const errors = await errorsOf(app.admin, id);
    expect(errors).toHaveLength(40 * 3);
    expect(errors.slice(0, 4)).toEqual([
      {
        row: 2,
        column: 'A',
        field: 'name',
        value: 'x',
        code: 'too_short',
        message: 'Must have at least 2 characters.',
      },
      {
        row: 2,
        column: 'B',
        field: 'email',
        value: 'e0',
        code: 'invalid_format',
        message: 'Must be a valid email address, such as ana@company.example.',
      },
      { row: 2, column: 'D', field: 'department', value: null, code: 'required', message: 'This field is required.' },
      {
        row: 3,
        column: 'A',
        field: 'name',
        value: 'x',
        code: 'too_short',
        message: 'Must have at least 2 characters.',
      },
    ]);
    expect(errors.at(-1)).toMatchObject({ row: 41, column: 'D' });
    expect((await app.admin.get(`/v1/imports/${id}`).expect(200)).body.error_count).toBe(errors.length);
  });

  test('translates for each reader; the report uses the language of the requester', async () => {
    const settings = `/v1/collaborators/${app.admin.collaborator_id}/notifications`;
    await app.admin.put(settings, { locale: 'es' }).expect(200);
    const file = csv([requiredHeaders, ['x', 'a@example.com', 'Planner', 'Operations']]);
    const job = await runImport(app.admin, { file });
    await app.admin.put(settings, { locale: null }).expect(200);
    const second = await app.as('admin', { client_id: undefined });
    const read = async (language: string) => {
      const { body } = await second.get(`/v1/imports/${job.id}/errors`).set('Accept-Language', language).expect(200);
      return body.data.map(({ message }: { message: string }) => message);
    };
    await eventually(async () => expect(await read('pt')).toEqual(['Deve ter no mínimo 2 caracteres.']));
    expect(await read('es')).toEqual(['Debe tener como mínimo 2 caracteres.']);
    expect(await read('de')).toEqual(['Must have at least 2 characters.']);
    const report = await app.anon.get(new URL(job.error_report_url!).pathname).expect(200);
    expect(report.text ?? String(report.body)).toContain('Debe tener como mínimo 2 caracteres.');
    await app.database.query('update import_errors set said = null where import_id = $1', [job.id]);
    expect(await read('pt')).toEqual(['Must have at least 2 characters.']); // stored before translations existed
  });

  test('includes the cell’s value, and salaries for readers with access', async () => {
    const header = [...requiredHeaders, 'hire_date', 'salary'];
    const long = 'n'.repeat(300);
    const file = csv([header, [long, 'a@example.com', 'Planner', 'Operations', 'soon', 'a lot']]);
    const job = await runImport(app.admin, { file });
    const read = async (client = app.admin) => (await client.get(`/v1/imports/${job.id}/errors`).expect(200)).body.data;
    expect((await read()).map(({ value }: { value: string }) => value)).toEqual([long.slice(0, 100), 'soon', 'a lot']);
    const other = await app.as('admin', { scopes: ['imports:write'] });
    const [, date, salary] = await read(other);
    expect(date).toMatchObject({ field: 'hire_date', value: 'soon' });
    expect(salary).toMatchObject({ field: 'salary', restricted_fields: ['value'] });
    expect(salary).not.toHaveProperty('value');
    await app.database.query('update import_errors set value = null where import_id = $1', [job.id]);
    expect((await read())[1].value).toBeNull(); // stored before values were kept
    const unknown = await runImport(app.admin, {
      file: csv([
        [...requiredHeaders, 'Badge'],
        ['Ana', 'a@b.example'],
      ]),
    });
    const [error] = (await app.admin.get(`/v1/imports/${unknown.id}/errors`).expect(200)).body.data;
    expect(error).toMatchObject({ row: 1, column: 'E', value: 'Badge', code: 'field_not_allowed' });
  });

  test('supports pages, also in the middle of a row', async () => {
    const all = await errorsOf(app.admin, id);
    const first = (await app.admin.get(`${path()}?limit=2`).expect(200)).body;
    expect(first.data).toEqual(all.slice(0, 2));
    const next = (await app.admin.get(`${path()}?limit=5&cursor=${first.pagination.nextCursor}`).expect(200)).body;
    expect(next.data).toEqual(all.slice(2, 7));
    expect(next.pagination.hasMore).toBe(true);
  });
});

test('refuses bad input', async () => {
  expect((await app.admin.get(`${path()}?limit=1000`).expect(400)).body.error).toBe('invalid_parameter');
  const { body } = await app.admin.get(`${path()}?limit=1`).expect(200);
  const other = (await runImport(app.admin, { dry_run: true })).id;
  const moved = `/v1/imports/${other}/errors?cursor=${body.pagination.nextCursor}`;
  expect((await app.admin.get(moved).expect(400)).body.error).toBe('invalid_cursor');
});

test('forbidden by role', async () => {
  await app.manager.get(path()).expect(403);
  await app.employee.get(path()).expect(403);
});

test('invisible to another company', async () => {
  await app.outsider.get(path()).expect(404);
});
