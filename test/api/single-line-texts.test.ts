/** Single-line texts, email addresses, and empty texts follow the same rules wherever they are sent or compared. */
import { type TestApp, testApp } from '../helpers/app.ts';
import { csv, errorsOf, requiredHeaders, runImport } from '../helpers/resources/imports.ts';
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
const address = () => `person${++serial}@texts.example`;
const person = (fields: object = {}) => ({
  ...{ name: 'Ana Luz', email: address(), position: 'Planner', department: 'Fleet' },
  ...fields,
});
const added = async (fields: object) => (await app.admin.post(path, person(fields)).expect(201)).body;
const bulk = async (mode: string, ...items: object[]) =>
  (await app.admin.post(`${path}/bulk`, { mode, items }).expect(200)).body.results;

const optional = ['phone', 'work_schedule', 'location', 'external_id', 'employee_number'];
const required = ['name', 'position', 'department'];
const contact = ['name', 'phone', 'relationship'];

describe('single-line texts', () => {
  test('are composed (NFC), and trimmed of invisible characters at their ends', async () => {
    const each = (text: (field: string) => string) =>
      Object.fromEntries([...required, ...optional].map((field) => [field, text(field)]));
    const { id } = await added(each((field) => `\u3000\u202aOperac\u0327o\u0303es ${field}\u200b\n`));
    const { body } = await app.admin.get(`${path}/${id}`).expect(200);
    expect(body).toMatchObject(each((field) => `Operações ${field}`));
    const sent = each((field) => ` Ope\u0301ra ${field} `);
    const { body: changed } = await app.admin.put(`${path}/${id}`, sent).expect(200);
    expect(changed).toMatchObject(each((field) => `Opéra ${field}`));
  });

  test('normalizes emergency contacts too', async () => {
    const emergencyContact = Object.fromEntries(contact.map((field) => [field, ` Jose\u0301 ${field}\u2800`]));
    const { body } = await app.admin.post(path, person({ emergency_contact: emergencyContact })).expect(201);
    expect(body.emergency_contact).toEqual(Object.fromEntries(contact.map((field) => [field, `José ${field}`])));
  });

  test.each(['', '\u200b\u200b'])('treats %j as blank: rejected if required, else null', async (blank) => {
    for (const field of required) {
      const { body } = await app.admin.post(path, person({ [field]: blank })).expect(400);
      const message = 'Must not be blank: write something other than spaces.';
      expect(body.details).toEqual({ [field]: [{ code: 'too_short', message }] });
    }
    const { id } = await added(Object.fromEntries(optional.map((field) => [field, `x${++serial}`])));
    const { body } = await app.admin.put(`${path}/${id}`, Object.fromEntries(optional.map((field) => [field, blank])));
    expect(optional.map((field) => body[field])).toEqual(optional.map(() => null));
  });

  test.each([
    ['\0', 'Must not contain the invisible character U+0000.'],
    ['\u202e', 'Must not contain the invisible character U+202E.'],
    ['\n', 'Must be on one line: it contains a line break (U+000A).'],
  ])('rejects %j inside a text, and names it', async (character, message) => {
    const text = `Ana${character}Luz`;
    const fields = Object.fromEntries([...required, ...optional].map((field) => [field, text]));
    const emergencyContact = Object.fromEntries(contact.map((field) => [field, text]));
    const { body } = await app.admin.post(path, person({ ...fields, emergency_contact: emergencyContact })).expect(400);
    const refused = [{ code: 'invalid_format', message }];
    const names = [...required, ...optional, ...contact.map((field) => `emergency_contact.${field}`)];
    expect(body.details).toEqual(Object.fromEntries(names.map((name) => [name, refused])));
    const [{ error }] = await bulk('create', person({ ...fields, emergency_contact: emergencyContact }));
    expect(error.details).toEqual(body.details);
  });

  test('normalizes names of companies, apps, and webhooks', async () => {
    const change = { name: ' Verde Logi\u0301stica\u200b' };
    expect((await app.admin.put('/v1/company', change).expect(200)).body.name).toBe('Verde Logística');
    const { body } = await app.admin.put('/v1/company', { name: 'Verde\u202eLtda' }).expect(400);
    expect(body.details.name).toEqual([
      { code: 'invalid_format', message: 'Must not contain the invisible character U+202E.' },
    ]);
    const hidden = await app.admin.put('/v1/company', { name: 'Ver\u200bde' }).expect(400);
    expect(hidden.body.details.name[0].message).toContain('U+200B');
    const redirectUris = ['https://planner.example/callback'];
    const created = await app.admin.post('/v1/apps', {
      name: '\u00a0Shift planner\u2060',
      kind: 'public',
      redirect_uris: redirectUris,
    });
    expect(created.body.app?.name ?? created.body.name).toBe('Shift planner');
    const hook = { url: 'https://hooks.texts.example/a', events: ['*'], description: ' Badges\u200b ' };
    expect((await app.admin.post('/v1/webhooks', hook).expect(201)).body).toMatchObject({ description: 'Badges' });
  });
});

