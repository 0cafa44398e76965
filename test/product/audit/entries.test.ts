/** Audit log entries are written with the change or not at all. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { recordAudit } from '../../../src/platform/audit/entry.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { maskIds } from '../../helpers/contract/mask-ids.ts';
import { addDocument } from '../../helpers/resources/documents.ts';
import { withImport } from '../../helpers/resources/imports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.audit.flush();
  await app.database.query('delete from audit_log');
});

const person = (email: string) => ({ name: 'Some Body', email, position: 'x', department: 'y' });

interface Row {
  action: string;
  actor_type: string;
  actor_id: string | null;
  target_type: string | null;
  target_id: string | null;
  outcome: string;
  details: Record<string, unknown> | null;
}

async function entries(): Promise<Row[]> {
  await app.audit.flush();
  return app.database.query<Row & Record<string, unknown>>(
    'select action, actor_type, actor_id, target_type, target_id, outcome, details from audit_log order by id',
  );
}

const actions = async () => (await entries()).map(({ action }) => action);

describe('a change', () => {
  test('records the id of what it created or changed', async () => {
    const { body } = await app.admin.post('/v1/collaborators', person('one@example.com')).expect(201);
    const upload = app.admin.post(`/v1/collaborators/${body.id}/documents`).field('type', 'contract');
    const document = await upload.attach('file', Buffer.from('%PDF-1.7\n%%EOF'), 'contract.pdf').expect(201);
    expect(await entries()).toMatchObject([
      { action: 'createCollaborator', target_type: 'collaborator', target_id: body.id },
      { action: 'uploadDocument', target_type: 'collaborator', target_id: body.id },
    ]);
    const [, uploaded] = await entries();
    expect(uploaded!.details).toMatchObject({ result_id: document.body.id });
  });

  test('records the key of the custom field that it created, changed, or deleted', async () => {
    const field = { key: 'shirt', type: 'text', label: { default: 'Shirt' } };
    await app.admin.post('/v1/custom-fields', field).expect(201);
    await app.admin.patch('/v1/custom-fields/shirt', { archived: true }).expect(200);
    await app.admin.delete('/v1/custom-fields/shirt?confirm=shirt').expect(202);
    expect((await entries()).map(({ action, details }) => [action, details?.key])).toEqual([
      ['createCustomField', 'shirt'],
      ['updateCustomField', 'shirt'],
      ['deleteCustomField', 'shirt'],
    ]);
  });

  test('records nothing if rolled back by a constraint or an outdated version', async () => {
    await app.admin.post('/v1/collaborators', person('taken@example.com')).expect(201);
    await app.database.query('delete from audit_log');
    await app.admin.post('/v1/collaborators', person('TAKEN@example.com')).expect(400);
    await app.admin.post('/v1/collaborators', person('TAKEN@example.com')).set('Idempotency-Key', 'a-key').expect(400);
    const at = `/v1/collaborators/${app.report.collaborator_id}`;
    await app.admin.patch(at, { phone: '+1 1' }).set('If-Match', '"old"').expect(412);
    await app.admin.patch(at, { phone: '+1 1' }).set('If-Match', '"old"').set('Idempotency-Key', 'kept').expect(412);
    expect(await actions()).toEqual([]);
  });

  test('and its entry are rolled back together if either fails', async () => {
    const tenant = app.database.db.tenant(app.company_id);
    const added = tenant.transaction(async (tx) => {
      await tx
        .insertInto('collaborators', { id: '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a99', ...person('x@example.com') })
        .execute();
      recordAudit(tx, { action: 'good', actor: { type: 'operator' } });
      recordAudit(tx, { action: 'bad', actor: { type: 'user', user_id: 'no uuid' } });
    });
    await expect(added).rejects.toThrow(/uuid/);
    expect(await actions()).toEqual([]);
    expect(await app.database.query("select id from collaborators where email = 'x@example.com'")).toEqual([]);
    const duplicate = tenant.transaction(async (tx) => {
      recordAudit(tx, { action: 'good', actor: { type: 'operator' } });
      await tx.insertInto('collaborators', { ...person('y@example.com'), id: app.report.collaborator_id }).execute();
    });
    await expect(duplicate).rejects.toThrow(/collaborators_pkey/);
    expect(await actions()).toEqual([]);
    await tenant.transaction(async (tx) => recordAudit(tx, { action: 'good', actor: { type: 'operator' } }));
    expect(await actions()).toEqual(['good']);
  });

  test('repeated with its Idempotency-Key is recorded once', async () => {
    const send = () => app.admin.post('/v1/collaborators', person('once@example.com')).set('Idempotency-Key', 'k-1');
    const { body } = await send().expect(201);
    await send().expect(201).expect('Idempotency-Replayed', 'true');
    expect(await entries()).toMatchObject([{ action: 'createCollaborator', target_id: body.id }]);
  });

  test('is recorded for each acknowledged request of many concurrent ones, and no other', async () => {
    const sent = Array.from({ length: 40 }, (_, n) =>
      app.admin.post('/v1/collaborators', person(`race${n % 20}@example.com`)),
    );
    const responses = await Promise.all(sent);
    const createdIds = responses.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(createdIds).toHaveLength(20);
    expect((await entries()).map(({ target_id: targetId }) => targetId).sort()).toEqual(createdIds.sort());
  });

  test('of a role names the role, and a bulk request has counts', async () => {
    const { collaborator_id: collaboratorId } = app.employee;
    await app.admin.post(`/v1/collaborators/${collaboratorId}/role`, { role: 'manager' }).expect(200);
    await app.admin.post(`/v1/collaborators/${collaboratorId}/role`, { role: 'employee' }).expect(200);
    const items = [{ id: collaboratorId, phone: '+1 22 33' }];
    await app.admin.post('/v1/collaborators/bulk', { mode: 'update', items }).expect(200);
    const found = (await entries()).filter(({ action }) => action !== 'salary.read');
    expect(found.map(({ action, details }) => [action, details])).toEqual([
      ['assignRole', { fields: ['role'], role: 'manager', changed_fields: ['role'] }],
      ['assignRole', { fields: ['role'], role: 'employee', changed_fields: ['role'] }],
      [
        'bulkCollaborators',
        expect.objectContaining({ mode: 'update', summary: { total: 1, succeeded: 1, failed: 0, skipped: 0 } }),
      ],
    ]);
    expect(JSON.stringify(found)).not.toContain('+1 22 33');
  });

  test('whose response has a secret records none of it', async () => {
    const url = 'https://hooks.example.com/a';
    const { body } = await app.admin.post('/v1/webhooks', { url, events: ['*'], headers: { 'X-Key': 'sesame' } });
    const text = JSON.stringify(await entries());
    expect(text).toContain('createWebhook');
    expect(text).toContain(body.id);
    for (const secret of [body.secret, 'sesame', url]) expect(text).not.toContain(secret);
  });
});

describe('salaries', () => {
  const one = () => `/v1/collaborators/${app.report.collaborator_id}`;

  test('records whose were shown and how often, except the reader’s own and hidden ones', async () => {
    await app.admin.get(one()).expect(200);
    await app.admin.get(one()).expect(200);
    await app.report.get(one()).expect(200);
    await app.manager.get(one()).expect(200);
    await (await app.as('admin', { scopes: ['collaborators:read'] })).get(one()).expect(200);
    const found = await entries();
    const expectedEntry = {
      action: 'salary.read',
      actor_id: app.admin.user_id,
      target_id: app.report.collaborator_id,
      details: { operation_id: 'getCollaborator' },
    };
    expect(found).toMatchObject(found.map(() => expectedEntry));
    // Two entries if the first was written before the second read.
    expect(found.reduce((sum, { details }) => sum + Number(details?.times ?? 1), 0)).toBe(2);
  });

  test('records those in lists by id, and those in the history', async () => {
    await app.admin.get('/v1/collaborators').expect(200);
    await app.admin.patch(one(), { salary: 50_001 }).expect(200);
    await app.database.query('update collaborators set salary = null where id = $1', [app.employee.collaborator_id]);
    await app.admin.get(`${one()}/history`).expect(200);
    const [list, , , history] = await entries();
    expect(list).toMatchObject({
      action: 'salary.read',
      target_id: null,
      details: { operation_id: 'listCollaborators' },
    });
    const ids = list!.details!.collaborator_ids as string[];
    expect(ids.sort()).toEqual([app.report.collaborator_id, app.employee.collaborator_id].sort());
    expect(history).toMatchObject({ target_id: app.report.collaborator_id, details: { operation_id: 'listHistory' } });
    expect(maskIds(JSON.stringify(await entries()))).not.toMatch(/50001|48000/);
  });

  test('are withheld if the read can’t be recorded', async () => {
    // Block writes in the meantime.
    const lock = new pg.Client(app.database.url);
    await lock.connect();
    await lock.query('begin; lock table audit_log in exclusive mode');
    const operator = { action: 'x', actor: { type: 'operator' } } as const;
    const fill = () => {
      for (let n = 0; n <= 10_000; n++) app.audit.add(app.company_id, operator);
    };
    expect(fill).toThrow();
    await app.admin.get(one()).expect(503);
    await app.manager.get(one()).expect(200); // without the salary
    await lock.query('rollback');
    await lock.end();
    await app.audit.flush();
    await app.admin.get(one()).expect(200);
  });
});

describe('exports, imports, and files', () => {
  test('an export records kind, row count, and whether it has salaries, and who downloaded it', async () => {
    const rows = (await app.admin.get('/v1/collaborators')).body.meta.total;
    await app.audit.flush();
    await app.database.query('delete from audit_log');
    const { body } = await app.admin.get('/v1/collaborators/export/list?format=csv').expect(200);
    await fetch(body.url).then((response) => response.arrayBuffer());
    await fetch(body.url, { method: 'HEAD' });
    await fetch(body.url, { headers: { Range: 'bytes=10-20' } });
    const target = { target_type: 'export', target_id: body.id };
    const found = await entries();
    expect(found.map(({ action }) => action).sort()).toEqual(['export.completed', 'exportList', 'file.fetched']);
    expect(found.find(({ action }) => action === 'exportList')).toMatchObject({
      ...target,
      details: { format: 'csv' },
    });
    expect(found.find(({ action }) => action === 'export.completed')).toMatchObject({
      ...target,
      details: { kind: 'list', format: 'csv', rows, salaries: true },
    });
    expect(found.find(({ action }) => action === 'file.fetched')).toMatchObject({ ...target, actor_type: 'link' });
  });

  test.each([
    ['name,department', ['name', 'department', 'id'], false],
    ['name,salary', ['name', 'salary', 'id'], true],
  ])('an export of %s records these fields, and whether it has salaries', async (fields, chosen, salaries) => {
    const { body } = await app.admin.get(`/v1/collaborators/export/list?format=json&fields=${fields}`).expect(200);
    await fetch(body.url).then((response) => response.arrayBuffer());
    const found = (await entries()).filter(({ target_id: id, action }) => id === body.id && action !== 'exportList');
    expect(found.map(({ action }) => action)).toEqual(['export.completed', 'file.fetched']);
    for (const { details } of found) expect(details).toMatchObject({ chosen_fields: chosen, salaries });
  });

  test.each([
    'bytes= 0-',
    'bytes=00-',
    'bytes=+0-',
    'bytes=1-',
    'bytes=10-20',
    'bytes=0-0,5-',
    'bytes=-5',
    'lines=1-2',
    'nonsense',
  ])('a partial download of an export is recorded for %s', async (range) => {
    const { body } = await app.admin.get('/v1/collaborators/export/list?format=csv').expect(200);
    const fetched = () => entries().then((found) => found.filter(({ action }) => action === 'file.fetched'));
    await app.database.query('delete from audit_log');
    const behind = await fetch(body.url, { headers: { Range: 'bytes=9999999-' } });
    expect(behind.status).toBe(416);
    expect(await fetched()).toEqual([]);
    const response = await fetch(body.url, { headers: { Range: range } });
    expect([200, 206]).toContain(response.status);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
    expect(await fetched()).toMatchObject([{ target_id: body.id }]);
    await fetch(body.url, { headers: { Range: range, 'If-Range': '"another"' } });
    expect(await fetched()).toHaveLength(1);
    await fetch(body.url, { headers: { Range: range, 'User-Agent': 'another' } });
    expect(await fetched()).toHaveLength(2);
  });

  test('a document records who got the link, and its download', async () => {
    const { collaborator_id: collaboratorId } = app.report;
    const documentId = await addDocument(app, collaboratorId);
    await app.database.query('delete from audit_log');
    const { body } = await app.admin.get(`/v1/collaborators/${collaboratorId}/documents/${documentId}`).expect(200);
    expect((await fetch(body.url)).status).toBe(200);
    const target = { target_type: 'collaborator', target_id: collaboratorId, details: { document_id: documentId } };
    expect(await entries()).toMatchObject([
      { action: 'getDocument', actor_id: app.admin.user_id, ...target },
      { action: 'file.fetched', actor_type: 'link', ...target },
    ]);
  });

  test('an import records how it was sent, not its content', async () => {
    const { body } = await withImport(app.admin.post('/v1/collaborators/import'));
    const [entry] = await entries();
    expect(entry).toMatchObject({ action: 'importCollaborators', target_type: 'import', target_id: body.id });
    expect(entry!.details!.fields).toContain('file');
  });
});

test('every action of the contract occurs in the code', async () => {
  const contract = JSON.parse(await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
  const known: string[] = contract.components.schemas.AuditEntry.properties.action['x-extensible-enum'];
  const source = fileURLToPath(new URL('../../../src', import.meta.url));
  const files = await readdir(source, { recursive: true });
  const texts = await Promise.all(
    files.filter((file) => file.endsWith('.ts')).map((file) => readFile(join(source, file), 'utf8')),
  );
  const written = texts.join('');
  expect(known.filter((action) => !written.includes(`'${action}'`))).toEqual([]);
});
