// Findings as JUnit XML, which CI servers show with test results.
import type { Finding, Scope } from '../model/findings.ts';
import type { Result } from '../verdict/compare-contracts.ts';
import { markup } from './markup.ts';
import { brief } from './values.ts';

interface Test {
  readonly name: string;
  readonly group: string;
  readonly outcome?: string;
}

/** A suite per version: a test of the version itself, and one per finding. */
export function junitReport(result: Result): string {
  const blockingFindings = new Set(result.blocking);
  const suite = (scope: Scope, title: string) => {
    const { from, to, required, ok } = result.verdicts[scope];
    const version = `${from ?? 'no version'} to ${to ?? 'no version'}, required: ${required}`;
    const own: Test = { name: `version: ${version}`, group: title, ...(!ok && { outcome: failure(version, '') }) };
    const findings = result.findings.filter((finding) => finding.scope === scope);
    const accepted = result.accepted.filter((finding) => finding.scope === scope);
    return suiteOf(title, [
      own,
      ...findings.map((finding) => testOf(finding, title, blockingFindings.has(finding))),
      ...accepted.map((finding) => ({
        ...testOf(finding, title, false),
        outcome: `<skipped message="${markup(`accepted: ${finding.accepted?.reason ?? ''}`)}"/>`,
      })),
    ]);
  };
  return whole([suite('interface', 'interface'), suite('webhook_payload', 'webhook payload')]);
}

export const junitFailure = (reasons: readonly string[]): string =>
  whole([
    suiteOf('contract', [
      {
        name: 'compare',
        group: 'contract',
        outcome: `<error message="couldn't compare">${markup(reasons.join('\n'))}</error>`,
      },
    ]),
  ]);

function testOf(
  { rule, level, message, pointer, file, line, before, after }: Finding,
  title: string,
  isBlocking: boolean,
): Test {
  const details = `${file}:${line} ${pointer}\n- ${brief(before)}\n+ ${brief(after)}`;
  return {
    name: `${rule}: ${message}`,
    group: title,
    ...(isBlocking && { outcome: failure(`${level}: ${message}`, details) }),
  };
}

const failure = (message: string, text: string): string =>
  `<failure type="contract" message="${markup(message)}">${markup(text)}</failure>`;

function suiteOf(title: string, tests: readonly Test[]): string {
  const count = (tag: string) => tests.filter(({ outcome }) => outcome?.startsWith(`<${tag}`)).length;
  const cases = tests.map(({ name, group, outcome }) => {
    const start = `    <testcase classname="${markup(`contract.${group}`)}" name="${markup(name)}" time="0"`;
    return outcome === undefined ? `${start}/>` : `${start}>${outcome}</testcase>`;
  });
  const counts = `tests="${tests.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return [`  <testsuite name="${markup(title)}" ${counts} time="0">`, ...cases, '  </testsuite>'].join('\n');
}

const whole = (suites: readonly string[]): string =>
  ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="contract">', ...suites, '</testsuites>', ''].join('\n');
