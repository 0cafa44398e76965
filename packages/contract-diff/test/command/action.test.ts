// The steps of action.yml, run with bash as on GitHub, and the git hook.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { load } from 'js-yaml';
import { builtCommand, packageRoot } from './built-command.ts';

interface Step {
  readonly name: string;
  readonly run: string;
  readonly shell: string;
}

let folder: string;
let work: string;
let steps: ReadonlyMap<string, Step>;

const contract = (maxLength: number, version = '1.0.0') => {
  const content = { 'application/json': { schema: { type: 'string', maxLength } } };
  const paths = { '/name': { get: { responses: { 200: { description: 'A name.', content } } } } };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Names', version }, paths }, null, 2);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract action '));
  const action = load(await readFile(join(packageRoot, 'action.yml'), 'utf8')) as { runs: { steps: Step[] } };
  steps = new Map(action.runs.steps.map((step) => [step.name, step]));
  // install.test.ts runs the step that installs it.
  await mkdir(join(folder, 'temp/contract-diff'), { recursive: true });
  await symlink(dirname(builtCommand()), join(folder, 'temp/contract-diff/bin'));
  // A fake gh that records calls.
  await mkdir(join(folder, 'bin'));
  await writeFile(
    join(folder, 'bin/gh'),
    `#!/usr/bin/env bash\nprintf '%s\\n' "$*" >> "$CALLS"\ncase "$*" in *--jq*) printf '%s' "$COMMENT_IDS" ;; esac\n`,
  );
  await chmod(join(folder, 'bin/gh'), 0o755);
  work = join(folder, 'work');
  const origin = join(folder, 'origin');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], { stdio: 'pipe' });
  git('init', '-q', '-b', 'main', origin);
  await writeFile(join(origin, 'openapi.json'), contract(5));
  git('-C', origin, 'add', '.');
  git('-C', origin, 'commit', '-qm', 'one');
  git('clone', '-q', origin, work);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function step(name: string, env: Readonly<Record<string, string>>) {
  const [output, summary, calls] = ['output', 'summary', 'calls'].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ];
  await Promise.all([output, summary, calls].map((file) => writeFile(file, '')));
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', steps.get(name)!.run], {
    cwd: work,
    env: {
      ...process.env,
      PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
      RUNNER_TEMP: join(folder, 'temp'),
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      CALLS: calls,
      ...env,
    },
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  const read = (file: string) => readFile(file, 'utf8');
  return { status, stdout, stderr, output: await read(output), summary: await read(summary), calls: await read(calls) };
}

const comparison = { BASE: '', REVISION: 'openapi.json', ARGUMENTS: '', BASE_BRANCH: 'main' };

test('annotates, summarizes, reports, and rejects an unannounced breaking change', async () => {
  await writeFile(join(work, 'openapi.json'), contract(8));
  const { status, stdout, output, summary } = await step('Compare', comparison);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^::error file=openapi\.json,line=\d+,title=limit-loosened/m);
  expect(summary).toContain('❌ failed');
  expect(output).toMatch(/^result=version-missing$/m);
  const report = /^report=(.*)$/m.exec(output)?.[1] ?? '';
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ compared: true, ok: false });
  expect((await step('Set exit code', { CODE: '1' })).status).toBe(1);
});

test('passes additional arguments, one per line', async () => {
  await writeFile(join(work, 'openapi.json'), contract(8, '1.0'));
  const lenient = await step('Compare', { ...comparison, ARGUMENTS: '--at-most=major\n\n--single-version\n' });
  expect(lenient.output).toMatch(/^result=compatible$/m);
  const rejected = await step('Compare', comparison);
  expect(rejected.output).toMatch(/^result=not-compared$/m);
  expect(rejected.summary).toContain("couldn't compare");
});

test('creates a comment, then updates it', async () => {
  await step('Compare', comparison);
  const pullRequest = { REPOSITORY: 'me/api', NUMBER: '7', REVISION: 'openapi.json' };
  const first = await step('Comment', { ...pullRequest, COMMENT_IDS: '' });
  expect(first.calls).toMatch(/--method POST repos\/me\/api\/issues\/7\/comments/);
  const second = await step('Comment', { ...pullRequest, COMMENT_IDS: '41\n42' });
  expect(second.calls).toMatch(/--method PATCH repos\/me\/api\/issues\/comments\/41 /);
  const body = await readFile(join(folder, 'temp/contract-diff-report/comment.md'), 'utf8');
  expect(body).toMatch(/^<!-- openapi-contract-diff openapi\.json -->\n## Contract/);
});

describe('pre-commit hook', () => {
  let repository: string;
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.test'];
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd: repository, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };

  beforeAll(async () => {
    repository = await mkdtemp(join(tmpdir(), 'contract hook '));
    await mkdir(join(repository, 'node_modules/.bin'), { recursive: true });
    await symlink(builtCommand(), join(repository, 'node_modules/.bin/openapi-contract-diff'));
    git('init', '-q', '-b', 'main');
    await copyFile(join(packageRoot, 'hooks/pre-commit'), join(repository, '.git/hooks/pre-commit'));
  });
  afterAll(() => rm(repository, { recursive: true, force: true }));

  test('rejects a commit if the staged contract needs a higher version', async () => {
    const write = (text: string) => writeFile(join(repository, 'openapi.yaml'), text);
    await write(contract(5));
    git('add', 'openapi.yaml');
    expect(git('commit', '-qm', 'first version')).toMatchObject({ status: 0 });
    await write(contract(8));
    git('add', 'openapi.yaml');
    // Unstaged changes don't count.
    await write(contract(5));
    expect(git('commit', '-qm', 'a break')).toEqual({
      status: 1,
      output: expect.stringContaining('needs a major bump'),
    });
    await write(contract(8, '2.0.0'));
    git('add', 'openapi.yaml');
    expect(git('commit', '-qm', 'a break with a new version')).toMatchObject({ status: 0 });
    await rm(join(repository, 'openapi.yaml'));
    git('add', '-A', 'openapi.yaml');
    expect(git('commit', '-qm', 'without a contract')).toMatchObject({ status: 0 });
  });

  test('supports multiple documents', async () => {
    const hook = join(repository, '.git/hooks/pre-commit');
    const sourceHook = join(packageRoot, 'hooks/pre-commit');
    await writeFile(hook, `#!/bin/sh\nexec '${sourceHook}' 'services/**/*.json'\n`);
    await mkdir(join(repository, 'services/deep'), { recursive: true });
    const write = (text: string) => writeFile(join(repository, 'services/deep/names.json'), text);
    await write(contract(5));
    git('add', 'services');
    expect(git('commit', '-qm', 'first version')).toMatchObject({ status: 0 });
    await write(contract(8));
    git('add', 'services');
    expect(git('commit', '-qm', 'a break')).toEqual({
      status: 1,
      output: expect.stringContaining('needs a major bump'),
    });
    await write(contract(8, '2.0.0'));
    git('add', 'services');
    expect(git('commit', '-qm', 'a break with a new version')).toMatchObject({ status: 0 });
  });
});
