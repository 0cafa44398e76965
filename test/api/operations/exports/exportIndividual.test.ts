import type { components } from '../../../../generated/api.ts';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { maskIds } from '../../../helpers/contract/mask-ids.ts';
import { clearFields } from '../../../helpers/resources/custom-fields.ts';
import { addDocument } from '../../../helpers/resources/documents.ts';
import { column, csvOf, download, exportPaths, runExport, sheetsOf } from '../../../helpers/resources/exports.ts';

type Schemas = components['schemas'];

let app: TestApp;
let id: string;
beforeAll(async () => {
  app = await testApp();
  id = app.report.collaborator_id;
  await addDocument(app, id, { type: 'policy', filename: '=contract.pdf', description: '+49 signed' });
  await addDocument(app, id, { type: 'medical' });
  await app.admin.patch(`/v1/collaborators/${id}`, { salary: 52_000, position: '@lead' }).expect(200);
});
afterAll(() => app.close());

const path = exportPaths.individual;

interface Individual {
  collaborator: Schemas['Collaborator'];
  status: Schemas['CollaboratorStatusResource'];
  documents?: Schemas['Document'][];
  history?: Schemas['HistoryEntry'][];
}

async function asJson(client: TestClient, collaboratorId = id): Promise<Individual> {
  return JSON.parse(
    (await runExport(client, 'individual', { collaborator_id: collaboratorId, format: 'json' })).toString(),
  );
}

