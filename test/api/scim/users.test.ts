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
const person = (userName = address()) => ({
  schemas: [userUrn, enterpriseUrn],
  userName,
  externalId: `okta-${randomUUID()}`,
  name: { givenName: 'Mariana', familyName: 'Duarte' },
  title: 'Planner',
  emails: [{ value: userName, type: 'work', primary: true }],
  phoneNumbers: [{ value: '+55 19 91234-5678', type: 'work' }],
  addresses: [{ type: 'work', locality: 'Campinas', country: 'BR' }],
  active: true,
  [enterpriseUrn]: { department: 'Logistics', employeeNumber: randomUUID() },
});
const record = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
const add = async (more: object = {}) => (await directory.post('/Users', { ...person(), ...more }).expect(201)).body;

describe('create', () => {
  test('adds a person with the provider’s data as a collaborator', async () => {
    const sent = person();
    const { body, headers } = await directory.post('/Users', sent).expect(201);
    expect(headers['content-type']).toBe('application/scim+json; charset=utf-8');
    expect(headers.location).toBe(body.meta.location);
    expect(headers.etag).toBe(body.meta.version);
    expect(body).toMatchObject(sent);
    expect(await record(body.id)).toMatchObject({
      name: 'Mariana Duarte',
      email: sent.userName,
      position: 'Planner',
      department: 'Logistics',
      phone: '+55 19 91234-5678',
      location: 'Campinas',
      external_id: sent.externalId,
      status: 'pending',
      role: 'employee',
    });
    const { body: reread } = await directory.get(`/Users/${body.id}`).expect(200);
    expect(reread).toEqual(body);
  });

  test('uses the directory’s defaults for missing data', async () => {
    const { body } = await directory.post('/Users', { userName: address() }).expect(201);
    expect(await record(body.id)).toMatchObject({
      department: 'Unassigned',
      position: 'Unassigned',
      name: body.userName,
    });
  });

  test('takes over an existing person without a directory by email', async () => {
    const email = address();
    const fields = { name: 'Ada', email, position: 'Lead', department: 'Fleet', location: 'Porto' };
    const { id } = (await app.admin.post('/v1/collaborators', fields).expect(201)).body;
    const { body } = await directory
      .post('/Users', { userName: 'ada.upn', emails: [{ value: email.toUpperCase() }], displayName: 'Ada L.' })
      .expect(201);
    expect(body.id).toBe(id);
    expect(await record(id)).toMatchObject({
      name: 'Ada L.',
      position: 'Lead',
      department: 'Fleet',
      location: 'Porto',
    });
  });

  test('gives people it takes over the external id, unless they have one', async () => {
    for (const external_id of [null, randomUUID()]) {
      const email = address();
      const fields = { name: 'Ada', email, position: 'Lead', department: 'Fleet', external_id };
      const { id } = (await app.admin.post('/v1/collaborators', fields).expect(201)).body;
      const { externalId } = (await directory.post('/Users', person(email)).expect(201)).body;
      expect((await record(id)).external_id).toBe(external_id ?? externalId);
    }
  });

  test('returns 409 uniqueness for duplicates, by user name in any case and by external id', async () => {
    const { userName, externalId } = await add();
    for (const twice of [{ userName: userName.toUpperCase() }, { userName: address(), externalId }]) {
      const { body } = await directory.post('/Users', twice).expect(409);
      expect(body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '409',
        scimType: 'uniqueness',
      });
    }
  });

  test('returns 409 for a person of another directory', async () => {
    const other = await addDirectory(app);
    const { userName } = await add();
    const { body } = await other.post('/Users', { userName }).expect(409);
    expect(body.scimType).toBe('uniqueness');
    await other
      .get(`/Users?filter=userName eq "${userName}"`)
      .expect(200)
      .expect(({ body }) => expect(body.totalResults).toBe(0));
  });

  test('invites people immediately if the directory says so', async () => {
    const inviting = await addDirectory(app, { on_create: 'invite' });
    const { body } = await inviting.post('/Users', { userName: address() }).expect(201);
    const { body: status } = await app.admin.get(`/v1/collaborators/${body.id}/status`).expect(200);
    expect(status.invitation.state).toBe('sent');
  });

  test.each([
    ['no user name', {}],
    ['no address', { userName: 'mariana' }],
    ['an address that is none', { userName: 'a', emails: [{ value: 'not an address' }] }],
    ['a name with a line break', { userName: 'a@b.example', displayName: 'A\nB' }],
  ])('returns a SCIM 400 error with %s', async (_, body) => {
    const response = await directory.post('/Users', body).expect(400);
    expect(response.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '400',
      scimType: 'invalidValue',
      detail: expect.any(String),
    });
  });

  test('causes an event, and names the directory in history and audit log', async () => {
    const { id } = await add();
    const [entry] = (await app.admin.get(`/v1/collaborators/${id}/history`).expect(200)).body.data;
    expect(entry).toMatchObject({
      action: 'created',
      user_id: directory.id,
      actor: null,
      directory: { id: directory.id, name: 'Okta' },
    });
    const { body: audit } = await app.admin.get(`/v1/audit?target_id=${id}`).expect(200);
    expect(audit.data).toMatchObject([
      { action: 'directory.person_added', actor: { type: 'directory', name: 'Okta', user_id: directory.id } },
    ]);
    const events = await app.database.query(
      "select 1 from events where name = 'collaborator.created' and payload::json ->> 'id' = $1",
      [id],
    );
    expect(events).toHaveLength(1);
  });
});

