/** Erasing a person erases what a directory sent about them. */
import { eraseFromDirectories } from '../../../src/product/erasure/directory-traces.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addDirectory, enterpriseUrn } from '../../helpers/resources/directories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('erases attributes, groups, errors, and the name as a manager', async () => {
  const directory = await addDirectory(app);
  const address = 'zoe.unmistakable@erase.example';
  const { body: person } = await directory.post('/Users', { userName: address, nickName: 'Unmistakable' }).expect(201);
  const { body: other } = await directory.post('/Users', { userName: 'other@erase.example' }).expect(201);
  await directory
    .post('/Groups', { displayName: 'Some', members: [{ value: person.id }, { value: other.id }] })
    .expect(201);
  await directory.post('/Users', { userName: address }).expect(409);
  const awaiting = {
    userName: 'late@erase.example',
    [enterpriseUrn]: { manager: { value: 'Zoe.Unmistakable@erase.example ' } },
  };
  await directory.post('/Users', awaiting).expect(201);
  await app.database.query('update directory_people set awaited_manager = $1 where user_name = $2', [
    address,
    awaiting.userName,
  ]);
  const traced = async () => {
    const tables = [];
    for (const table of ['people', 'members', 'errors']) {
      const rows = await app.database.query(`select directory_${table}::text as text from directory_${table}`);
      const own = rows.map(({ text }) => String(text)).filter((text) => !text.includes(awaiting.userName));
      if (own.some((text) => text.toLowerCase().includes('unmistakable') || text.includes(person.id)))
        tables.push(table);
    }
    return tables;
  };
  expect(await traced()).toEqual(['people', 'members', 'errors']);
  const tenant = app.database.db.tenant(app.company_id);
  const erased = await tenant.transaction((tx) => eraseFromDirectories(tx, { id: person.id, addresses: [address] }));
  expect(erased).toBe(1);
  expect(await traced()).toEqual([]);
  const members = await app.database.query('select collaborator_id from directory_members');
  expect(members).toEqual([{ collaborator_id: other.id }]);
  const [late] = await app.database.query('select awaited_manager from directory_people where user_name = $1', [
    awaiting.userName,
  ]);
  expect(late).toEqual({ awaited_manager: null });
});

test('erases the person from what directories sent about others, and nothing else', async () => {
  const directory = await addDirectory(app);
  const sent = { userName: 'bea.erasable', externalId: '77', emails: [{ value: 'bea@erase.example', type: 'work' }] };
  const { body: person } = await directory.post('/Users', sent).expect(201);
  const vendor = 'urn:example:params:scim:schemas:extension:hr:2.0:User';
  const { body: report } = await directory
    .post('/Users', {
      userName: 'rui@erase.example',
      title: 'Room 77',
      nickName: 'bea.erasable2',
      [enterpriseUrn]: { department: 'Fleet', manager: { value: '77', displayName: 'Bea Erasable' } },
      [vendor]: {
        mentor: 'Bea <BEA@erase.example>',
        floor: 3,
        buddies: [{ value: 'bea@erase.example', display: 'Bea' }],
      },
    })
    .expect(201);
  const tenant = app.database.db.tenant(app.company_id);
  const about = { id: person.id, addresses: ['bea@erase.example'] };
  await tenant.transaction((tx) => eraseFromDirectories(tx, about));
  const { body } = await directory.get(`/Users/${report.id}`).expect(200);
  expect(body).toMatchObject({ title: 'Room 77', nickName: 'bea.erasable2' });
  expect(body[enterpriseUrn]).toEqual({ department: 'Fleet' });
  expect(body[vendor]).toEqual({ floor: 3, buddies: [] });
  expect(body.meta.version).not.toBe(report.meta.version);
});
