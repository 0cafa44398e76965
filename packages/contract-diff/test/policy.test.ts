// Policies and exceptions: effects, and errors in invalid files.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accept } from '../src/accept-command.ts';
import { CannotCompare } from '../src/model/cannot-compare.ts';
import type { PolicyFile } from '../src/policy/policy.ts';
import { absent, type Edit, item, list, schemas } from './cases/case.ts';
import { documentsOf } from './cases/mutate.ts';
import { added, compareEdits, edit, nickname, removed, renamed, requiredLevel, reworded } from './policy-edits.ts';
import { printed } from './printed.ts';

const acceptance = (argv: string[]) => printed(() => accept(argv));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-policy-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

describe('policy', () => {
  test.each<[string, Edit, PolicyFile, string]>([
    ['sets a level for a rule', removed, { rules: { 'property-removed': 'minor' } }, 'minor'],
    [
      'sets a level for each direction',
      removed,
      { rules: { 'property-removed': { accept: 'major', emit: 'patch' } } },
      'patch',
    ],
    ['sets a level for a class', added, { classes: { wire: 'major' } }, 'major'],
    ['keeps the level of findings in other classes', added, { classes: { 'generated-code': 'major' } }, 'minor'],
    ['limits the level of a class', renamed, { classes: { 'generated-code': { 'at-most': 'minor' } } }, 'minor'],
    [
      'does not raise a level to the maximum of its class',
      added,
      { classes: { wire: { 'at-most': 'major' } } },
      'minor',
    ],
    [
      'raises a level to the minimum of its class',
      reworded,
      { classes: { meaning: { 'at-least': 'patch' } } },
      'patch',
    ],
    [
      'prefers the level of a rule over that of its class',
      renamed,
      { classes: { 'generated-code': 'none' }, rules: { 'operation-id-changed': 'error' } },
      'error',
    ],
    ['sets changed descriptions to undecided', reworded, { rules: { 'prose-changed': 'undecided' } }, 'undecided'],
    ['ignores a location', removed, { ignore: ['/components/schemas/*/properties/nick*'] }, 'none'],
    ['ignores everything below a location with **', removed, { ignore: ['#/components/**'] }, 'none'],
    ['does not ignore anything below a location with *', removed, { ignore: ['/components/*'] }, 'major'],
    [
      'sets the class of an extension to meaning',
      edit(`${list}/x-shape`, 1, 2),
      { extensions: { 'x-shape': 'meaning' } },
      'major',
    ],
    ['ignores an extension', edit(`${list}/x-unit`, 1, 2), { extensions: { 'x-unit': 'ignored' } }, 'none'],
  ])('%s', async (_, one, policy, level) => {
    expect(await requiredLevel([one], policy)).toBe(level);
  });

  test('fails on the level `error` regardless of versions', async () => {
    const policy: PolicyFile = { rules: { 'property-removed': 'error' } };
    const raised = edit('/info/version', '1.4.2', '9.0.0');
    expect(await compareEdits([removed, raised], { policy })).toMatchObject({
      ok: false,
      findings: [{ level: 'error' }],
    });
    expect(await compareEdits([removed], { policy, atMost: 'major' })).toMatchObject({ ok: false });
    expect(await compareEdits([removed, raised])).toMatchObject({ ok: true });
  });

  test('counts webhook changes toward the interface with `single-version`', async () => {
    const delivered = edit('/webhooks/report.created/post/deprecated', false, true);
    const { verdicts } = await compareEdits([delivered], { policy: { 'single-version': true } });
    expect(verdicts.interface.required).toBe('minor');
  });

  test('is read from a file, which may be empty', async () => {
    const policy = await file('policy.yaml', 'rules:\n  property-removed: patch # nobody minds\n');
    expect((await compareEdits([removed], { policy })).verdicts.interface.required).toBe('patch');
    expect((await compareEdits([removed], { policy: await file('empty.yaml', '# nothing\n') })).ok).toBe(false);
  });

  test.each([
    ['classes:\n  wire: huge\n', '2:3', '"huge" must be one of none, patch, minor, undecided, major, error'],
    ['classes:\n  wires: major\n', '2:3', 'no class of findings "wires"'],
    ['rules:\n  property-removed: major\n  prose-chnaged: none\n', '3:3', 'no rule "prose-chnaged"'],
    ['rules:\n  property-removed: { accept: major }\n', '2:3', '`emit` is missing'],
    ['rules:\n  property-removed: { accept: major, emit: 1 }\n', '2:38', '1 must be one of'],
    ['rule: {}\n', '1:1', '"rule" is unknown here'],
    ['- rules\n', '1:1', 'must be an object'],
    ['ignore: [paths]\n', '1:10', 'a place is a JSON pointer'],
    ['extensions: { shape: ignored }\n', '1:15', 'no extension "shape"'],
    ['lifecycle: { grace-days: soon }\n', '1:14', 'a number of days'],
    ['single-version: perhaps\n', '1:1', 'true or false'],
    ['rules: {\n', '2:1', 'neither YAML nor JSON'],
  ])('is rejected with line and column if it is invalid: %j', async (text, position, reason) => {
    const policy = await file('wrong.yaml', text);
    const rejection = await compareEdits([removed], { policy }).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(CannotCompare);
    expect((rejection as CannotCompare).reasons).toEqual([expect.stringContaining(reason)]);
    expect((rejection as CannotCompare).message).toContain(`wrong.yaml:${position}: `);
  });

  test('is rejected if the file is missing or a folder', async () => {
    await expect(compareEdits([removed], { policy: join(folder, 'nowhere.yaml') })).rejects.toThrow('There is no file');
    await expect(compareEdits([removed], { policy: folder })).rejects.toThrow('is a folder');
  });
});

