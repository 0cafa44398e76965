import { v7 as uuidv7 } from 'uuid';
import { type Config, readConfig } from '../../../src/platform/config/config.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { addSignInConnection } from '../../helpers/resources/sign-in-connections.ts';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let config: Config;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), temporaryFolder()]);
  env = settings(folder.path, database.url);
  config = readConfig(env);
});

afterAll(async () => {
  await folder.remove();
  await database.drop();
});

const cli = (...args: string[]) => runCli(['sign-in-connection', ...args], env);
const policyOf = async (companyId: string) =>
  (await database.query<{ policy: object }>('select policy from companies where id = $1', [companyId]))[0]!.policy;

test('lists and shows connections without their secrets, and disables one that locked a company out', async () => {
  expect(await cli('list')).toMatchObject({ code: 0, stdout: 'There are no sign-in connections.\n' });
  const admin = { name: 'Mariana', email: 'mariana@example.com', position: 'Planner', department: 'Ops' };
  const { company } = await createCompany(database.db, 'Verde', { ...admin, password: 'correct horse battery staple' });
  const id = await addSignInConnection(
    { database, company_id: company.id, config },
    {
      status: 'enabled',
      sign_in: 'connection_only',
      sign_in_by_role: { manager: 'any' },
      domains: ['verde.example'],
      client_secret: 'known to the provider alone',
    },
  );
  await database.query(`update companies set policy = '{"connection_only": ["admin", "employee"]}' where id = $1`, [
    company.id,
  ]);
  const listed = await cli('list');
  expect(listed.stdout).toContain(id);
  const details = await cli('show', id);
  expect(details.stdout).toMatch(/Sign-in of managers +any\n/);
  expect(details.stdout).toMatch(/Sign-in of employees +connection_only\n/);
  expect(details.stdout).toContain('verde.example (proven)');
  expect(JSON.parse((await cli('show', id, '--json')).stdout)).toMatchObject({
    status: 'enabled',
    policies: { admin: 'connection_only', manager: 'any', employee: 'connection_only' },
    people_count: 0,
  });
  for (const { stdout } of [listed, details]) expect(stdout).not.toMatch(/known to the provider alone|encrypted/);

  expect(await cli('disable', id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is disabled, and its people are signed out'),
  });
  expect(await database.query('select status from sign_in_connections')).toEqual([{ status: 'draft' }]);
  expect(await policyOf(company.id)).toMatchObject({ connection_only: [] });
  const entries = await database.query('select action, actor_type from audit_log where target_id = $1', [id]);
  expect(entries).toEqual([{ action: 'updateSignInConnection', actor_type: 'operator' }]);
  expect(await cli('disable', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('was not enabled') });

  await database.query("update collaborators set role = 'employee'");
  expect((await cli('disable', id)).stdout).toContain('user create --role admin');
  for (const command of ['show', 'disable']) {
    for (const missingId of [uuidv7(), 'x']) {
      expect(await cli(command, missingId)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('there is no sign-in connection'),
      });
    }
  }
});
