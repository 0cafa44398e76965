/** Our contract in openapi-contract-diff: equal in every notation. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compareContracts } from '@collaborator-api/openapi-contract-diff';
import { dump } from 'js-yaml';

const contract = 'openapi/openapi.yaml';
const bundled = 'generated/openapi.json';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-diff-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the contract equals itself bundled, in YAML, and with all keys in another order', async () => {
  const yaml = await write('reversed.yaml', dump(reverseKeys(await read(bundled)), { noRefs: true }));
  await expectEqual(contract, yaml);
});

test('the contract equals itself with all references resolved', async () => {
  const writtenOut = join(folder, 'written-out.json');
  const redocly = 'node_modules/@redocly/cli/bin/cli.js';
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  await promisify(execFile)(process.execPath, [redocly, 'bundle', contract, '--dereferenced', '-o', writtenOut], {
    env,
  });
  expect(await readFile(writtenOut, 'utf8')).not.toContain('"$ref"');
  await expectEqual(bundled, writtenOut);
});

async function expectEqual(base: string, revised: string): Promise<void> {
  const options = { changes: join(folder, 'none'), singleVersion: false };
  const { findings, notes, ok } = await compareContracts(base, revised, options);
  // Differences in notation count as edits without effect.
  expect([...findings, ...notes].filter(({ rule }) => rule !== 'edit-without-effect')).toEqual([]);
  expect(ok).toBe(true);
}

const read = async (file: string): Promise<object> => JSON.parse(await readFile(file, 'utf8'));

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const reversed = Object.entries(value).reverse();
  return Object.fromEntries(reversed.map(([key, member]) => [key, reverseKeys(member)]));
}