describe('update', () => {
  test('replaces by PUT, and does nothing without a change', async () => {
    const sent = person();
    const { body: added } = await directory.post('/Users', sent).expect(201);
    const { body: same } = await directory.put(`/Users/${added.id}`, sent).expect(200);
    expect(same).toEqual(added);
    const { addresses: _, ...without } = sent;
    const { body } = await directory.put(`/Users/${added.id}`, { ...without, title: 'Lead' }).expect(200);
    expect(body.meta.version).not.toBe(added.meta.version);
    expect(await record(added.id)).toMatchObject({ position: 'Lead', location: null });
  });

  test('keeps values that the directory never sent', async () => {
    const { id, userName } = (await directory.post('/Users', { userName: address() })).body;
    await app.admin.patch(`/v1/collaborators/${id}`, { phone: '+1 23', department: 'Fleet' }).expect(200);
    await directory.put(`/Users/${id}`, { userName, displayName: 'New' }).expect(200);
    expect(await record(id)).toMatchObject({ name: 'New', phone: '+1 23', department: 'Fleet' });
  });

  test('returns 412 for another version', async () => {
    const added = await add();
    const change = () =>
      directory
        .patch(`/Users/${added.id}`, { op: 'replace', path: 'title', value: 'Lead' })
        .set('If-Match', added.meta.version);
    await change().expect(200);
    await change().expect(412);
    await directory.get(`/Users/${added.id}`).set('If-None-Match', added.meta.version).expect(200);
  });

  test('a person who leaves and returns is the same person', async () => {
    for (const onDelete of ['deactivate', 'delete']) {
      const provider = await addDirectory(app, { on_delete: onDelete });
      const sent = person();
      const { id } = (await provider.post('/Users', sent).expect(201)).body;
      await provider.delete(`/Users/${id}`).expect(204);
      await provider.get(`/Users/${id}`).expect(404);
      if (onDelete === 'delete') await app.admin.get(`/v1/collaborators/${id}`).expect(404);
      else expect(await record(id)).toMatchObject({ status: 'inactive' });
      const { body: back } = await provider.post('/Users', { ...sent, userName: address() }).expect(201);
      expect(back).toMatchObject({ id, active: true });
      expect(await record(id)).toMatchObject({ status: 'pending' });
    }
  });

  test('resolves a manager who is added later', async () => {
    const manager = person();
    const { id } = await add({ [enterpriseUrn]: { manager: { value: manager.externalId } } });
    expect((await record(id)).manager_id).toBeNull();
    const { id: managerId } = (await directory.post('/Users', manager).expect(201)).body;
    expect((await record(id)).manager_id).toBe(managerId);
    await directory.patch(`/Users/${id}`, { op: 'remove', path: `${enterpriseUrn}:manager` }).expect(200);
    expect((await record(id)).manager_id).toBeNull();
    await directory
      .patch(`/Users/${id}`, { op: 'add', path: `${enterpriseUrn}:manager`, value: managerId })
      .expect(200);
    await directory
      .patch(`/Users/${managerId}`, { op: 'replace', path: `${enterpriseUrn}:manager`, value: { value: id } })
      .expect(400);
  });

  test('stores and returns unsupported attributes unchanged', async () => {
    const sent = {
      nickName: 'Mari',
      preferredLanguage: 'pt-BR',
      'urn:acme:2.0:User': { badge: 'A1', password: 'x' },
      password: 'hunter2',
    };
    const { id } = await add(sent);
    const { body } = await directory.get(`/Users/${id}`).expect(200);
    expect(body).toMatchObject({ nickName: 'Mari', preferredLanguage: 'pt-BR', 'urn:acme:2.0:User': { badge: 'A1' } });
    expect(body.password).toBeUndefined();
    const [stored] = await app.database.query<{ row: string }>(
      'select directory_people::text as row from directory_people where collaborator_id = $1',
      [id],
    );
    expect(stored!.row).toContain('preferredLanguage');
    expect(stored!.row).not.toContain('hunter2');
  });
});

