import { type TestApp, testApp } from '../../../helpers/app.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { startVirusScanner, unscannable, virus } from '../../../helpers/network/virus-scanner.ts';
import { objects } from '../../../helpers/resources/documents.ts';
import { type ImportParts, importsPath, people, sendImport, startImport } from '../../../helpers/resources/imports.ts';
import { workbook } from '../../../platform/sheets/workbooks.ts';

let app: TestApp;
let scanner: Awaited<ReturnType<typeof startVirusScanner>>;
beforeAll(async () => {
  scanner = await startVirusScanner();
  app = await testApp({ CLAMD_URL: scanner.url });
});
afterAll(async () => {
  await app.close();
  scanner.close();
});

const rows = () => app.database.query<Record<string, unknown>>('select * from imports order by created_at');
/** Frees the quota for the next test. */
afterEach(() => app.database.query("update imports set status = 'completed', due_at = null where due_at is not null"));

describe('succeeds', () => {
  test('accepts a form with only a file', async () => {
    const file = people([1, 2]);
    const { body, headers } = await sendImport(app.admin, { file, filename: 'März "2026".csv' }).expect(202);
    expect(body).toEqual({
      id: expect.any(String),
      filename: 'März _2026_.csv',
      format: 'csv',
      encoding: null,
      encoding_guess: null,
      size: file.length,
      mode: 'create',
      match_by: null,
      dry_run: false,
      on_error: 'continue',
      send_invitations: false,
      empty_cells: 'keep',
      status: 'queued',
      progress: { rows_total: null, rows_done: 0, percent: 0 },
      counts: { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
      error_count: 0,
      error_report_url: null,
      failure: null,
      date_order: null,
      decimal: null,
      name_order: null,
      garbled_text: null,
      unknown_columns: null,
      unknown_managers: 'fail',
      questions: [],
      layout: null,
      preview: [],
      header_row: null,
      columns: [],
      warnings: [],
      created_by: app.admin.user_id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      committed_by: null,
      committed_at: null,
      completed_at: null,
      expires_at: expect.any(String),
    });
    expect(headers.location).toBe(`/v1/imports/${body.id}`);
    expect((await app.admin.get(headers.location!).expect(200)).body).toEqual(body);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(30 * 86_400_000);
    const row = (await rows()).find(({ id }) => id === body.id)!;
    expect(await objects(app)).toContain(row.key);
    const jobs = await app.database.query<{ task_identifier: string }>(
      'select task_identifier from graphile_worker.jobs',
    );
    expect(jobs).toContainEqual({ task_identifier: 'runImports' });
  });

  test('accepts a form with every part', async () => {
    const parts: ImportParts = {
      file: await workbook('<row r="1"/>'),
      filename: 'people.xlsx',
      mode: 'upsert',
      dry_run: true,
      on_error: 'abort',
      send_invitations: true,
      empty_cells: 'clear',
      sheet: 'People',
      mapping: { Start: 'hire_date', Badge: null },
      date_order: 'dmy',
    };
    const { body } = await sendImport(app.admin, parts).expect(202);
    const { file: _, sheet, mapping, ...visible } = parts;
    expect(body).toMatchObject({ ...visible, format: 'xlsx' });
    expect((await rows()).at(-1)).toMatchObject({ sheet, mapping, may_write_salary: true });
  });

  test('accepts base64 in JSON', async () => {
    const file = people([3]);
    const json = {
      filename: 'people.csv',
      content_base64: file.toString('base64'),
      dry_run: true,
      mapping: { x: null },
    };
    const { body } = await app.admin.post(importsPath, json).expect(202);
    expect(body).toMatchObject({ filename: 'people.csv', size: file.length, dry_run: true });
    expect((await rows()).at(-1)).toMatchObject({ mapping: { x: null } });
  });

  test('accepts a name without an extension, and a file of 20 MB', async () => {
    await sendImport(app.admin, { filename: 'people' }).expect(202);
    const file = Buffer.alloc(20 * 1024 * 1024, 'name,email\n');
    expect((await sendImport(app.admin, { file }).expect(202)).body.size).toBe(file.length);
  });

  test('with an Idempotency-Key, runs once and repeats the response', async () => {
    const before = [(await rows()).length, (await objects(app)).length];
    const send = (parts: ImportParts = {}) => sendImport(app.admin, parts).set('Idempotency-Key', 'import-1');
    const first = await send().expect(202);
    const second = await send().expect(202);
    expect([second.text, second.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    expect((await send({ file: people([4]) }).expect(422)).body.error).toBe('idempotency_key_reused');
    expect((await send({ dry_run: true }).expect(422)).body.error).toBe('idempotency_key_reused');
    const json = { filename: 'a.csv', content_base64: people([5]).toString('base64') };
    const sendJson = () => app.admin.post(importsPath, json).set('Idempotency-Key', 'import-2').expect(202);
    expect((await sendJson()).text).toBe((await sendJson()).text);
    expect([(await rows()).length, (await objects(app)).length]).toEqual([before[0]! + 2, before[1]! + 2]);
  });
});

describe('refuses bad input', () => {
  let before: [number, number];
  const now = async (): Promise<typeof before> => [(await rows()).length, (await objects(app)).length];
  beforeEach(async () => {
    before = await now();
  });
  afterEach(async () => {
    await eventually(async () => expect(await now()).toEqual(before));
  });

  const codes = (body: { error: string; details: Record<string, { code: string }[]> }) => {
    expect(body.error).toBe('validation_error');
    return Object.fromEntries(Object.entries(body.details).map(([field, all]) => [field, all.map(({ code }) => code)]));
  };

  test.each<[string, ImportParts, object]>([
    ['an empty file', { file: Buffer.alloc(0) }, { file: ['too_short'] }],
    ['a name that says otherwise', { filename: 'people.xlsx' }, { file: ['invalid_format'] }],
    ['an unknown mode', { mode: 'replace' }, { mode: ['not_in_enum'] }],
    ['a mapping that is no JSON', { mapping: '{' }, { mapping: ['invalid_format'] }],
    ['a mapping to nothing', { mapping: { Start: 'begin' } }, { 'mapping.Start': ['invalid_format'] }],
    ['a sheet of a csv file', { sheet: 'People' }, { sheet: ['field_not_allowed'] }],
    ['an unknown order of dates', { date_order: 'ydm' }, { date_order: ['not_in_enum'] }],
    ['an unknown encoding', { encoding: 'ebcdic' }, { encoding: ['not_in_enum'] }],
    ['an unknown part', { colour: 'red' }, { colour: ['field_not_allowed'] }],
    [
      'everything at once',
      { file: Buffer.alloc(0), mode: 'x', dry_run: 'perhaps', on_error: '', empty_cells: 'x' },
      {
        file: ['too_short'],
        mode: ['not_in_enum'],
        dry_run: ['invalid_type'],
        on_error: ['not_in_enum'],
        empty_cells: ['not_in_enum'],
      },
    ],
  ])('rejects a form: %s', async (_, parts, details) => {
    expect(codes((await sendImport(app.admin, parts).expect(400)).body)).toEqual(details);
  });

  test('rejects an encoding for a workbook', async () => {
    const parts = { file: await workbook(''), filename: 'people.xlsx', encoding: 'windows-1250' };
    expect(codes((await sendImport(app.admin, parts).expect(400)).body)).toEqual({ encoding: ['field_not_allowed'] });
  });

  test.each<[string, object, object]>([
    ['nothing', {}, { filename: ['required'], content_base64: ['required'] }],
    ['no base64', { filename: 'a', content_base64: 'näme' }, { content_base64: ['invalid_format'] }],
    ['a data URL', { filename: 'a', content_base64: 'data:;base64,bmFtZQ==' }, { content_base64: ['invalid_format'] }],
    [
      'a name that says otherwise',
      { filename: 'a.xlsx', content_base64: 'bmFtZQ==' },
      { content_base64: ['invalid_format'] },
    ],
    [
      'text for a boolean',
      { filename: 'a', content_base64: 'bmFtZQ==', dry_run: 'true' },
      { dry_run: ['invalid_type'] },
    ],
  ])('rejects JSON: %s', async (_, json, details) => {
    expect(codes((await app.admin.post(importsPath, json).expect(400)).body)).toEqual(details);
  });

  test('rejects a form without a file or with two, and bodies that aren’t forms', async () => {
    const missing = await app.admin.post(importsPath).field('mode', 'create').expect(400);
    expect(codes(missing.body)).toEqual({ file: ['required'] });
    const two = await sendImport(app.admin, {})
      .attach('file', people([1]), 'b.csv')
      .expect(400);
    expect(codes(two.body)).toEqual({ file: ['too_long'] });
    expect((await app.admin.post(importsPath).type('text/csv').send('name').expect(415)).body.error).toBe(
      'unsupported_media_type',
    );
  });

  test('rejects more than 20 MB', async () => {
    const file = Buffer.alloc(20 * 1024 * 1024 + 1, 'x');
    expect((await sendImport(app.admin, { file }).expect(413)).body.error).toBe('payload_too_large');
  });

  test('rejects infected files, and files that can’t be scanned', async () => {
    const send = (name: string) => sendImport(app.admin, { file: Buffer.from(`name\n${name}\n`) });
    expect((await send(virus).expect(422)).body.error).toBe('file_infected');
    await send(unscannable).expect(503);
  });
});

test('conflicts: allows ten unfinished imports, also for concurrent requests', async () => {
  const responses = await Promise.all(Array.from({ length: 13 }, () => sendImport(app.admin, {})));
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(202), 409, 409, 409]);
  expect(responses.find(({ status }) => status === 409)!.body.error).toBe('conflict');
  const json = { filename: 'a.csv', content_base64: people([5]).toString('base64') };
  await app.admin.post(importsPath, json).expect(409);
  await startImport(app.outsider, {});
  const storedFiles = await app.database.query<{ key: string }>('select key from imports');
  await eventually(async () => expect((await objects(app)).sort()).toEqual(storedFiles.map(({ key }) => key).sort()));
});

describe('forbidden', () => {
  test('forbidden by role', async () => {
    for (const client of [app.manager, app.employee]) {
      expect((await sendImport(client, {}).expect(403)).body.details).toEqual({ required_role: 'admin' });
    }
  });

  test('rejects invitations without their scope, whatever the value', async () => {
    const client = await app.as('admin', { scopes: ['imports:write'] });
    for (const sendInvitations of [true, false]) {
      const { body } = await sendImport(client, { send_invitations: sendInvitations }).expect(403);
      expect([body.error, Object.keys(body.details)]).toEqual(['field_forbidden', ['send_invitations']]);
    }
    await sendImport(client, {}).expect(202);
    expect((await rows()).at(-1)).toMatchObject({ may_write_salary: false });
  });
});

test('invisible to another company', async () => {
  const id = await startImport(app.outsider, {});
  await app.admin.get(`/v1/imports/${id}`).expect(404);
  await app.outsider.get(`/v1/imports/${id}`).expect(200);
});

test('emits nothing yet', async () => {
  await startImport(app.admin, {});
  expect(await app.database.query("select 1 from events where name like 'import.%'")).toEqual([]);
});
