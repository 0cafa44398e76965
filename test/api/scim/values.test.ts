import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory, enterpriseUrn, type TestDirectory, userUrn } from '../../helpers/resources/directories.ts';

let app: TestApp;
let directory: TestDirectory;
beforeAll(async () => {
  app = await testApp();
  directory = await addDirectory(app);
});
afterAll(() => app.close());

const address = () => `${randomUUID()}@verdelog.example`;
const person = () => {
  const userName = address();
  return { userName, externalId: randomUUID(), emails: [{ value: userName, type: 'work' }] };
};
const record = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
const add = async (more: object = {}) => (await directory.post('/Users', { ...person(), ...more }).expect(201)).body;

describe('null', () => {
  const none = { title: null, displayName: null, name: null, phoneNumbers: null, active: null, [enterpriseUrn]: null };

  test('is the same as no value, when a person is added or replaced', async () => {
    const sent = person();
    const { body } = await directory.post('/Users', { ...sent, ...none }).expect(201);
    expect(body).not.toHaveProperty('title');
    const { externalId: _, ...rest } = sent;
    const { body: replaced } = await directory
      .put(`/Users/${body.id}`, { ...rest, externalId: null, title: 'Lead' })
      .expect(200);
    expect(replaced).not.toHaveProperty('externalId');
    await directory.put(`/Users/${body.id}`, { ...rest, ...none }).expect(200);
    expect(await record(body.id)).toMatchObject({ position: 'Unassigned', external_id: null, status: 'pending' });
    expect((await directory.post('/Users', { ...sent, userName: null }).expect(400)).body.scimType).toBe(
      'invalidValue',
    );
  });

  test('is the same as no value in a group', async () => {
    const group = { displayName: randomUUID(), externalId: null, members: null };
    const { body } = await directory.post('/Groups', group).expect(201);
    await directory.put(`/Groups/${body.id}`, group).expect(200);
  });
});

describe('of the wrong type', () => {
  test.each(['disabled', '0', 0, { value: false }])('active %j is refused, not ignored', async (active) => {
    const { id } = await add();
    const { body } = await directory
      .patch(`/Users/${id}`, { op: 'replace', path: 'active', value: active })
      .expect(400);
    expect(body).toMatchObject({ scimType: 'invalidValue', detail: expect.stringContaining('active') });
    if (typeof active === 'string') await directory.post('/Users', { ...person(), active }).expect(400);
  });

  test.each(['userName', 'externalId'])('%s must be a string', async (path) => {
    const { id } = await add();
    for (const value of [{ a: 1 }, [1], true]) {
      const { body } = await directory.patch(`/Users/${id}`, { op: 'replace', path, value }).expect(400);
      expect(body.scimType).toBe('invalidValue');
    }
  });
});

test('a changed externalId follows the rules of external_id, as in a new person', async () => {
  const { id, externalId } = await add();
  for (const value of ['x'.repeat(300), 'a\nb']) {
    const { body } = await directory.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value }).expect(400);
    expect(body.detail).toMatch(/^externalId: /);
  }
  expect((await record(id)).external_id).toBe(externalId);
  await directory.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: `${externalId}2` }).expect(200);
  expect((await record(id)).external_id).toBe(`${externalId}2`);
});