describe('list', () => {
  let provider: TestDirectory;
  const names = ['Ana', 'bruno', 'Carla', 'Davi'];
  beforeAll(async () => {
    provider = await addDirectory(app);
    for (const [at, givenName] of names.entries()) {
      const sent = {
        ...person(`${givenName.toLowerCase()}@list.example`),
        name: { givenName, familyName: 'Silva' },
        title: `Level ${at}`,
      };
      await provider.post('/Users', sent).expect(201);
    }
  });
  const found = async (filter: string) => {
    const { body } = await provider.get(`/Users?sortBy=userName&filter=${encodeURIComponent(filter)}`).expect(200);
    return body.Resources.map((each: { name: { givenName: string } }) => each.name.givenName);
  };

  test('returns pages with the total', async () => {
    const { body } = await provider.get('/Users?startIndex=2&count=2&sortBy=userName').expect(200);
    expect(body).toMatchObject({ totalResults: 4, startIndex: 2, itemsPerPage: 2 });
    expect(body.Resources.map((each: { userName: string }) => each.userName)).toEqual([
      'bruno@list.example',
      'carla@list.example',
    ]);
    const { body: none } = await provider.get('/Users?count=0').expect(200);
    expect(none).toMatchObject({ totalResults: 4, Resources: [] });
    const { body: first } = await provider.get('/Users?sortBy=userName&sortOrder=descending&count=1').expect(200);
    expect(first.Resources[0].userName).toBe('davi@list.example');
    for (const name of ['salary', 'constructor']) await provider.get(`/Users?sortBy=${name}`).expect(400);
  });

  test.each([
    ['userName eq "ANA@list.example"', ['Ana']],
    ['username Eq "ana@list.example"', ['Ana']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "b"', ['bruno']],
    ['name.givenName co "A"', ['Ana', 'Carla', 'Davi']],
    ['userName ew "list.example" and not (name.givenName eq "ana")', ['bruno', 'Carla', 'Davi']],
    ['emails[type eq "work" and value eq "davi@list.example"]', ['Davi']],
    ['emails.value eq "carla@list.example" or title eq "level 0"', ['Ana', 'Carla']],
    ['emails[type eq "home"]', []],
    ['active eq true and title gt "Level 1"', ['Carla', 'Davi']],
    ['active eq "False"', []],
    ['externalId pr and nickName eq null', ['Ana', 'bruno', 'Carla', 'Davi']],
    ['meta.created ge "2020-01-01T00:00:00Z"', ['Ana', 'bruno', 'Carla', 'Davi']],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "logistics"',
      ['Ana', 'bruno', 'Carla', 'Davi'],
    ],
    ['userName eq "\' or 1=1 --"', []],
    ['userName co "%"', []],
  ])('filters by %s', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  test.each([
    'userName eq',
    'userName like "a"',
    'salary gt 1',
    'emails[salary eq 1]',
    '(userName pr',
    'constructor eq "a"',
    '__proto__ pr',
    `userName eq "${'x'.repeat(2_000)}"`,
    'constructor[value eq "1"]',
    'meta.created gt "soon"',
    'meta.created gt "0000-01-01T00:00:00Z"',
    'meta.created lt "+275000-01-01T00:00:00Z"',
    Array(80).fill('title pr').join(' or '),
  ])('rejects the filter %s', async (filter) => {
    const { body } = await provider.get(`/Users?filter=${encodeURIComponent(filter)}`).expect(400);
    expect(['invalidFilter', 'invalidValue']).toContain(body.scimType);
  });

  test('returns only requested attributes', async () => {
    const one = async (query: string) =>
      (await provider.get(`/Users?sortBy=userName&count=1&${query}`).expect(200)).body.Resources[0];
    expect(await one('attributes=userName,NAME.givenname')).toEqual({
      schemas: expect.any(Array),
      id: expect.any(String),
      userName: 'ana@list.example',
      name: { givenName: 'Ana' },
    });
    const rest = await one(`excludedAttributes=emails,id,${enterpriseUrn}:department`);
    expect(rest.emails).toBeUndefined();
    expect(rest.id).toBeDefined();
    expect(rest[enterpriseUrn]).toEqual({ employeeNumber: expect.any(String) });
  });

  test('omits other people of the company, and deleted ones', async () => {
    const { body } = await provider.get('/Users').expect(200);
    expect(body.totalResults).toBe(4);
    await provider.get(`/Users/${app.employee.collaborator_id}`).expect(404);
    const { id, userName } = (await provider.post('/Users', person()).expect(201)).body;
    await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
    await provider.get(`/Users/${id}`).expect(404);
    await provider.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }).expect(404);
    const { body: back } = await provider.post('/Users', { userName }).expect(201);
    expect(back.id).toBe(id);
  });
});
