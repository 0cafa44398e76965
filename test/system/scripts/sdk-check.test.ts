import { readFile } from 'node:fs/promises';
import { clients } from '../../../scripts/proof/sdk-check/clients.ts';
import { openapiGenerator } from '../../../scripts/proof/sdk-check/openapi-generator.ts';
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

test('skips a client if the machine lacks its tools, and the table says why', async () => {
  const bare = { ...env, PATH: folder.path };
  expect(await run('scripts/proof/sdk-check/sdk-check.ts', ['--all', 'go'], bare)).toEqual({
    code: 1,
    stderr: 'with --all, none may be skipped: go\n',
    stdout: expect.stringMatching(
      /^go, by .*\n {2}skipped: this machine has no go\n\nclient .*\ngo +oapi-codegen .* openapi\.json +skipped: this machine has no go\n\n0 of 1 clients passed\.\n$/,
    ),
  });
});

test.each(clients)('the table of the page has a row for $name, made by $generator from $document', async (client) => {
  const page = await readFile(new URL('../../../docs/sdks.md', import.meta.url), 'utf8');
  const parts = client.generator.replace(' v', ' ').split(' + ');
  const language = client.name.split('-')[0]!;
  const rows = page.split('\n').filter((line) => parts.every((part) => line.includes(part)));
  const own = rows.filter((row) =>
    client.generator === openapiGenerator ? row.toLowerCase().includes(`\`${language}`) : true,
  );
  expect(own).toEqual([expect.stringContaining(`| \`${client.document}\``)]);
});
