/** A person in several companies, one of which can't erase them now. */
import { createPerson } from '../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { startImport } from '../../helpers/resources/imports.ts';

let app: TestApp;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  [app, folder] = await Promise.all([testApp(), temporaryFolder()]);
});
afterAll(async () => {
  await app.close();
  await folder.remove();
});

test('erases them in the others, keeps the account, and reports what is left', async () => {
  const { db, url, query } = app.database;
  const password = 'correct horse battery staple';
  const personInBoth = {
    name: 'Lia Both',
    email: 'both@example.com',
    position: 'Clerk',
    department: 'Office',
    password,
  };
  const companies = [app.company_id, app.outsider.company_id].sort(); // in processing order
  const there = new Map<string, string>();
  for (const id of companies) there.set(id, (await createPerson(db, id, personInBoth)).collaborator_id);
  const [first, last] = companies;
  const importId = await startImport(first === app.company_id ? app.admin : app.outsider, {}); // no worker runs it

  const args = ['erase-person', '--json', '--user', personInBoth.email, '--yes'];
  const { code, stdout, stderr } = await runCli(args, settings(folder.path, url));
  const reason = `import ${importId} of this company has not ended: wait for it, or cancel it`;
  expect(JSON.parse(stdout)).toMatchObject({
    erased: [{ company_id: last, collaborator_id: there.get(last!), user: 'kept' }],
    failed: [{ company_id: first, reason }],
  });
  expect(stderr).toContain(`company ${first}: ${reason}`);
  expect(code).toBe(1);
  const nameIn = async (companyId: string) => {
    const sql = 'select name from collaborators where company_id = $1 and id = $2';
    return (await query<{ name: string }>(sql, [companyId, there.get(companyId)]))[0]!.name;
  };
  expect([await nameIn(first!), await nameIn(last!)]).toEqual([personInBoth.name, 'Erased']);
  expect(await query('select from users where email = $1', [personInBoth.email])).toHaveLength(1);
});
