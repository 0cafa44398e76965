import { run, temporaryFolder } from '../../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  database = await testDatabase(1, { template: 'template0' }); // a server of its own takes longer
  env = { HOME: folder.path, TMPDIR: folder.path, TOOLS_CACHE: `${folder.path}/tools`, DATABASE_URL: database.url };
});

afterAll(async () => {
  await database.drop();
  await folder.remove();
});

test('a client that needs no download is generated, compiles strictly, and completes the scenario', async () => {
  const { code, stdout, stderr } = await run('scripts/proof/sdk-check/sdk-check.ts', ['--all', 'openapi-fetch'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^openapi-fetch, by openapi-typescript [\d.]+ \+ openapi-fetch [\d.]+$/m);
  expect(stdout).toMatch(/^ {2}listed: 3 collaborators on 2 pages$/m);
  expect(stdout).toMatch(/^ {2}webhook: CollaboratorCreated, pending, signature valid$/m);
  expect(stdout).toContain('1 of 1 clients passed.\n');
});
