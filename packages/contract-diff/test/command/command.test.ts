// The command line, in the test's process: exit codes, report formats, and locations in split documents.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { main } from '../../src/command-line.ts';
import { builtCommand } from './built-command.ts';

const command = builtCommand();
let folder: string;

const contract = (parts: { version?: string; fields?: string; description?: string } = {}) => ({
  'openapi.yaml': `openapi: 3.1.0
info: { title: People, version: ${parts.version ?? '1.0.0'} }
paths:
  /people:
    $ref: paths/people.yaml
`,
  'paths/people.yaml': `get:
  operationId: listPeople
  description: ${parts.description ?? 'Lists all.'}
  responses:
    '200':
      description: All of them.
      content:
        application/json:
          schema:
            $ref: ../schemas/Person.yaml#/Person
`,
  'schemas/Person.yaml': `Person:
  type: object
  required: [name]
  properties:
${parts.fields ?? '    name: { type: string, maxLength: 100 }\n    age: { type: integer }'}
`,
});

async function write(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return join(folder, name, 'openapi.yaml');
}

async function run(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const output = { stdout: '', stderr: '' };
  const writers = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += text;
      return true;
    }),
  );
  try {
    return { status: await main(args), ...output };
  } finally {
    for (const writer of writers) writer.mockRestore();
  }
}

let base: string;
let grown: string;
const cwd = process.cwd();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-command-'));
  process.chdir(folder);
  process.env.NO_COLOR = '1';
  base = await write('base', contract());
  grown = await write(
    'grown',
    contract({ fields: '    name: { type: string, maxLength: 200 }\n    age: { type: integer }' }),
  );
});
afterAll(async () => {
  process.chdir(cwd);
  await rm(folder, { recursive: true });
});

test('exits with 0 if nothing changed', async () => {
  expect(await run(base, base)).toMatchObject({ status: 0, stdout: expect.stringContaining('No difference') });
});

test('exits with 1 if a version bump is missing, and prints the location', async () => {
  const { status, stdout } = await run(base, grown);
  expect(status).toBe(1);
  expect(stdout).toContain(
    'MAJOR GET /people (listPeople), response 200, application/json, Person.name: maxLength changed from 100 to 200',
  );
  expect(stdout).toContain('limit-loosened · interface (emitted)');
  expect(stdout).toContain('at /components/schemas/Person/properties/name/maxLength (grown/schemas/Person.yaml:5)');
  expect(stdout).toContain('- 100\n  + 200');
  expect(stdout).toContain('needs a major bump, but stays 1.0.0');
});

test('exits with 0 if the version has the required bump', async () => {
  const bumped = await write(
    'bumped',
    contract({ version: '2.0.0', fields: '    name: { type: string, maxLength: 200 }\n    age: { type: integer }' }),
  );
  expect((await run(base, bumped)).status).toBe(0);
});

test('prints a complete JSON report with a witness', async () => {
  const { status, stdout } = await run(base, grown, '--format', 'json');
  expect(status).toBe(1);
  const report = JSON.parse(stdout);
  expect(report).toEqual({
    form: 1,
    compared: true,
    ok: false,
    faults: [expect.stringContaining('needs a major bump')],
    notices: [],
    warnings: [],
    interface: { required: 'major', from: '1.0.0', to: '1.0.0', ok: false },
    webhook_payload: { required: 'none', from: null, to: null, ok: true },
    findings: [
      {
        rule: 'limit-loosened',
        class: 'wire',
        scope: 'interface',
        direction: 'emit',
        level: 'major',
        pointer: '/components/schemas/Person/properties/name/maxLength',
        file: 'grown/schemas/Person.yaml',
        line: 5,
        before: 100,
        after: 200,
        operations: ['GET /people (listPeople)'],
        message: expect.any(String),
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
        witness: expect.any(String),
      },
    ],
    accepted: [],
    notes: [],
  });
  const { length } = report.findings[0].witness;
  expect(length > 100 && length <= 200).toBe(true);
});

test('locates a removal at the file and line of its parent', async () => {
  const shrunk = await write('shrunk', contract({ fields: '    name: { type: string, maxLength: 100 }' }));
  const [finding] = JSON.parse((await run(base, shrunk, '--format', 'json')).stdout).findings;
  expect(finding).toMatchObject({
    rule: 'property-removed',
    pointer: '/components/schemas/Person/properties/age',
    file: 'shrunk/schemas/Person.yaml',
    line: 4,
    after: null,
  });
});

test('exits with 1 for an undecided description, and prints the required decision', async () => {
  const reworded = await write('reworded', contract({ version: '1.0.1', description: 'Lists some.' }));
  expect((await run(base, reworded)).status).toBe(0);
  await writeFile(join(folder, 'policy.yaml'), 'rules: { prose-changed: undecided }\n');
  const { status, stdout } = await run(base, reworded, '--policy', 'policy.yaml');
  expect(status).toBe(1);
  expect(stdout).toContain('  - pointer: /paths/~1people/get/description\n    meaning: same');
  await mkdir(join(folder, 'decisions'));
  await writeFile(join(folder, 'decisions/one.yaml'), '- pointer: /paths/~1people/get/description\n  meaning: same\n');
  expect((await run(base, reworded, '--policy', 'policy.yaml', '--changes', 'decisions')).status).toBe(0);
});

