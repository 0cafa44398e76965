// Interface and payload versions, and decisions about descriptions.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotCompare } from '../src/model/cannot-compare.ts';
import { bumpBetween, compareVersions, parseVersion } from '../src/model/semver.ts';
import type { PolicyFile } from '../src/policy/policy.ts';
import { type Case, change, interfaceOnly, list, noFindings, payloadOnly } from './cases/case.ts';
import { documentsOf, freshDocument } from './cases/mutate.ts';
import { compareValues } from './compare-values.ts';

const removed = change('', `${list}/operationId`, 'a', 'b', interfaceOnly('operation-id-changed', 'major'), noFindings);
const added = change('', `${list}/deprecated`, false, true, interfaceOnly('deprecated', 'minor'), noFindings);
const delivered = change(
  '',
  '/webhooks/report.created/post/deprecated',
  false,
  true,
  payloadOnly('deprecated', 'minor'),
  noFindings,
);
const reworded = change(
  '',
  `${list}/description`,
  'One.',
  'Another.',
  interfaceOnly('prose-changed', 'undecided'),
  noFindings,
);

/** Requires decisions about changed descriptions. */
const undecidedProse: PolicyFile = { rules: { 'prose-changed': 'undecided' } };

async function compareVersioned(one: Case, version: unknown, payloadVersion: unknown, options = {}) {
  const [base, revised] = documentsOf(one);
  Object.assign(revised.info as object, { version, 'x-webhook-payload-version': payloadVersion });
  return compareValues(base, revised, { policy: undecidedProse, ...options });
}

describe('interface version', () => {
  test.each([
    ['accepts a major bump for a major change', removed, '2.0.0', true, 0],
    ['rejects a minor bump for a major change', removed, '1.5.0', false, 0],
    ['rejects the same version for a major change', removed, '1.4.2', false, 0],
    ['accepts a minor bump for a minor change', added, '1.5.0', true, 0],
    ['rejects a patch bump for a minor change', added, '1.4.3', false, 0],
    ['rejects the same version for a minor change', added, '1.4.2', false, 0],
    ['accepts a major bump for a minor change, with a notice', added, '2.0.0', true, 1],
    ['rejects a lower version for a minor change', added, '1.4.1', false, 0],
    ['accepts a prerelease of a minor bump for a minor change', added, '1.5.0-rc.1', true, 0],
  ] as const)('%s', async (_, one, version, ok, notices) => {
    const result = await compareVersioned(one, version, '1.1.0');
    expect(result.verdicts.interface).toEqual({ required: one.expected.interface, from: '1.4.2', to: version, ok });
    expect(result.notices).toHaveLength(notices);
    expect(result.ok).toBe(ok);
    expect(result.faults).toHaveLength(ok ? 0 : 1);
  });
});

test('checks the payload against its own version', async () => {
  expect((await compareVersioned(delivered, '1.4.2', '1.2.0')).ok).toBe(true);
  const { verdicts } = await compareVersioned(delivered, '1.5.0', '1.1.0');
  expect(verdicts.webhook_payload).toEqual({ required: 'minor', from: '1.1.0', to: '1.1.0', ok: false });
  expect(verdicts.interface.ok).toBe(true);
});

test('causes a notice for a version bump without a change', async () => {
  const [base, revised] = [freshDocument(), freshDocument()];
  Object.assign(revised.info as object, { version: '1.5.0' });
  const result = await compareValues(base, revised);
  expect(result).toMatchObject({ ok: true, findings: [], notices: [expect.stringContaining('minor')] });
});

describe('payload version', () => {
  const withoutVersion = (document: Record<string, unknown>) => {
    delete (document.info as Record<string, unknown>)['x-webhook-payload-version'];
    return document;
  };

  test.each([
    ['missing', undefined, '/info', 'no `x-webhook-payload-version`'],
    ['not semantic', '1.x', '/info/x-webhook-payload-version', 'is not a semantic version'],
  ])('causes a finding if there are webhooks and it is %s', async (_, payloadVersion, pointer, text) => {
    const result = await compareVersioned(added, '1.5.0', payloadVersion);
    expect(result.ok).toBe(false);
    expect(result.findings).toContainEqual(
      expect.objectContaining({
        rule: 'webhook-version-missing',
        scope: 'webhook_payload',
        level: 'major',
        pointer,
        before: '1.1.0',
        after: payloadVersion ?? null,
        message: expect.stringContaining(text),
      }),
    );
    expect(result.verdicts.interface.ok).toBe(true);
    expect(result.verdicts.webhook_payload).toEqual({
      required: 'major',
      from: '1.1.0',
      to: payloadVersion ?? null,
      ok: false,
    });
  });

  test('is not required without webhooks', async () => {
    const [base, revised] = [freshDocument(), freshDocument()].map(withoutVersion) as [
      Record<string, unknown>,
      Record<string, unknown>,
    ];
    delete base.webhooks;
    delete revised.webhooks;
    const result = await compareValues(base, revised);
    expect(result).toMatchObject({ ok: true, findings: [] });
    expect(result.verdicts.webhook_payload).toEqual({ required: 'none', from: null, to: null, ok: true });
  });

  test('starts with the first webhook', async () => {
    const base = withoutVersion(freshDocument());
    delete base.webhooks;
    const result = await compareValues(base, freshDocument());
    expect(result.verdicts.webhook_payload).toEqual({ required: 'minor', from: null, to: '1.1.0', ok: true });
  });

  test('is `info.version` with `singleVersion`', async () => {
    const [base, revised] = documentsOf(delivered).map(withoutVersion) as [
      Record<string, unknown>,
      Record<string, unknown>,
    ];
    expect(await compareValues(base, revised, { singleVersion: true })).toMatchObject({ ok: false });
    Object.assign(revised.info as object, { version: '1.5.0' });
    expect(await compareValues(base, revised, { singleVersion: true })).toMatchObject({ ok: true });
  });
});

