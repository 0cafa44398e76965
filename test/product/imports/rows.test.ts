/** Interpretation of rows: headers, values, existing people, managers, and every error. */
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  type ImportParts,
  requiredHeaders,
  runImport,
  summarizeErrors,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { workbook } from '../../platform/sheets/workbooks.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await expectConsistent(app);
  await worker.stop();
  await app.close();
});

type Line = (string | number | null)[];

const find = async (email: string) => {
  const { body } = await app.admin.get(`/v1/collaborators?search=${encodeURIComponent(email)}`).expect(200);
  return body.data.find((person: { email: string }) => person.email.toLowerCase() === email.toLowerCase());
};

/** @returns the errors of a dry run in short */
async function errors(lines: Line[], parts: ImportParts = {}, client: TestClient = app.admin): Promise<string[]> {
  const job = await runImport(client, { file: csv(lines), dry_run: true, ...parts });
  return summarizeErrors(await errorsOf(client, job.id));
}

const person = (name: string, ...more: Line): Line => [
  name,
  `${name.toLowerCase()}@example.com`,
  'Planner',
  'Fleet',
  ...more,
];

describe('columns', () => {
  test('are recognized by key, label, alias, or mapping, in any order, and read-only ones are ignored', async () => {
    const file = csv([
      ['Department', 'START', 'e-mail', 'Full name *', 'status', 'Job title', 'Badge', 'Errors'],
      ['Fleet', '2026-03-02', 'kara@example.com', 'Kara', 'active', 'Planner', '17', 'x'],
    ]);
    const mapping = { start: 'hire_date', 'E-Mail': 'email', Badge: null };
    const job = await runImport(app.admin, { file, mapping });
    expect(job).toMatchObject({ status: 'completed', counts: { created: 1 } });
    const rest = { guessed: false, date_order: null, suggested_field: null };
    expect(job.columns).toEqual([
      { column: 'A', header: 'Department', field: 'department', samples: ['Fleet'], ...rest },
      { column: 'B', header: 'START', field: 'hire_date', samples: ['2026-03-02'], ...rest },
      { column: 'C', header: 'e-mail', field: 'email', samples: ['kara@example.com'], ...rest },
      { column: 'D', header: 'Full name *', field: 'name', samples: ['Kara'], ...rest },
      { column: 'E', header: 'status', field: 'status', samples: ['active'], ...rest },
      { column: 'F', header: 'Job title', field: 'position', samples: ['Planner'], ...rest },
      { column: 'G', header: 'Badge', field: null, samples: ['17'], ...rest },
      { column: 'H', header: 'Errors', field: null, samples: ['x'], ...rest },
    ]);
    expect(await find('kara@example.com')).toMatchObject({ name: 'Kara', hire_date: '2026-03-02', status: 'pending' });
  });

  test('report all their errors at once, before any row is read', async () => {
    const file = csv([
      ['name', 'Name', 'Shoe size', 'salary', null],
      ['A', 'B', 42, 1, 'headless'],
    ]);
    const mapping = { Starting: 'hire_date' };
    const client = await app.as('admin', { scopes: ['imports:write'] });
    const job = await runImport(client, { file, mapping });
    expect(job).toMatchObject({ status: 'failed', failure: { reason: 'unreadable' }, error_report_url: null });
    expect(job.progress).toEqual({ rows_total: null, rows_done: 0, percent: 100 });
    expect(summarizeErrors(await errorsOf(client, job.id))).toEqual([
      'B1 name duplicate',
      'C1 - field_not_allowed',
      'D1 salary field_not_allowed',
      'E1 - required',
      '-1 email required',
      '-1 position required',
      '-1 department required',
      '-1 - not_found',
    ]);
  });

  test('except for the email are optional for existing people', async () => {
    const lines = [
      ['email', 'phone'],
      ['rui.almeida@example.com', '+1 555'],
      ['new@example.com', '+1 555'],
    ];
    const found = await errors(lines, { mode: 'upsert' });
    expect(found).toEqual(['-3 name required', '-3 position required', '-3 department required']);
  });

  test('with salaries need a scope', async () => {
    const client = await app.as('admin', { scopes: ['imports:write'] });
    const job = await runImport(client, { file: csv([[...requiredHeaders, 'salary'], person('Nosalary', 1)]) });
    expect(job.failure).toEqual({ reason: 'insufficient_scope', message: expect.stringContaining('salary:write') });
  });
});