describe('an error names the attribute that was sent', () => {
  const [long, invalid] = ['x'.repeat(400), 'not@valid'];
  let id: string;
  beforeAll(async () => {
    id = (await add()).id;
  });
  test.each<[string, object]>([
    ['userName', { userName: invalid, emails: undefined }],
    ['emails[type eq "work"].value', { emails: [{ value: 'a@b.example' }, { value: invalid, type: 'Work' }] }],
    ['emails[primary eq true].value', { emails: [{ value: 'a@b.example' }, { value: invalid, primary: true }] }],
    ['emails.value', { emails: [{ value: invalid, type: 'home' }] }],
    ['name.formatted', { name: { formatted: long, familyName: 'y' } }],
    ['displayName', { displayName: long }],
    ['name.familyName', { name: { familyName: long } }],
    ['name.givenName, name.familyName', { name: { givenName: 'Ana', familyName: long } }],
    ['title', { title: long }],
    ['phoneNumbers[type eq "work"].value', { phoneNumbers: [{ value: long, type: 'work' }] }],
    ['addresses.locality', { addresses: [{ locality: long }] }],
    ['addresses.formatted', { addresses: [{ formatted: long }] }],
    [`${enterpriseUrn}:department`, { [enterpriseUrn]: { department: long } }],
    [`${enterpriseUrn}:employeeNumber`, { [enterpriseUrn]: { employeeNumber: long } }],
  ])('%s', async (attribute, sent) => {
    const { body } = await directory.post('/Users', { ...person(), ...sent }).expect(400);
    expect(body).toMatchObject({ scimType: 'invalidValue', detail: expect.stringContaining(`${attribute}: `) });
    expect(body.detail.indexOf(attribute)).toBe(0);
    const { body: replaced } = await directory.put(`/Users/${id}`, { ...person(), ...sent }).expect(400);
    expect(replaced.detail).toBe(body.detail);
  });

  test('that someone else has, or that closes a circle', async () => {
    const [one, other] = [await add({ [enterpriseUrn]: { employeeNumber: 'E1' } }), await add()];
    const path = `${enterpriseUrn}:employeeNumber`;
    const { body } = await directory.patch(`/Users/${other.id}`, { op: 'add', path, value: 'E1' }).expect(409);
    expect(body.detail.startsWith(`${path}: `)).toBe(true);
    const manager = `${enterpriseUrn}:manager`;
    const { body: circle } = await directory
      .patch(`/Users/${one.id}`, { op: 'add', path: manager, value: one.id })
      .expect(400);
    expect(circle.detail.startsWith(`${manager}: `)).toBe(true);
  });
});

describe('a PATCH', () => {
  test('sets the manager from a list with one', async () => {
    const [first, second] = [await add(), await add()];
    const { id } = await add({ [enterpriseUrn]: { manager: { value: first.id } } });
    const path = `${enterpriseUrn}:manager`;
    const { body } = await directory
      .patch(`/Users/${id}`, { op: 'Replace', path, value: [{ value: second.id }] })
      .expect(200);
    expect(body[enterpriseUrn]).toEqual({ manager: { value: second.id } });
    expect((await record(id)).manager_id).toBe(second.id);
  });

  test('without a path applies names that are paths with filters, and those of the core schema', async () => {
    const { id } = await add({ displayName: 'Ana Silva' });
    const email = address();
    const value = {
      'emails[type eq "work"].value': email,
      'phoneNumbers[type eq "work"].value': '+55 81 3456-7890',
      [`${userUrn}:title`]: 'Lead',
      displayName: 'Ana Lima',
    };
    const { body } = await directory.patch(`/Users/${id}`, { op: 'Replace', value }).expect(200);
    expect(body.emails).toEqual([{ value: email, type: 'work' }]);
    expect(await record(id)).toMatchObject({ email, phone: '+55 81 3456-7890', position: 'Lead', name: 'Ana Lima' });
    const { body: same } = await directory.get(`/Users/${id}`).expect(200);
    expect(Object.keys(same).filter((name) => name.includes('['))).toEqual([]);
  });

  test('adds an equal value once, and leaves one primary value', async () => {
    const { id } = await add({ emails: [{ value: 'a@verdelog.example', type: 'work', primary: true }] });
    const home = { value: 'b@verdelog.example', type: 'home', primary: true };
    for (let i = 0; i < 2; i++) await directory.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [home] });
    const { body } = await directory.get(`/Users/${id}`).expect(200);
    expect(body.emails).toHaveLength(2);
    expect(body.emails.filter(({ primary }: { primary?: boolean }) => primary)).toEqual([home]);
  });
});