test('checks `atMost` instead of versions', async () => {
  expect((await compareVersioned(added, 'summer', '1.1.0', { atMost: 'minor' })).ok).toBe(true);
  expect((await compareVersioned(removed, 'summer', '1.1.0', { atMost: 'minor' })).ok).toBe(false);
});

describe('changed descriptions', () => {
  const compareWithDecision = async (text: string, version: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'contract-changes-'));
    try {
      await writeFile(join(folder, 'one.yaml'), text);
      return await compareVersioned(reworded, version, '1.1.0', { changes: folder });
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test('are undecided and fail without a decision', async () => {
    const result = await compareVersioned(reworded, '1.4.3', '1.1.0');
    expect(result).toMatchObject({ ok: false, findings: [{ level: 'undecided', before: 'One.', after: 'Another.' }] });
    expect(result.verdicts.interface.required).toBe('undecided');
  });

  test('require a patch if the decision is `same`', async () => {
    const result = await compareWithDecision(`pointer: ${list}/description\nmeaning: same\n`, '1.4.3');
    expect(result).toMatchObject({ ok: true, findings: [{ level: 'patch' }] });
  });

  test('require a major bump if the decision is `changed`', async () => {
    expect(
      (await compareWithDecision(`- { pointer: '${list}/description', meaning: changed }\n`, '1.5.0')).verdicts
        .interface.required,
    ).toBe('major');
  });

  test('are undecided again if they change after the decision', async () => {
    const decision = (after: string) => `pointer: ${list}/description\nmeaning: same\nafter: ${after}\n`;
    expect((await compareWithDecision(decision('Another.'), '1.4.3')).ok).toBe(true);
    expect((await compareWithDecision(decision('A third.'), '1.4.3')).ok).toBe(false);
  });

  test('are not compared if a decision is invalid', async () => {
    await expect(compareWithDecision(`pointer: ${list}/description\nmeaning: maybe\n`, '1.4.3')).rejects.toThrow(
      CannotCompare,
    );
  });

  test('are overridden by a major change of the same version, but not by a minor one', async () => {
    const both: Case = { ...reworded, edits: [...reworded.edits, ...removed.edits] };
    expect((await compareVersioned(both, '2.0.0', '1.1.0')).verdicts.interface).toMatchObject({
      required: 'major',
      ok: true,
    });
    const minor: Case = { ...reworded, edits: [...reworded.edits, ...added.edits] };
    expect((await compareVersioned(minor, '1.5.0', '1.1.0')).verdicts.interface).toMatchObject({
      required: 'undecided',
      ok: false,
    });
  });

  test('are not overridden by a major change of the other version', async () => {
    const { edits } = change(
      '',
      '/webhooks/report.created/post/requestBody/required',
      true,
      false,
      payloadOnly('became-optional', 'major'),
      noFindings,
    );
    const inInterface: Case = { ...reworded, edits: [...reworded.edits, ...edits] };
    const { verdicts } = await compareVersioned(inInterface, '2.0.0', '2.0.0');
    expect(verdicts.interface).toMatchObject({ required: 'undecided', ok: false });
    expect(verdicts.webhook_payload).toMatchObject({ required: 'major', ok: true });
    const payloadDescription = {
      at: '/webhooks/report.created/post/description',
      before: 'One.',
      after: 'Another.',
    };
    const inPayload: Case = { ...removed, edits: [...removed.edits, payloadDescription] };
    const reversed = await compareVersioned(inPayload, '2.0.0', '2.0.0');
    expect(reversed.verdicts.interface).toMatchObject({ required: 'major', ok: true });
    expect(reversed.verdicts.webhook_payload).toMatchObject({ required: 'undecided', ok: false });
  });

  test('count under the default policy only if the decision is `changed`', async () => {
    const compareWithDefaultPolicy = async (meaning: string) => {
      const folder = await mkdtemp(join(tmpdir(), 'contract-changes-'));
      try {
        await writeFile(join(folder, 'one.yaml'), `pointer: ${list}/description\nmeaning: ${meaning}\n`);
        return await compareVersioned(reworded, '1.4.2', '1.1.0', { policy: {}, changes: folder });
      } finally {
        await rm(folder, { recursive: true });
      }
    };
    expect(await compareWithDefaultPolicy('same')).toMatchObject({
      ok: true,
      notices: [],
      notes: [{ rule: 'prose-changed' }],
    });
    expect(await compareWithDefaultPolicy('changed')).toMatchObject({ ok: false, findings: [{ level: 'major' }] });
    expect(await compareVersioned(reworded, '1.4.2', '1.1.0', { policy: {}, atMost: 'none' })).toMatchObject({
      ok: true,
    });
  });

  test('cause a notice for a decision that applies to no change', async () => {
    const result = await compareWithDecision(
      `- { pointer: '${list}/description', meaning: same }\n- { pointer: /info/title, meaning: same }\n`,
      '1.4.3',
    );
    expect(result.notices).toEqual([expect.stringContaining('/info/title')]);
  });
});

test('versions are parsed and sorted as in semver.org', () => {
  const order = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.1.0',
    '2.0.0',
  ];
  const sorted = [...order].reverse().sort((a, b) => compareVersions(parseVersion(a)!, parseVersion(b)!));
  expect(sorted).toEqual(order);
  for (const invalid of ['1', '1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0-01', '', 1, null])
    expect(parseVersion(invalid)).toBeUndefined();
  expect(bumpBetween(parseVersion('0.3.0')!, parseVersion('0.4.0')!)).toBe('major');
});