describe('values', () => {
  test('of all fields are stored as in the file', async () => {
    const header = [...requiredHeaders, 'phone', 'hire_date', 'salary', 'manager_email', 'work_schedule', 'location'];
    const contact = ['emergency_contact.name', 'Emergency contact phone', 'emergency_contact.relationship'];
    const line = person('Zara', '0049 30 1', '2026-03-02', '68400.50', 'RUI.almeida@example.com', ' a b\n', "'=1+1");
    const file = csv([
      [...header, ...contact],
      [...line, 'Ann', '007', 'Aunt'],
    ]);
    expect(await runImport(app.admin, { file })).toMatchObject({ status: 'completed' });
    expect(await find('zara@example.com')).toMatchObject({
      phone: '0049 30 1',
      hire_date: '2026-03-02',
      salary: 68_400.5,
      manager_id: app.manager.collaborator_id,
      work_schedule: 'a b',
      location: '=1+1',
      emergency_contact: { name: 'Ann', phone: '007', relationship: 'Aunt' },
      role: 'employee',
    });
  });

  test('reject a last day before the first, for new and existing people', async () => {
    const email = 'dated@example.com';
    const datedPerson = { name: 'Dated', email, position: 'x', department: 'y', hire_date: '2026-03-02' };
    await app.admin.post('/v1/collaborators', datedPerson).expect(201);
    const header = [...requiredHeaders, 'hire_date', 'termination_date'];
    const rows = [
      person('Early', '2026-03-02', '2026-03-01'),
      person('Wrong', '30/02/2026', '2026-03-01'),
      ['Dated', email, 'x', 'y', null, '2026-03-01'],
    ];
    expect(await errors([header, ...rows], { mode: 'upsert' })).toEqual([
      'F2 termination_date out_of_range',
      'E3 hire_date invalid_format',
      'F4 termination_date out_of_range',
    ]);
  });

  test('with forbidden characters are reported, and kept out of the database', async () => {
    const file = csv([
      ['name', 'email', 'position', 'department', 'Odd\0 one'],
      ['N\0ul', 'nul@example.com', 'x', 'y', 'z'],
    ]);
    const unknown = await runImport(app.admin, { file });
    expect(await errorsOf(app.admin, unknown.id)).toEqual([
      expect.objectContaining({ column: 'E', message: expect.stringMatching(/^“Odd one” is not a field/) }),
    ]);
    const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const header = [...requiredHeaders, 'manager_email'].map((value, at) => text(`${'ABCDE'[at]}1`, value)).join('');
    const row = ['N_x0000_ul', 'n_x0000_ul@example.com', 'x_xD800_', 'y', 'z_x0000_@example.com'];
    const cells = row.map((value, at) => text(`${'ABCDE'[at]}2`, value)).join('');
    const job = await runImport(app.admin, {
      file: await workbook(`<row r="1">${header}</row><row r="2">${cells}</row>`),
      filename: 'a.xlsx',
    });
    expect(job).toMatchObject({ status: 'completed_with_errors', counts: { failed: 1 } });
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual([
      'A2 name invalid_format',
      'B2 email invalid_format',
      'C2 position invalid_format',
      'E2 manager_email not_found',
    ]);
  });
});

