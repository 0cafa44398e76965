/** Free texts: phone numbers in any format, and optional fields that may be empty. */
import { bodies } from '../../generated/validators/bodies.js';
import { forms } from '../../generated/validators/forms.js';
import { contract, contractOperations, resolve, type Schema } from '../../src/contract/contract.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { csv, requiredHeaders, runImport } from '../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const path = '/v1/collaborators';
let serial = 0;
function personWith(fields: object = {}) {
  serial += 1;
  return { name: 'Tess Text', email: `tess${serial}@example.com`, position: 'Clerk', department: 'Office', ...fields };
}

const numbers = [
  '+55 11 3555-0100 ramal 12',
  '(11) 3555-0100 / 0101',
  '+44 20 7946 0958 #12',
  '+1-212-555-0100;ext=5',
  'ask at the gate',
  '1',
];

describe('phone numbers are stored as written', () => {
  test.each(numbers)('%s', async (phone) => {
    const contact = { name: 'Ada', phone, relationship: null };
    const fields = { phone, emergency_contact: contact };
    const { body } = await app.admin.post(path, personWith(fields)).expect(201);
    expect(body).toMatchObject(fields);
    const { body: other } = await app.admin.post(path, personWith()).expect(201);
    expect((await app.admin.put(`${path}/${other.id}`, fields).expect(200)).body).toMatchObject(fields);
    const items = [personWith(fields)];
    const bulk = await app.admin.post(`${path}/bulk`, { mode: 'create', items }).expect(200);
    const found = await app.admin.get(`${path}/${bulk.body.results[0].id}`).expect(200);
    expect(found.body).toMatchObject(fields);
  });

  test('in an import, and exported ones can be imported again', async () => {
    const header = [...requiredHeaders, 'phone', 'emergency_contact.phone'];
    const rows = numbers.map((phone, at) => [`Person ${at}`, `phone${at}@example.com`, 'x', 'Phones', phone, phone]);
    expect(await runImport(app.admin, { file: csv([header, ...rows]) })).toMatchObject({ counts: { failed: 0 } });
    const { body } = await app.admin.get(`${path}?department=Phones&sort=email`).expect(200);
    expect(body.data.map(({ phone }: { phone: string }) => phone)).toEqual(numbers);
    const exported = await app.admin.get(`${path}/export/list?format=csv&department=Phones`).expect(200);
    const file = await app.anon.get(new URL(exported.body.url).pathname).buffer(true);
    const reimported = await runImport(app.admin, { file: Buffer.from(file.text), mode: 'upsert' });
    expect(reimported).toMatchObject({
      status: 'completed',
      counts: { unchanged: numbers.length, updated: 0, failed: 0 },
    });
  });
});

const optional = ['phone', 'work_schedule', 'location', 'manager_id'];
const none = Object.fromEntries(optional.map((field) => [field, null]));
const empty = Object.fromEntries(optional.map((field) => [field, '']));
const noContact = { name: '', phone: '', relationship: '' };

