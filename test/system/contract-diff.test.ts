/** Our contract in openapi-contract-diff: equal in every notation, and compared in reasonable time. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compareContracts, type Result } from '@collaborator-api/openapi-contract-diff';
import { dump } from 'js-yaml';

const contract = 'openapi/openapi.yaml';
const bundled = 'generated/openapi.json';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-diff-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the contract equals', () => {
  test('itself when split into files and bundled', async () => {
    await expectEqual(contract, bundled);
    await expectEqual(bundled, contract);
  });

  test('itself in JSON and in YAML', async () => {
    const yaml = await write('bundled.yaml', dump(await read(bundled), { noRefs: true }));
    await expectEqual(bundled, yaml);
    await expectEqual(yaml, contract);
  });

  test('itself with all keys in another order', async () => {
    const reversed = await write('reversed.json', JSON.stringify(reverseKeys(await read(bundled))));
    await expectEqual(bundled, reversed);
    await expectEqual(reversed, contract);
  });

  test('itself with all references resolved', async () => {
    const writtenOut = join(folder, 'written-out.json');
    const redocly = 'node_modules/@redocly/cli/bin/cli.js';
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    await promisify(execFile)(process.execPath, [redocly, 'bundle', contract, '--dereferenced', '-o', writtenOut], {
      env,
    });
    expect(await readFile(writtenOut, 'utf8')).not.toContain('"$ref"');
    await expectEqual(bundled, writtenOut);
    await expectEqual(writtenOut, bundled);
  });
});

test('a change of every text takes not much longer than no change', async () => {
  const longer = (key: string, value: unknown) => (key === 'maxLength' ? Number(value) + 1 : value);
  const changed = await write('longer.json', JSON.stringify(await read(bundled), longer));
  await compare(bundled, changed); // a warm-up, because nothing is compiled yet
  const [controlMs] = await processorTime(() => compare(bundled, bundled));
  const [durationMs, { findings }] = await processorTime(() => compare(bundled, changed));
  expect(findings.length).toBeGreaterThan(100);
  expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(['limit-loosened', 'schema-loosened']));
  // It was 8 when this was written.
  expect(durationMs / controlMs).toBeLessThan(25);
});

const compare = (base: string, revised: string): Promise<Result> =>
  compareContracts(base, revised, { changes: join(folder, 'none'), singleVersion: false });

async function expectEqual(base: string, revised: string): Promise<void> {
  const { findings, notes, ok } = await compare(base, revised);
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

/** CPU time in milliseconds, which doesn't depend on other load. */
async function processorTime<T>(work: () => Promise<T>): Promise<[milliseconds: number, result: T]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, result];
}