describe('existing people', () => {
  const add = async (email: string, more: object = {}) =>
    (await app.admin.post('/v1/collaborators', { name: 'Some One', email, position: 'x', department: 'y', ...more }))
      .body;

  test('are errors in create mode, as are ids of others, or used twice in a file', async () => {
    await add('numbered@example.com', { external_id: 'hr-9', employee_number: '0009' });
    const header = [...requiredHeaders, 'External ID', 'employee number'];
    const lines = [
      header,
      person('Ten', ' hr-10', '0010'),
      person('Eleven', 'hr-10 ', '0011'),
      person('Twelve', null, '0010'),
      person('Nine', 'hr-9', '0009'),
      ['Rui', 'RUI.almeida@EXAMPLE.com', 'x', 'y', null, null],
    ];
    expect(await errors(lines)).toEqual([
      'E3 external_id duplicate',
      'F4 employee_number duplicate',
      'E5 external_id taken',
      'F5 employee_number taken',
      'B6 email taken',
    ]);
    const job = await runImport(app.admin, { file: csv(lines.slice(0, 2)) });
    expect(job.counts).toMatchObject({ created: 1 });
    expect(await find('ten@example.com')).toMatchObject({ external_id: 'hr-10', employee_number: '0010' });
  });

  test('are updated where they differ, and missing people are added', async () => {
    const one = await add('one@example.com', { phone: '+1 1', salary: 10, location: 'Here' });
    await add('two@example.com', { phone: '+1 2' });
    const file = csv([
      ['email', 'phone', 'salary', 'name', 'position', 'department'],
      ['ONE@example.com', '+1 100', 10, null, null, null],
      ['two@example.com', '+1 2', null, null, null, null],
      ['three@example.com', null, null, 'Three', 'x', 'y'],
    ]);
    const job = await runImport(app.admin, { file, mode: 'upsert' });
    expect(job.counts).toEqual({ created: 1, updated: 1, unchanged: 1, skipped: 0, failed: 0 });
    const after = (await app.admin.get(`/v1/collaborators/${one.id}`).expect(200)).body;
    expect(after).toEqual({ ...one, email: 'ONE@example.com', phone: '+1 100', updated_at: after.updated_at });
    const { body } = await app.admin.get(`/v1/collaborators/${one.id}/history`).expect(200);
    expect(body.data[0]).toMatchObject({ action: 'updated', user_id: app.admin.user_id });
    const reimported = await runImport(app.admin, { file, mode: 'upsert' });
    expect(reimported.counts).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    const audit = await app.admin.get('/v1/audit').query({ changed_field: 'phone', action: 'import.completed' });
    expect(audit.body.data.map(({ target }: { target: { id: string } }) => target.id)).toEqual([job.id]);
  });

  test('keep values for empty cells, or lose them on request', async () => {
    const { id } = await add('clear@example.com', {
      phone: '+1 1',
      emergency_contact: { name: 'Ann', phone: '123' },
      manager_id: app.manager.collaborator_id,
    });
    const header = ['email', 'phone', 'name', 'manager_email', 'emergency_contact.name', 'emergency_contact.phone'];
    const file = csv([header, ['clear@example.com', null, 'Some One', null, null, null]]);
    expect((await runImport(app.admin, { file, mode: 'upsert' })).counts).toMatchObject({ unchanged: 1 });
    const job = await runImport(app.admin, { file, mode: 'upsert', empty_cells: 'clear' });
    expect(job.counts).toMatchObject({ updated: 1 });
    expect((await app.admin.get(`/v1/collaborators/${id}`)).body).toMatchObject({
      phone: null,
      manager_id: null,
      emergency_contact: null,
    });
    const names = csv([
      ['email', 'name'],
      ['clear@example.com', null],
    ]);
    const refused = await runImport(app.admin, { file: names, mode: 'upsert', empty_cells: 'clear' });
    expect(summarizeErrors(await errorsOf(app.admin, refused.id))).toEqual(['B2 name not_clearable']);
  });

  test('twice by the same email: the first row counts', async () => {
    const lines = [requiredHeaders, person('Twin'), ['Twin again', 'TWIN@example.com', 'x', 'y']];
    const job = await runImport(app.admin, { file: csv(lines), mode: 'upsert' });
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['B3 email duplicate']);
    expect([job.status, job.counts.created, job.counts.failed]).toEqual(['completed_with_errors', 1, 1]);
    expect((await find('twin@example.com')).name).toBe('Twin');
  });

  test('of another company don’t exist', async () => {
    const header = [...requiredHeaders, 'manager_email'];
    expect(await errors([header, person('Jonas', 'jonas.petersen@example.com')])).toEqual([
      'E2 manager_email not_found',
    ]);
    const job = await runImport(app.admin, {
      file: csv([requiredHeaders, ['J', 'jonas.petersen@example.com', 'x', 'y']]),
      dry_run: true,
    });
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['A2 name too_short']);
  });
});