describe('exception', () => {
  const entry = (position: string, rest = '') =>
    `- rule: property-removed\n  place: ${position}\n  reason: agreed\n${rest}`;

  test.each([
    ['by location', nickname],
    ['by glob', `'${schemas}/*/properties/nick*'`],
    ['anywhere', "'**'"],
  ])('accepts a finding %s', async (_, position) => {
    const result = await compareEdits([removed], { exceptions: await file('some.yaml', entry(position)) });
    expect(result).toMatchObject({ ok: true, findings: [], notices: [] });
    expect(result.accepted).toEqual([
      expect.objectContaining({ rule: 'property-removed', level: 'major', accepted: { reason: 'agreed' } }),
    ]);
  });

  test('applies on its last day, and causes a notice after it', async () => {
    const exceptions = await file('until.yaml', entry(nickname, '  until: 2027-01-31\n'));
    expect(await compareEdits([removed], { exceptions })).toMatchObject({ ok: true, notices: [] });
    expect(await compareEdits([removed], { exceptions, today: '2027-02-01' })).toMatchObject({
      ok: false,
      accepted: [],
      notices: [expect.stringMatching(/until\.yaml:1: .* expired on 2027-01-31, so its findings count again/)],
    });
  });

  test('causes a notice if it accepts nothing', async () => {
    const exceptions = await file('idle.yaml', `# one\n${entry('/nowhere')}`);
    expect(await compareEdits([], { exceptions })).toMatchObject({
      ok: true,
      notices: [expect.stringMatching(/idle\.yaml:2: .* accepts nothing: remove it/)],
    });
  });

  test('does not accept findings of another rule or location', async () => {
    const other = entry(nickname).replace('property-removed', 'property-renamed');
    expect(await compareEdits([removed], { exceptions: await file('other.yaml', other) })).toMatchObject({ ok: false });
    expect(await compareEdits([removed], { exceptions: await file('far.yaml', entry(schemas)) })).toMatchObject({
      ok: false,
    });
  });

  test.each([
    ['rules: []\n', '1:1', 'must be a list'],
    ['- property-removed\n', '1:3', 'an exception has `rule`, `place` and `reason`'],
    [entry('name'), '2:3', '`place` must be a JSON pointer'],
    [entry(nickname).replace('agreed', '" "'), '3:3', '`reason` must say why'],
    [entry(nickname).replace(' agreed', ''), '3:3', '`reason` must say why'],
    [entry(nickname).replace('  reason: agreed\n', ''), '1:3', '`reason` must say why'],
    [entry(nickname, '  until: 2027-02-30\n'), '4:3', 'a day such as'],
    [entry(nickname, '  til: 2027-02-20\n'), '4:3', '"til" is unknown here'],
    [entry(nickname).replace('property-removed', 'removed'), '1:3', 'no rule "removed"'],
  ])('is rejected with line and column if it is invalid: %j', async (text, position, reason) => {
    const exceptions = await file('bad.yaml', text);
    await expect(compareEdits([removed], { exceptions })).rejects.toThrow(`bad.yaml:${position}: `);
    await expect(compareEdits([removed], { exceptions })).rejects.toThrow(reason);
  });
});