describe('an empty text means null', () => {
  test('when creating or updating people, one by one or in bulk', async () => {
    const { body } = await app.admin.post(path, personWith({ ...empty, emergency_contact: noContact })).expect(201);
    expect(body).toMatchObject({ ...none, emergency_contact: null });
    const full = { phone: '1', location: 'Here', work_schedule: 'Nights', emergency_contact: { name: 'Ada' } };
    for (const method of ['put', 'patch'] as const) {
      await app.admin.put(`${path}/${body.id}`, full).expect(200);
      const cleared = await app.admin[method](`${path}/${body.id}`, { ...empty, emergency_contact: noContact });
      expect(cleared.body).toMatchObject({ ...none, emergency_contact: null });
    }
    const { email } = (await app.admin.put(`${path}/${body.id}`, full).expect(200)).body;
    const items = [{ email, ...empty, emergency_contact: noContact }, personWith(empty)];
    const { results } = (await app.admin.post(`${path}/bulk`, { mode: 'upsert', items }).expect(200)).body;
    for (const { id } of results) {
      expect((await app.admin.get(`${path}/${id}`)).body).toMatchObject({ ...none, emergency_contact: null });
    }
  });

  test('for status reasons, subscriptions, preferences, and documents', async () => {
    const { id } = (await app.admin.post(path, personWith()).expect(201)).body;
    const status = await app.admin.post(`${path}/${id}/activate`, { reason: '' }).expect(200);
    expect(status.body.reason).toBeNull();
    const locale = await app.admin.put(`${path}/${app.admin.collaborator_id}/notifications`, { locale: '' });
    expect([locale.status, locale.body.locale]).toEqual([200, null]);
    const subscription = { url: 'https://93.184.215.14/hook', events: ['*'], description: '' };
    const { body } = await app.admin.post('/v1/webhooks', subscription).expect(201);
    expect(body.description).toBeNull();
    await app.admin.put(`/v1/webhooks/${body.id}`, { description: 'x' }).expect(200);
    expect(
      (await app.admin.put(`/v1/webhooks/${body.id}`, { description: '' }).expect(200)).body.description,
    ).toBeNull();
    const document = await app.admin
      .post(`${path}/${id}/documents`)
      .field({ type: 'contract', description: '' })
      .attach('file', Buffer.from('text'), 'a.txt')
      .expect(201);
    expect(document.body.description).toBeNull();
  });

  test('for the sheet of an import', async () => {
    const file = csv([requiredHeaders, ['Person', 'sheet@example.com', 'x', 'y']]);
    expect(await runImport(app.admin, { file, sheet: '' })).toMatchObject({ status: 'completed' });
    const content = { filename: 'a.csv', content_base64: file.toString('base64'), sheet: '', mode: 'upsert' };
    await app.admin.post(`${path}/import`, content).expect(202);
  });

  test.each(['name', 'email', 'position', 'department'])(
    'except for the required %s, with a single error',
    async (field) => {
      for (const request of [
        app.admin.post(path, personWith({ [field]: '' })),
        app.admin.put(`${path}/${app.report.collaborator_id}`, { [field]: '' }),
      ]) {
        const { body } = await request.expect(400);
        expect(Object.keys(body.details)).toEqual([field]);
        expect(body.details[field]).toHaveLength(1);
      }
    },
  );
});

/** Paths of the nullable text fields of a schema. Fields with a format aren't free texts. */
function optionalTexts(schema: Schema, path: string[] = []): string[][] {
  return Object.entries(resolve(schema).properties ?? {}).flatMap(([name, property]) => {
    const { type, format, readOnly, anyOf = [] } = resolve(property) as Schema & { anyOf?: Schema[] };
    if (readOnly) return [];
    const here = [...path, name];
    const isText = Array.isArray(type) && type.includes('string') && type.includes('null') && format === undefined;
    return [...(isText ? [here] : []), ...anyOf.flatMap((each) => optionalTexts(each, here))];
  });
}

const all = Object.entries(bodies).flatMap(([name, validate]) =>
  optionalTexts(contract.components.schemas[name]!).map((at) => [`${name}: ${at.join('.')}`, validate, at] as const),
);
const ofForms = contractOperations.flatMap(({ operation: { operationId, requestBody } }) => {
  const form = requestBody?.content['multipart/form-data']?.schema;
  const validate = forms[operationId as keyof typeof forms];
  return form ? optionalTexts(form).map((at) => [`${operationId}: ${at.join('.')}`, validate, at] as const) : [];
});

test('the list of optional texts is complete', () => expect(all.length).toBeGreaterThan(20));

test.each([...all, ...ofForms])('%s may be empty', (_, validate, at) => {
  const value = at.reduceRight((inner: unknown, name) => ({ [name]: inner }), '') as object;
  validate(value);
  expect(validate.errors?.filter(({ instancePath }) => instancePath === `/${at.join('/')}`) ?? []).toEqual([]);
  expect(at.reduce((object, name) => (object as Record<string, unknown>)[name] as object, value)).toBeNull();
});
