/** Leaks of a sensitive field through webhooks, exports, archives, search, and error messages, and its erasure. */
import { createStorage } from '../../../src/platform/files/context.ts';
import { eraseCollaborator } from '../../../src/product/erasure/erase-person.ts';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { unzip } from '../../helpers/archive.ts';
import { eventually } from '../../helpers/eventually.ts';
import { receiver } from '../../helpers/network/receiver.ts';
import { defineField, fieldsPath } from '../../helpers/resources/custom-fields.ts';
import { localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';
import { download, exportPaths, runExport, sheetsOf } from '../../helpers/resources/exports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
/** An admin's token with every scope except that of sensitive fields. */
let without: TestClient;
let manager: TestClient;
let id: string;
const path = '/v1/collaborators';
const secret = 'IBAN-4711-QUIRIN';

beforeAll(async () => {
  app = await testApp(localWebhooks);
  worker = await testWorker(app);
  await defineField(app.admin, { key: 'iban', type: 'text', sensitive: true, unique: true });
  await defineField(app.admin, { key: 'nickname', type: 'text', read: 'employee' });
  id = app.report.collaborator_id;
  await app.admin.patch(`${path}/${id}`, { custom_fields: { iban: secret, nickname: 'PUBLIC-0815' } }).expect(200);
  const { scopes } = await import('../../../src/identity/grants/scopes.ts');
  const others = Object.keys(scopes).filter((scope) => scope !== 'custom_fields:sensitive');
  without = await app.as('admin', { scopes: others });
  manager = await app.as('manager', { scopes: Object.keys(scopes) });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

test('a webhook payload omits it, and so does the delivery log', async () => {
  const hooks = await receiver();
  try {
    const { id: webhookId } = await subscribe(app, hooks.url);
    const values = { iban: 'IBAN-4711-NEW', nickname: 'PUBLIC-0816' };
    await app.admin.patch(`${path}/${id}`, { custom_fields: values }).expect(200);
    await app.admin.patch(`${path}/${id}`, { custom_fields: { iban: secret } }).expect(200);
    const person = { name: 'Eva', email: 'eva@verde.example', position: 'x', department: 'y' };
    await app.admin.post(path, { ...person, custom_fields: { ...values, iban: 'IBAN-4711-EVA' } }).expect(201);
    const sent = (await hooks.received(3)).map(({ body }) => body.toString()).join('\n');
    expect(sent).toContain('PUBLIC-0816');
    expect(sent).toContain('custom_fields.iban'); // named as changed
    expect(sent).not.toContain('IBAN-4711');
    const deliveries = `/v1/webhooks/${webhookId}/deliveries`;
    const texts: string[] = [];
    for (const { id: delivery } of (await app.admin.get(deliveries).expect(200)).body.data)
      texts.push((await app.admin.get(`${deliveries}/${delivery}`).expect(200)).text);
    expect(texts).toHaveLength(3);
    expect(texts.join()).toContain('PUBLIC-0816');
    expect(texts.join()).not.toContain('IBAN-4711');
  } finally {
    await hooks.close();
  }
});

describe('exports', () => {
  const archiveOf = async (client: TestClient) => {
    const { body } = await client.post(`${path}/${id}/personal-data`).expect(202);
    const url = await eventually(async () => {
      const { body: job } = await client.get(`/v1/exports/${body.id}`).expect(200);
      expect(job.status).toBe('completed');
      return job.url;
    });
    return unzip(await download(url));
  };
  const text = (file: Buffer, format: string) => (format === 'xlsx' ? JSON.stringify(sheetsOf(file)) : file.toString());
  const shows = async (client: TestClient, kind: 'list' | 'individual', format: string) => {
    const query = { format, ...(kind === 'individual' && { collaborator_id: id }) };
    const found = text(await runExport(client, kind, query), format);
    expect(found).toContain('PUBLIC-08');
    return found.includes('IBAN-4711');
  };

  test.each(['csv', 'xlsx', 'json'])(
    'omit it from a list and a person as %s, for every unauthorized caller',
    async (format) => {
      for (const kind of ['list', 'individual'] as const) {
        expect([kind, await shows(app.admin, kind, format)]).toEqual([kind, true]);
        for (const client of [without, manager])
          expect([kind, await shows(client, kind, format)]).toEqual([kind, false]);
      }
    },
  );

  test('omit it from a workbook by group, and from a personal data archive', async () => {
    const group = async (client: TestClient) => {
      const { body: url } = await client.get(exportPaths.group).expect(200);
      return text(await download(url), 'xlsx');
    };
    const archive = async (client: TestClient) => [...(await archiveOf(client)).values()].join('\n');
    for (const produce of [group, archive]) {
      const [whole, part] = [await produce(app.admin), await produce(without)];
      expect(part).toContain('PUBLIC-08');
      expect([whole.includes('IBAN-4711'), part.includes('IBAN-4711')]).toEqual([true, false]);
    }
    await manager.post(`${path}/${id}/personal-data`).expect(403);
  });

  test('include archived fields in the personal data archive, if visible to the reader', async () => {
    await defineField(app.admin, { key: 'old_iban', type: 'text', sensitive: true });
    await defineField(app.admin, { key: 'old_name', type: 'text' });
    const values = { old_iban: 'OLD-4712', old_name: 'OLD-0817' };
    await app.admin.patch(`${path}/${id}`, { custom_fields: values }).expect(200);
    for (const key of Object.keys(values))
      await app.admin.patch(`${fieldsPath}/${key}`, { archived: true }).expect(200);
    const archived = async (client: TestClient) => {
      const files = await archiveOf(client);
      return [JSON.parse(files.get('archived-fields.json')!.toString()), [...files.values()].join('\n')];
    };
    const [[all, whole], [some, part]] = [await archived(app.admin), await archived(without)];
    expect([all, some]).toEqual([values, { old_name: 'OLD-0817' }]);
    expect([whole.includes('OLD-4712'), part.includes('OLD-4712')]).toEqual([true, false]);
  });
});

test('a search doesn’t match it, and results omit it', async () => {
  for (const client of [app.admin, without, manager]) {
    for (const search of ['QUIRIN', secret, 'IBAN-4711']) {
      const { body } = await client.get(`${path}?search=${search}`).expect(200);
      expect([search, body.data]).toEqual([search, []]);
    }
  }
  const { body: person } = await without.get(`${path}/${id}`).expect(200);
  const found = await without.get(`${path}?search=${encodeURIComponent(person.name)}`).expect(200);
  expect(found.body.data.map((each: { id: string }) => each.id)).toContain(id);
  expect(found.text).not.toContain('IBAN-4711');
});

test('error messages don’t contain the stored value', async () => {
  const { body } = await app.admin.get(`${path}?email=eva@verde.example`).expect(200);
  const one = `${path}/${body.data[0].id}`;
  const { text } = await app.admin.patch(one, { custom_fields: { iban: secret } }).expect(400);
  expect(text).toContain('taken');
  expect(text).not.toContain('IBAN-4711');
});

test('erasing a person removes its value from the row, history, unique values, events, and stored responses', async () => {
  const person = { name: 'Ivo', email: 'ivo@verde.example', position: 'x', department: 'y' };
  const values = { iban: 'IBAN-4713', nickname: 'GONE-4713' };
  const { body } = await app.admin
    .post(path, { ...person, custom_fields: values })
    .set('Idempotency-Key', 'an-erased-person')
    .expect(201);
  await app.admin.patch(`${path}/${body.id}`, { custom_fields: { nickname: 'LATER-4713' } }).expect(200);
  await app.audit.flush();
  const tables = ['collaborators', 'collaborator_history', 'custom_field_values', 'events'];
  /** Their bodies are encrypted. */
  const storedResponses = () => app.database.query('select 1 from idempotency_keys');
  const traces = async () => {
    const found: string[] = [];
    for (const table of tables) {
      const rows = await app.database.query(
        `select 1 from ${table} t where to_json(t)::text ~ '(IBAN|GONE|LATER)-4713'`,
      );
      if (rows.length > 0) found.push(table);
    }
    return found;
  };
  expect([await traces(), (await storedResponses()).length]).toEqual([tables, 1]);
  const options = {
    ...{ db: app.database.db, storage: createStorage(app.config), encryption_keys: app.config.encryption_keys },
    ...{ dry_run: false, companyFiles: false },
  };
  await eraseCollaborator(options, { id: app.company_id, name: 'Verde' }, body.id);
  expect([await traces(), await storedResponses()]).toEqual([[], []]);
  const other = { ...person, email: 'ivo2@verde.example', custom_fields: { iban: 'IBAN-4713' } };
  await app.admin.post(path, other).expect(201);
});