describe('accept command', () => {
  async function documents(edits: readonly Edit[]): Promise<[string, string]> {
    const noFindings = { rule: 'none', interface: 'none', webhook_payload: 'none' } as const;
    const [base, revised] = documentsOf({ name: '', edits, expected: noFindings, reverse: noFindings });
    return [await file('base.json', JSON.stringify(base)), await file('revised.json', JSON.stringify(revised))];
  }

  test('writes exceptions for blocking findings, and appends to an existing file', async () => {
    const exceptions = join(folder, 'accepted.yaml');
    const sides = await documents([removed, renamed, edit(`${item}/get/deprecated`, absent, true)]);
    const args = (...more: string[]) => [...sides, '--exceptions', exceptions, '--at-most', 'minor', ...more];
    expect(await acceptance(args('--reason', 'Nobody "reads" it.', '--rule', 'property-removed'))).toMatchObject({
      code: 0,
    });
    await writeFile(exceptions, `${await readFile(exceptions, 'utf8')}# kept\n`);
    expect(await acceptance(args('--reason', 'New names.', '--until', '2999-12-31'))).toMatchObject({ code: 0 });
    const text = await readFile(exceptions, 'utf8');
    expect(text).toMatch(
      /^#.*\n- rule: property-removed\n {2}place: .*\n {2}reason: "Nobody \\"reads\\" it\."\n# kept\n/,
    );
    expect(text).toMatch(
      /- rule: operation-id-changed\n {2}place: .*\n {2}reason: "New names\."\n {2}until: 2999-12-31\n$/,
    );
    expect(await compareEdits([removed, renamed], { exceptions, atMost: 'minor' })).toMatchObject({
      ok: true,
      notices: [],
    });
    expect(await acceptance(args('--reason', 'Again.'))).toMatchObject({ code: 0 });
    expect(await readFile(exceptions, 'utf8')).toBe(text);
  });

  test('rejects a file in flow style', async () => {
    const sides = await documents([removed]);
    const text = '[{ rule: prose-changed, place: /info, reason: r }]\n';
    const flow = await file('flow.yaml', text);
    expect(await acceptance([...sides, '--exceptions', flow, '--reason', 'r'])).toEqual({
      code: 2,
      output: expect.stringContaining('is not written as a YAML list'),
    });
    expect(await readFile(flow, 'utf8')).toBe(text);
  });

  test.each([
    ['missing', []],
    ['empty', ['--reason', '']],
    ['blank', ['--reason', ' \t']],
  ])('rejects a reason that is %s, and writes nothing', async (name, reason) => {
    const sides = await documents([removed]);
    const text = '- rule: prose-changed\n  place: /info\n  reason: r\n';
    const existing = await file(`${name}-reason.yaml`, text);
    const absentFile = join(folder, `${name}-reason-new.yaml`);
    for (const exceptions of [existing, absentFile])
      expect(await acceptance([...sides, '--exceptions', exceptions, ...reason])).toEqual({
        code: 2,
        output: expect.stringContaining("option '--reason <text>'"),
      });
    expect(await readFile(existing, 'utf8')).toBe(text);
    expect(existsSync(absentFile)).toBe(false);
    // The reason is the only fault of these arguments.
    for (const exceptions of [existing, absentFile])
      expect(await acceptance([...sides, '--exceptions', exceptions, '--reason', 'r'])).toMatchObject({ code: 0 });
  });
});