describe('comparison', () => {
  test('filters, search, and field values match texts that look the same', async () => {
    const ends = [
      ['Manutenção', 'Manutenc\u0327a\u0303o'],
      [' Manutenção', 'Manutenção\u200b'],
    ].flat();
    const ids: string[] = [];
    for (const [at, text] of ends.entries()) {
      const { id } = await added({
        department: text,
        location: text,
        external_id: `${text}${at}`,
        employee_number: `N${at}${text}`,
      });
      ids.push(id);
    }
    for (const text of ends) {
      for (const field of ['department', 'location', 'search']) {
        const sent = field === 'search' ? `person${serial}\u200b ` : text;
        const { body } = await app.admin.get(`${path}?${field}=${encodeURIComponent(sent)}`).expect(200);
        expect([field, body.data.length]).toEqual([field, field === 'search' ? 1 : ends.length]);
      }
    }
    for (const [field, text] of [
      ['external_id', ' Manutenc\u0327a\u0303o1 '],
      ['employee_number', 'N1Manutenc\u0327a\u0303o'],
      ['email', `\u202aPerson${serial}@Texts.example\u202c`],
    ] as const) {
      const { body } = await app.admin.get(`${path}?${field}=${encodeURIComponent(text)}`).expect(200);
      expect([field, body.data.length]).toEqual([field, 1]);
    }
    const { body } = await app.admin.get(`/v1/field-values/department`).expect(200);
    expect(body.data.filter(({ value }: { value: string }) => value.includes('Manuten'))).toEqual([
      { value: 'Manutenção', count: ends.length },
    ]);
    expect(ids).toHaveLength(ends.length);
  });

  test('two spellings of an id are the same id', async () => {
    await added({ external_id: 'José', employee_number: 'Nº 1' });
    const { body } = await app.admin
      .post(path, person({ external_id: 'Jose\u0301 ', employee_number: '\u200eNº 1' }))
      .expect(400);
    expect(Object.keys(body.details).sort()).toEqual(['employee_number', 'external_id']);
  });

  test.each(['department=%20', 'location=%E2%80%8B', 'search=%E3%85%A4', 'department=a%1Bb'])(
    'rejects ?%s',
    async (query) => {
      const { body } = await app.admin.get(`${path}?${query}`).expect(400);
      expect(body.error).toBe('invalid_parameter');
    },
  );
});

