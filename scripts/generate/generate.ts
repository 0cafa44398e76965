// Generates everything in generated/ from openapi/ and the migrations, the settings and permissions pages, the Postman
// collection, and the translation files. With --check, fails if a file is stale.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { generateValidators } from '../generate-validators.ts';
import { bundleContract, generateTypes } from './bundle-contract.ts';
import { generateDatabaseTypes } from './generate-db-types.ts';
import { generateLanguages } from './languages/languages.ts';
import { renderOpenApi30 } from './openapi-30.ts';
import { renderPermissionsGuide } from './permissions-guide.ts';
import { renderPostmanCollection } from './postman.ts';
import { renderSettingsPage } from './settings-page.ts';

const root = new URL('../../', import.meta.url);

const [contract, database] = await Promise.all([bundleContract(), generateDatabaseTypes()]);
const files = {
  'generated/openapi.json': contract,
  'generated/openapi-3.0.json': renderOpenApi30(contract),
  'generated/scim.json': await bundleContract('openapi/scim.yaml'),
  'generated/api.ts': await generateTypes(contract),
  'generated/db.ts': database,
  ...generateValidators(contract),
  ...generateLanguages(contract),
  'docs/guides/permissions.md': renderPermissionsGuide(contract),
  'docs/guides/postman/collection.json': renderPostmanCollection(contract),
  'docs/operations/settings.md': renderSettingsPage(),
};

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, root);
  if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
  stale.push(name);
  if (check) continue;
  await mkdir(new URL('./', file), { recursive: true });
  await writeFile(file, text);
}
if (check && stale.length > 0) {
  console.error(`${stale.join(', ')} is stale: run \`make generate\` and commit the result.`);
  process.exitCode = 1;
} else if (!check) console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'all generated files are up to date');
