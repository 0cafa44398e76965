import { v7 as uuidv7 } from 'uuid';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { runCli } from '../../helpers/cli.ts';
import { settings, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { addDirectory } from '../../helpers/resources/directories.ts';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), temporaryFolder()]);
  env = settings(folder.path, database.url);
});

afterAll(async () => {
  await folder.remove();
  await database.drop();
});

const cli = (...args: string[]) => runCli(['directory', ...args], env);

test('lists directories without their tokens, and deletes one', async () => {
  expect(await cli('list')).toMatchObject({ code: 0, stdout: 'There are no directories.\n' });
  const admin = { name: 'Mariana', email: 'mariana@example.com', position: 'Planner', department: 'Ops' };
  const { company } = await createCompany(database.db, 'Verde', { ...admin, password: 'correct horse battery staple' });
  const { id, token } = await addDirectory({ database, company_id: company.id, base_url: 'http://127.0.0.1' });
  const listed = await cli('list');
  expect(listed.stdout).toContain(id);
  expect(listed.stdout).not.toContain(token);
  expect(await cli('delete', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('no longer works') });
  const entries = await database.query('select action, actor_type from audit_log where target_id = $1', [id]);
  expect(entries).toEqual([{ action: 'deleteDirectory', actor_type: 'operator' }]);
  for (const missingId of [id, uuidv7(), 'x']) {
    expect(await cli('delete', missingId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no directory'),
    });
  }
});
