/** Requests of Okta and Microsoft Entra ID in their usual order, from their developer guides with our names and ids. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory, enterpriseUrn, type TestDirectory, userUrn } from '../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const record = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;

describe('Okta', () => {
  let okta: TestDirectory;
  let id: string;
  const userName = 'helena.prado@verdelog.example';
  const profile = {
    schemas: [userUrn],
    userName,
    name: { givenName: 'Helena', familyName: 'Prado' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Helena Prado',
    locale: 'pt-BR',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  };
  beforeAll(async () => {
    okta = await addDirectory(app, { on_create: 'pending' });
  });

  test('tests the connection', async () => {
    const { body } = await okta.get('/Users?startIndex=1&count=2').expect(200);
    expect(body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      Resources: [],
    });
    await okta.get('/Users/010101001010101011001010101011').expect(404);
    await okta.get('/ServiceProviderConfig').expect(200);
  });

  test('assigns a person', async () => {
    const query = `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`;
    expect((await okta.get(query).expect(200)).body.totalResults).toBe(0);
    const { body } = await okta.post('/Users', profile).expect(201);
    id = body.id;
    expect(body).toMatchObject({ userName, active: true, externalId: profile.externalId });
    expect(JSON.stringify(body)).not.toContain(profile.password);
    expect((await okta.get(query).expect(200)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    await okta.post('/Users', profile).expect(409);
  });

  test('updates the profile by PUT with what it read', async () => {
    const { body } = await okta.get(`/Users/${id}`).expect(200);
    const changed = {
      ...body,
      name: { ...body.name, familyName: 'Prado Lima' },
      displayName: 'Helena Prado Lima',
      title: 'Buyer',
    };
    await okta.put(`/Users/${id}`, changed).expect(200);
    expect(await record(id)).toMatchObject({ name: 'Helena Prado Lima', position: 'Buyer', status: 'pending' });
  });

  test('deactivates and reactivates without a path', async () => {
    const set = (active: boolean) => okta.patch(`/Users/${id}`, { op: 'replace', value: { active } }).expect(200);
    expect((await set(false)).body.active).toBe(false);
    expect(await record(id)).toMatchObject({ status: 'inactive' });
    expect((await okta.get(`/Users/${id}`).expect(200)).body.active).toBe(false);
    expect((await set(true)).body.active).toBe(true);
    expect(await record(id)).toMatchObject({ status: 'pending' });
  });

  test('pushes a group', async () => {
    const { body: group } = await okta
      .post('/Groups', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: 'Purchasing',
        members: [{ value: id, display: userName }],
      })
      .expect(201);
    await okta
      .patch(`/Groups/${group.id}`, { op: 'replace', value: { id: group.id, displayName: 'Purchasing BR' } })
      .expect(204);
    await okta
      .patch(
        `/Groups/${group.id}`,
        { op: 'remove', path: `members[value eq "${id}"]` },
        { op: 'add', path: 'members', value: [{ value: id, display: userName }] },
      )
      .expect(204);
    const { body } = await okta.get(`/Groups/${group.id}`).expect(200);
    expect(body).toMatchObject({ displayName: 'Purchasing BR', members: [{ value: id }] });
  });
});

describe('Entra ID', () => {
  let entra: TestDirectory;
  let id: string;
  let managerId: string;
  const upn = 'Test_User_dfeef4c5-5681-4387-b016-bdf221e82081';
  const mail = 'pedro.alves@verdelog.example';
  beforeAll(async () => {
    entra = await addDirectory(app);
    managerId = (
      await entra
        .post('/Users', { userName: 'chefe', emails: [{ type: 'work', value: 'chefe@verdelog.example' }] })
        .expect(201)
    ).body.id;
  });

  test('probes with a nonexistent user and gets an empty list', async () => {
    const { body } = await entra
      .get(`/Users?filter=${encodeURIComponent('userName eq "non-existent user"')}`)
      .expect(200);
    expect(body).toMatchObject({ totalResults: 0, Resources: [] });
  });

  test('creates a person whose user name isn’t an email', async () => {
    const { body } = await entra
      .post('/Users', {
        schemas: [userUrn, enterpriseUrn],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: upn,
        active: true,
        addresses: [{ primary: false, type: 'work', country: 'Brasil', formatted: 'Rua A, 1', locality: 'Recife' }],
        displayName: 'Pedro Alves',
        emails: [{ primary: true, type: 'work', value: mail }],
        meta: { resourceType: 'User' },
        name: { familyName: 'Alves', formatted: 'Pedro Alves', givenName: 'Pedro' },
        phoneNumbers: [
          { primary: false, type: 'work', value: '+55 81 3456-7890' },
          { type: 'mobile', value: '+55 81 99999-0000' },
        ],
        roles: [],
        title: 'Analyst',
        [enterpriseUrn]: { department: 'Finance', employeeNumber: 'E-77' },
      })
      .expect(201);
    id = body.id;
    expect(body.userName).toBe(upn);
    expect(await record(id)).toMatchObject({
      email: mail,
      name: 'Pedro Alves',
      department: 'Finance',
      location: 'Recife',
      employee_number: 'E-77',
    });
    const { body: found } = await entra
      .get(`/Users?filter=${encodeURIComponent('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')}`)
      .expect(200);
    expect(found).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  });

  test('changes many attributes at once, with filters in paths', async () => {
    const { body } = await entra
      .patch(
        `/Users/${id}`,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'pedro@verdelog.example' },
        { op: 'Replace', path: 'name.familyName', value: 'Alves Costa' },
        { op: 'Replace', path: 'name.formatted', value: 'Pedro Alves Costa' },
        { op: 'Add', path: 'phoneNumbers[type eq "fax"].value', value: '+55 81 0' },
        { op: 'Replace', path: 'addresses[type eq "work"].locality', value: 'Olinda' },
        { op: 'Add', path: 'addresses[type eq "other"].formatted', value: 'Casa' },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'buyer' },
        { op: 'Add', path: `${enterpriseUrn}:manager`, value: managerId },
        { op: 'Replace', path: `${enterpriseUrn}:department`, value: 'Treasury' },
        { op: 'add', value: { [enterpriseUrn]: { division: 'South' } } },
        { op: 'Add', path: enterpriseUrn, value: { organization: 'Verde' } },
        { op: 'replace', value: { 'name.givenName': 'Pedro', [`${enterpriseUrn}:costCenter`]: '900' } },
      )
      .expect(200);
    expect(body).toMatchObject({
      name: { familyName: 'Alves Costa', givenName: 'Pedro' },
      roles: [{ primary: true, value: 'buyer' }],
      [enterpriseUrn]: {
        manager: { value: managerId },
        department: 'Treasury',
        costCenter: '900',
        division: 'South',
        organization: 'Verde',
        employeeNumber: 'E-77',
      },
    });
    expect(body.phoneNumbers).toContainEqual({ type: 'fax', value: '+55 81 0' });
    expect(await record(id)).toMatchObject({
      email: 'pedro@verdelog.example',
      name: 'Pedro Alves Costa',
      location: 'Olinda',
      manager_id: managerId,
      department: 'Treasury',
    });
  });

  test('repeating a change alters neither version nor history', async () => {
    const before = (await entra.get(`/Users/${id}`)).body;
    const history = async () => (await app.admin.get(`/v1/collaborators/${id}/history`)).body.data.length;
    const entries = await history();
    const { body } = await entra
      .patch(
        `/Users/${id}`,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'pedro@verdelog.example' },
        { op: 'Replace', path: 'title', value: 'Analyst' },
        { op: 'Replace', path: `${enterpriseUrn}:manager`, value: managerId },
      )
      .expect(200);
    expect(body).toEqual(before);
    expect(await history()).toBe(entries);
  });

  test('deactivates with a boolean as text, still finds the person, and deletes them a month later', async () => {
    await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }).expect(200);
    expect(await record(id)).toMatchObject({ status: 'inactive' });
    const { body } = await entra
      .get(`/Users?filter=${encodeURIComponent(`userName eq "${upn.toUpperCase()}"`)}`)
      .expect(200);
    expect(body.Resources).toEqual([expect.objectContaining({ id, active: false })]);
    await entra.delete(`/Users/${id}`).expect(204);
    await entra.delete(`/Users/${id}`).expect(404);
  });

  test('manages groups: lists without members, renames, and single members', async () => {
    const { body: group } = await entra
      .post('/Groups', {
        schemas: [
          'urn:ietf:params:scim:schemas:core:2.0:Group',
          'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
        ],
        externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
        displayName: 'Tesouraria',
        meta: { resourceType: 'Group' },
      })
      .expect(201);
    const { body: list } = await entra
      .get(`/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Tesouraria"')}`)
      .expect(200);
    expect(list.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })]);
    await entra.patch(`/Groups/${group.id}`, { op: 'Replace', path: 'displayName', value: 'Tesouraria 2' }).expect(204);
    await entra
      .patch(`/Groups/${group.id}`, { op: 'Add', path: 'members', value: [{ $ref: null, value: managerId }] })
      .expect(204);
    await entra
      .patch(`/Groups/${group.id}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value: managerId }] })
      .expect(204);
    expect((await entra.get(`/Groups/${group.id}`)).body.members).toEqual([]);
  });
});
