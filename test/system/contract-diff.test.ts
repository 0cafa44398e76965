/** Our contract in openapi-contract-diff: equal in every notation. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