describe('succeeds', () => {
  test('names the file after the person', async () => {
    const { body, headers } = await app.admin.get(path).query({ collaborator_id: id }).expect(200);
    expect(body).toMatchObject({
      kind: 'individual',
      format: 'xlsx',
      status: 'completed',
      filename: 'clara-sousa.xlsx',
      row_count: 1,
      progress: { rows_total: 1, rows_done: 1, percent: 100 },
      omitted: [],
      created_by: app.admin.user_id,
    });
    expect(headers.location).toBe(`/v1/exports/${body.id}`);
  });

  test('has a sheet for each part in a workbook', async () => {
    const sheets = sheetsOf(await runExport(app.admin, 'individual', { collaborator_id: id }));
    expect(Object.keys(sheets)).toEqual(['Profile', 'Status', 'Documents', 'Changes']);
    expect(column(sheets.Profile!, 'Name')).toEqual(['Clara Sousa']);
    expect(column(sheets.Profile!, 'Salary')).toEqual([52_000]);
    expect(column(sheets.Profile!, 'Position')).toEqual(["'@lead"]);
    expect(column(sheets.Status!, 'Status')).toEqual(['active']);
    expect(column(sheets.Status!, 'Invitation')).toEqual(['accepted']);
    expect(column(sheets.Documents!, 'Name')).toEqual(['contract.pdf', "'=contract.pdf"]);
    expect(column(sheets.Documents!, 'Type')).toEqual(['medical', 'policy']);
    const fields = column(sheets.Changes!, 'Field');
    const change = sheets.Changes![fields.indexOf('Salary') + 1];
    const by = ['Mariana Duarte', undefined];
    expect(change!.slice(1)).toEqual(['updated', expect.any(String), ...by, 'Salary', '48000.5', '52000']);
    expect(column(sheets.Changes!, 'Action')).toEqual(
      expect.arrayContaining(['created', 'updated', 'document_uploaded']),
    );
  });

  test('names changed fields as the columns of the profile, in its language', async () => {
    const field = { key: 'shirt', type: 'text', label: { default: 'Shirt size', pt: 'Tamanho da camisa' } };
    await app.admin.post('/v1/custom-fields', field).expect(201);
    const emergencyContact = { name: 'Ivo Rocha', phone: '+351 912 000 111', relationship: 'Pai' };
    const change = { hire_date: '2024-02-01', emergency_contact: emergencyContact, custom_fields: { shirt: 'L' } };
    const person = app.manager.collaborator_id;
    await app.admin.patch(`/v1/collaborators/${person}`, change).expect(200);
    const file = await runExport(app.admin, 'individual', { collaborator_id: person, language: 'pt' });
    const { Alterações: changes, Perfil: profile } = sheetsOf(file);
    const named = column(changes!, 'Campo').filter((name) => name !== undefined);
    expect(named.toSorted()).toEqual(['Contato de emergência', 'Data de admissão', 'Tamanho da camisa']);
    expect(profile![0]).toEqual(expect.arrayContaining(['Data de admissão', 'Tamanho da camisa']));
    await clearFields(app);
  });

  test('has the API objects in JSON, and documents without links', async () => {
    const file = await asJson(app.admin);
    const get = async (part: string) => (await app.admin.get(`/v1/collaborators/${id}${part}`).expect(200)).body;
    expect(file.collaborator).toEqual(await get(''));
    expect(file.status).toEqual(await get('/status'));
    expect(file.history).toEqual((await get('/history?limit=100')).data);
    const { data } = (await get('/documents')) as { data: Schemas['Document'][] };
    expect(file.documents).toEqual(data.map(({ url: _, ...rest }) => rest));
    expect(file.documents).toHaveLength(2);
  });

  test('has only the profile in CSV, in the format of the list', async () => {
    const ownRows = csvOf(await runExport(app.admin, 'individual', { collaborator_id: id, format: 'csv' }));
    const list = csvOf(await runExport(app.admin, 'list', { search: 'clara', format: 'csv' }));
    expect(ownRows).toEqual(list);
  });

  test('includes a long history, complete and in order', async () => {
    await app.database.query(
      `insert into collaborator_history (company_id, id, collaborator_id, action, description, timestamp)
       select $1, gen_random_uuid(), $2, 'updated', 'Entry ' || n, '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 ms'
       from generate_series(1, 1234) n`,
      [app.company_id, app.employee.collaborator_id],
    );
    const { history } = await asJson(app.admin, app.employee.collaborator_id);
    expect(new Set(history!.map((entry) => entry.id)).size).toBe(1_235); // and `created`
    const times = history!.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted().toReversed());
    const sheets = sheetsOf(
      await runExport(app.admin, 'individual', { collaborator_id: app.employee.collaborator_id }),
    );
    expect(sheets.Changes).toHaveLength(1_236);
  });

  test('names the file in any script', async () => {
    const person = { name: '王小明', email: 'ming@example.com', position: 'x', department: 'y' };
    const created = (await app.admin.post('/v1/collaborators', person).expect(201)).body;
    const { body } = await app.admin.get(path).query({ collaborator_id: created.id, format: 'json' }).expect(200);
    expect(body.filename).toBe('王小明.json');
    const { headers } = await fetch(body.url);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename/);
  });
});