describe('an empty text is null', () => {
  test('for dates too, but not for numbers', async () => {
    const { id } = await added({ hire_date: '', termination_date: '' });
    await app.admin.put(`${path}/${id}`, { hire_date: '2026-03-02', termination_date: '2026-06-30' }).expect(200);
    const { body } = await app.admin.put(`${path}/${id}`, { hire_date: '', termination_date: '' }).expect(200);
    expect(body).toMatchObject({ hire_date: null, termination_date: null });
    expect((await bulk('update', { id, hire_date: '' }))[0]).toMatchObject({ status: 'unchanged' });
    expect((await app.admin.put(`${path}/${id}`, { salary: '' }).expect(400)).body.details).toHaveProperty('salary');
  });

  test.each(['external_id', 'employee_number', 'id'])('in bulk, an empty %s isn’t a key', async (field) => {
    const known = person();
    const { body: before } = await app.admin.post(path, known).expect(201);
    for (const blank of ['', ...(field === 'id' ? [] : ['\u200b'])]) {
      const [upserted] = await bulk('upsert', { ...known, [field]: blank });
      expect([blank, upserted]).toEqual([blank, expect.objectContaining({ status: 'unchanged', id: before.id })]);
      const [updated] = await bulk('update', { email: known.email, name: `Ana ${++serial}`, [field]: blank });
      expect(updated).toMatchObject({ status: 'updated', id: before.id });
      await bulk('update', { email: known.email, name: known.name });
      const two = await bulk('upsert', person({ [field]: blank }), person({ [field]: blank }));
      expect(two).toMatchObject([{ status: 'created' }, { status: 'created' }]);
    }
  });

  test.each(['external_id', 'employee_number', 'id'])('with match_by, an empty %s is missing', async (matchBy) => {
    for (const mode of ['update', 'upsert']) {
      const items = [person({ [matchBy]: '' })];
      const { body } = await app.admin.post(`${path}/bulk`, { mode, match_by: matchBy, items }).expect(200);
      expect(body.results[0].error.details).toMatchObject({ [matchBy]: [{ code: 'required' }] });
    }
  });

  test('two items with the same key in different spellings match the same person', async () => {
    const results = await bulk('upsert', person({ external_id: 'Zoë' }), person({ external_id: ' Zoe\u0308' }));
    expect(results).toMatchObject([{ status: 'created' }, { status: 'failed' }]);
  });
});

describe('email addresses', () => {
  const long = 'a'.repeat(64);

  test.each([
    ['\u202aana1@texts.example\u202c', 'ana1@texts.example'],
    ['ana3@münchen.example', 'ana3@xn--mnchen-3ya.example'],
  ])('stores %j as %s', async (email, stored) => {
    const { body } = await app.admin.post(path, person({ email })).expect(201);
    expect(body.email).toBe(stored);
    const { body: found } = await app.admin.get(`${path}?email=${encodeURIComponent(email)}`).expect(200);
    expect(found.data).toHaveLength(1);
    const [duplicate] = await bulk('create', person({ email }));
    expect(duplicate.error.details.email).toMatchObject([{ code: 'taken' }]);
    const [same] = await bulk('update', { email, phone: '+55 11 3555-0100' });
    expect(same).toMatchObject({ status: 'updated', id: body.id });
    const file = csv([requiredHeaders, ['Ana Luz', email, 'Planner', 'Fleet']]);
    const job = await runImport(app.admin, { file, encoding: 'utf-8', mode: 'upsert' });
    expect(job.counts).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });

  test.each([
    ['ana@te\u200bxts.example', 'Must not contain the invisible character U+200B.'],
    [`a${long}@texts.example`, 'Must be a valid email address, such as ana@company.example.'],
  ])('rejects %j', async (email, message) => {
    const { body } = await app.admin.post(path, person({ email })).expect(400);
    expect(body.details).toEqual({ email: [{ code: 'invalid_format', message }] });
    const [{ error }] = await bulk('create', person({ email }));
    expect(error.details).toEqual(body.details);
    const file = csv([requiredHeaders, ['Ana Luz', email, 'Planner', 'Fleet']]);
    const job = await runImport(app.admin, { file, encoding: 'utf-8' });
    expect(await errorsOf(app.admin, job.id)).toMatchObject([{ field: 'email', code: 'invalid_format', message }]);
  });
});
