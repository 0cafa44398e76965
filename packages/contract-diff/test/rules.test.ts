// All rules: each case and its reverse have the expected verdict.
import { mitigationOf } from '../src/policy/advice.ts';
import type { PolicyFile } from '../src/policy/policy.ts';
import { isRule, levelOf, rules } from '../src/policy/rules.ts';
import { compareContracts } from '../src/verdict/compare-contracts.ts';
import { cases } from './cases/all.ts';
import { absent, type Case, day, type Expected } from './cases/case.ts';
import { documentsOf } from './cases/mutate.ts';

describe('a case and its reverse', () => {
  test.each(cases.map((one) => [one.name, one] as const))('have the expected verdicts: %s', async (_, one) => {
    const [base, revised] = documentsOf(one);
    await expectVerdict(base, revised, one.expected, one.policy);
    await expectVerdict(revised, base, one.reverse, one.policy);
  });
});

test('every case has its own name and its own edits', () => {
  const textOf = (one: Case) =>
    JSON.stringify([one.policy, one.edits], (_, value) => (value === absent ? '(absent)' : value));
  const duplicates = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index);
  expect(duplicates(cases.map(({ name }) => name))).toEqual([]);
  expect(duplicates(cases.map(textOf))).toEqual([]);
});

test('every rule has a case', () => {
  const covered = new Set(cases.flatMap(({ expected, reverse }) => [expected.rule, reverse.rule]));
  expect(Object.keys(rules).filter((rule) => !covered.has(rule as Expected['rule']))).toEqual([]);
});

test('every rule that can require a major version has a mitigation', () => {
  const breaking = Object.keys(rules)
    .filter(isRule)
    .filter((id) => levelOf(id, 'accept') === 'major' || levelOf(id, 'emit') === 'major');
  expect(breaking.filter((id) => mitigationOf(id) === undefined)).toEqual([]);
});

async function expectVerdict(base: object, revised: object, expected: Expected, policy?: PolicyFile): Promise<void> {
  const options = { today: day, ...(policy && { policy }) };
  const { findings, notes, verdicts } = await compareContracts(base, revised, options);
  const found = {
    // Ignore `edit-without-effect` unless the case expects it.
    rules: [...findings, ...notes]
      .map(({ rule }) => rule)
      .filter((rule) => rule === expected.rule || rule !== 'edit-without-effect'),
    interface: verdicts.interface.required,
    webhook_payload: verdicts.webhook_payload.required,
  };
  expect(found).toEqual({
    rules: expected.rule === 'none' ? [] : expect.arrayContaining([expected.rule]),
    interface: expected.interface,
    webhook_payload: expected.webhook_payload,
  });
  // If no client is affected, the note about the edit is the only one.
  if (expected.rule === 'edit-without-effect' && expected.interface === 'none')
    expect(new Set(found.rules)).toEqual(new Set([expected.rule]));
  for (const finding of findings) {
    expect(finding.pointer).toMatch(/^(\/|$)/);
  }
}