describe('refuses bad input', () => {
  test('rejects a missing id', async () => {
    const { body } = await app.admin.get(path).expect(400);
    expect(Object.keys(body.details)).toEqual(['collaborator_id']);
  });

  test('returns the same 404 for invalid, unknown, and deleted ids', async () => {
    const person = { name: 'Gone Soon', email: 'gone@example.com', position: 'x', department: 'y' };
    const deleted = (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
    await app.admin.delete(`/v1/collaborators/${deleted}`).expect(200);
    const responses = [];
    for (const collaboratorId of ['x', app.admin.user_id, deleted, app.outsider.collaborator_id]) {
      responses.push((await app.admin.get(path).query({ collaborator_id: collaboratorId }).expect(404)).text);
    }
    expect(new Set(responses).size).toBe(1);
  });
});

describe('data the caller can read', () => {
  test.each([
    [[], ['salary', 'documents', 'history']],
    [['salary:read'], ['documents', 'history']],
    [['documents:read', 'history:read'], ['salary']],
    [['salary:read', 'documents:read'], ['history']],
  ])('with the scopes %p, omits %p', async (scopes, omitted) => {
    const client = await app.as('admin', { scopes: ['exports:read', ...scopes] });
    const { body } = await client.get(path).query({ collaborator_id: id, format: 'json' }).expect(200);
    expect(body.omitted).toEqual(omitted);
    const file = JSON.parse((await download(body.url)).toString());
    const remaining = ['documents', 'history'].filter((part) => !omitted.includes(part));
    expect(Object.keys(file)).toEqual(['collaborator', 'status', ...remaining]);
    expect('salary' in file.collaborator).toBe(!omitted.includes('salary'));
    const sheets = sheetsOf(await runExport(client, 'individual', { collaborator_id: id }));
    expect('Documents' in sheets).toBe(remaining.includes('documents'));
    expect('Changes' in sheets).toBe(remaining.includes('history'));
  });

  test('CSV needs no scopes for documents and history', async () => {
    const client = await app.as('admin', { scopes: ['exports:read'] });
    const { body } = await client.get(path).query({ collaborator_id: id, format: 'csv' }).expect(200);
    expect(body.omitted).toEqual(['salary']);
  });

  test('managers get no salary, past or present, and no medical documents', async () => {
    const { body } = await app.manager.get(path).query({ collaborator_id: id }).expect(200);
    expect(body.omitted).toEqual(['salary']);
    const sheets = sheetsOf(await download(body.url));
    expect(column(sheets.Profile!, 'Salary')).toEqual([undefined]);
    expect(column(sheets.Profile!, 'Emergency contact name')).toEqual(['Nuno Sousa']);
    expect(column(sheets.Documents!, 'Type')).toEqual(['policy']);
    expect(maskIds(JSON.stringify(sheets))).not.toMatch(/48000|52000|medical/);
    const row = sheets.Changes!.find((cells) => cells[5] === 'Salary');
    expect(row!.slice(6)).toEqual(['(hidden)', '(hidden)']);
    const file = await asJson(app.manager);
    expect(file.history!.flatMap(({ changes }) => changes)).toContainEqual({ field: 'salary', redacted: true });
    expect(file.documents).toHaveLength(1);
  });

  test('employees get all about themselves, except who their manager is', async () => {
    const { body } = await app.report.get(path).query({ collaborator_id: id, format: 'json' }).expect(200);
    expect(body.omitted).toEqual([]);
    // They see actors only if it was themselves.
    const unnamed = (history: Schemas['HistoryEntry'][] = []) => history.map((entry) => ({ ...entry, actor: null }));
    const [own, whole] = [await asJson(app.report), await asJson(app.admin)];
    expect(own).toEqual({ ...whole, history: unnamed(whole.history) });
    const sheets = sheetsOf(await runExport(app.report, 'individual', { collaborator_id: id }));
    expect(column(sheets.Profile!, 'Salary')).toEqual([52_000]);
    expect(column(sheets.Profile!, 'Manager ID')).toEqual([app.manager.collaborator_id]);
    expect(column(sheets.Profile!, 'Manager email')).toEqual([undefined]);
  });
});

describe('out of reach', () => {
  test('returns 404 to managers outside their team', async () => {
    for (const collaboratorId of [app.employee.collaborator_id, app.admin.collaborator_id]) {
      await app.manager.get(path).query({ collaborator_id: collaboratorId }).expect(404);
    }
  });

  test('returns 404 to employees for everyone else', async () => {
    await app.employee.get(path).query({ collaborator_id: id }).expect(404);
  });

  test('returns 404 to another company', async () => {
    await app.outsider.get(path).query({ collaborator_id: id }).expect(404);
  });
});

test('emits report.created', async () => {
  const { body } = await app.manager.get(path).query({ collaborator_id: id, format: 'csv' }).expect(200);
  const [event] = await app.database.query<{ payload: string }>(
    "select payload from events where name = 'report.created' and idempotency_key = $1",
    [`report-${body.id}`],
  );
  expect(JSON.parse(event!.payload)).toMatchObject({ id: body.id, kind: 'individual', row_count: 1 });
});