test('compares with the newest release in a folder', async () => {
  const release = (version: string, paths: unknown = {}) =>
    JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version }, paths });
  await write('released', { '1.9.0.json': release('1.9.0'), '1.10.0.json': release('1.10.0'), 'notes.txt': '' });
  await write('next', { 'openapi.yaml': release('1.10.0') });
  expect((await run('released', 'next/openapi.yaml')).stdout).toContain('1.10.0 → 1.10.0');
  expect(await run('decisions', 'next/openapi.yaml')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no release'),
  });
});

describe('exit code 2', () => {
  test.each([
    ['a missing file', 'nowhere.yaml', /There is no file nowhere\.yaml/],
    ['a missing git revision', 'nowhere:openapi.yaml', /nowhere/],
    ['a URL in a private network', 'http://192.0.2.1/openapi.yaml', /of a private network; --allow-private/],
  ])('reports %s', async (_, name, reason) => {
    expect(await run(name, base)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(reason) });
  });

  test('reports an invalid document, in JSON too', async () => {
    const wrong = await write('wrong', { 'openapi.yaml': 'openapi: 3.1.0\ninfo1: {}\n' });
    const { status, stdout, stderr } = await run(wrong, base, '--format', 'json');
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('it has no `info`') });
    expect(JSON.parse(stdout)).toEqual({ form: 1, compared: false, ok: false, error: expect.any(Array) });
  });

  test('reports a missing referenced file', async () => {
    const lonely = await write('lonely', { 'openapi.yaml': contract()['openapi.yaml'] });
    expect(await run(lonely, base)).toMatchObject({ status: 2, stderr: expect.stringContaining('paths/people.yaml') });
  });

  test('rejects missing and invalid arguments', async () => {
    expect((await run(base)).status).toBe(2);
    expect((await run(base, base, '--format', 'xml')).status).toBe(2);
    expect((await run(base, base, '--output', 'report')).status).toBe(2);
    expect((await run(base, base, '--max-size', '0')).status).toBe(2);
  });
});

describe('report files', () => {
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  test('are written in the format of their extension, in addition to the printed report', async () => {
    const files = ['out/a.json', 'out/b.html', 'out/c.sarif', 'out/d.xml', 'out/e.md', 'github=out/f'];
    const { status, stdout } = await run(base, grown, ...files.flatMap((file) => ['--output', file]));
    expect(status).toBe(1);
    expect(stdout).toContain('MAJOR GET /people');
    expect(JSON.parse(await read('out/a.json')).findings).toHaveLength(1);
    expect(await read('out/b.html')).toMatch(/^<!doctype html>/);
    const location = { artifactLocation: { uri: 'grown/schemas/Person.yaml' }, region: { startLine: 5 } };
    expect(JSON.parse(await read('out/c.sarif')).runs[0].results).toMatchObject([
      { ruleId: 'limit-loosened', level: 'error', locations: [{ physicalLocation: location }] },
    ]);
    expect(await read('out/d.xml')).toContain('<testsuites');
    expect(await read('out/e.md')).toContain('| Interface | 1.0.0 | 1.0.0 | major | ❌ |');
    expect(await read('out/e.md')).toContain('  ```diff\n  - 100\n  + 200\n  ```');
    expect(await read('out/f')).toMatch(/^::error /);
    expect(await run(base, grown, '--quiet', '--output', 'out/a.json')).toMatchObject({ status: 1, stdout: '' });
  });

  test('contain the error if the comparison fails', async () => {
    expect((await run('nowhere.json', base, '--output', 'out/no.json', '--output', 'out/no.html')).status).toBe(2);
    expect(JSON.parse(await read('out/no.json'))).toMatchObject({ compared: false, error: [expect.any(String)] });
    expect(await read('out/no.html')).toContain('be compared');
  });

  test('cause exit code 3 if they cannot be written', async () => {
    const { status, stderr } = await run(base, base, '--output', `${base}/report.json`);
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: expect.stringMatching(/^The report couldn't be written: .+\n$/),
    });
  });
});

test.each([
  [['--fail-on', 'major'], 1],
  [['--fail-on', 'error'], 0],
  [['--only', 'operation=listPeople', '--fail-on', 'major'], 1],
  [['--fail-on', 'major', '--at-most', 'minor'], 2],
  [['--fail-on', 'none'], 2],
  [['--only', 'tag=nothing'], 2],
] as const)('%j exits with %d', async (options, status) => {
  const broken = await write('broken', contract({ fields: '    name: { type: string, maxLength: 200 }' }));
  expect((await run(base, broken, ...options)).status).toBe(status);
});

test('reads one of the documents from standard input', async () => {
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: {} });
  await writeFile(join(folder, 'plain.json'), text);
  const piped = (input: string, ...args: string[]) =>
    spawnSync(process.execPath, [command, ...args], { cwd: folder, input, encoding: 'utf8' });
  expect(piped(text, 'plain.json', '-')).toMatchObject({ status: 0 });
  expect(await run('-', '-')).toMatchObject({ status: 2, stderr: expect.stringContaining('Only one of the two') });
  expect(piped('', '-', 'plain.json')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('standard input is empty'),
  });
});

test('prints the explanation of a rule, its version, and help', async () => {
  expect(await run('--explain', 'property-removed')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('A property was removed'),
  });
  expect((await run('--explain', 'nothing')).status).toBe(2);
  expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('BASE REVISION') });
});
