// Writes everything in generated/ from openapi/ and the migrations; with --check, fails when a file there is stale.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { bundleContract, generateTypes } from './bundle-contract.ts';
import { generateDatabaseTypes } from './generate-db-types.ts';
import { renderOpenApi30 } from './openapi-30.ts';

const folder = new URL('../generated/', import.meta.url);

const [contract, database] = await Promise.all([bundleContract(), generateDatabaseTypes()]);
const files = {
  'openapi.json': contract,
  'openapi-3.0.json': renderOpenApi30(contract),
  'api.ts': await generateTypes(contract),
  'db.ts': database,
};

const check = process.argv.includes('--check');
const stale: string[] = [];
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, folder);
  if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
  stale.push(`generated/${name}`);
  if (!check) await writeFile(file, text);
}
if (check && stale.length > 0) {
  console.error(`${stale.join(', ')} is stale: run \`make generate\` and commit the result.`);
  process.exitCode = 1;
} else if (!check) console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'generated/ is up to date');
