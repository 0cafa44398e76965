// Releases the contract: writes its snapshot to openapi/released/, and the changes to openapi/CHANGELOG.md.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  changelogEntry,
  compareContracts,
  newestRelease,
  releaseName,
  textReport,
  withEntry,
} from '@collaborator-api/openapi-contract-diff';
import { bundleContract } from '../generate/bundle-contract.ts';

const contract = 'openapi/openapi.yaml';
const released = 'openapi/released';
const changes = 'openapi/changes';
const policy = 'openapi/contract-policy.yaml';
const exceptions = 'openapi/contract-exceptions.yaml';
const changelog = 'openapi/CHANGELOG.md';
const title =
  '# Changelog of the contract\n\nWritten by `make contract-release` from what the contract diff found. The newest release comes first.\n';

process.chdir(join(import.meta.dirname, '../..'));
const snapshot = await bundleContract();
const { info }: { info: { version: string; 'x-webhook-payload-version': string } } = JSON.parse(snapshot);
const { version, 'x-webhook-payload-version': payload } = info;
const newest = newestRelease(released);
const rules = { policy, changes, ...(existsSync(exceptions) && { exceptions }) };
const result = newest === undefined ? undefined : await compareContracts(newest, contract, rules);

if (result && !result.ok) {
  process.stdout.write(textReport(result));
  process.exitCode = 1;
} else if (newest !== undefined && snapshot === (await readFile(newest, 'utf8'))) {
  console.log(`${version} is already released: ${newest} is the same.`);
} else {
  const file = join(
    released,
    existsSync(join(released, releaseName(version))) ? releaseName(version, payload) : releaseName(version),
  );
  const today = new Date().toISOString().slice(0, 10);
  const before = await readFile(changelog, 'utf8').catch(() => undefined);
  await mkdir(released, { recursive: true });
  await writeFile(file, snapshot);
  await writeFile(changelog, withEntry(before, changelogEntry(version, payload, today, result), title));
  const decided = await readdir(changes).catch(() => []);
  // Their decisions are now part of the release; left in place, they would apply to later changes as well.
  for (const name of decided.filter((one) => /\.(ya?ml|json)$/.test(one))) await rm(join(changes, name));
  console.log(`Released ${version}, webhook payload ${payload}: ${file}, ${changelog}`);
}
