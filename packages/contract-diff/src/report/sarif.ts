// Findings as SARIF 2.1.0, which code hosts show at source lines.
import type { Finding, Level } from '../model/findings.ts';
import type { Rule } from '../policy/rule.ts';
import { isRule, rules } from '../policy/rules.ts';
import type { Result } from '../verdict/compare-contracts.ts';
import { fingerprints } from './fingerprint.ts';

const severities: Readonly<Record<Level, 'error' | 'warning' | 'note' | 'none'>> = {
  error: 'error',
  major: 'error',
  undecided: 'warning',
  minor: 'note',
  patch: 'note',
  none: 'none',
};

/** All findings with their rules. Accepted ones are suppressed, with the reason. */
export function sarifReport(result: Result): string {
  const reported = [...result.findings, ...result.accepted];
  const used = [...new Set(reported.map(({ rule }) => rule))].filter(isRule);
  const marks = fingerprints(reported);
  return log(
    used.map(ruleOf),
    reported.map((finding, index) =>
      resultOf(finding, used.indexOf(finding.rule as (typeof used)[number]), marks[index]!),
    ),
    {
      executionSuccessful: true,
      toolExecutionNotifications: result.warnings.map((text) => notification('note', text)),
    },
  );
}

export const sarifFailure = (reasons: readonly string[]): string =>
  log([], [], {
    executionSuccessful: false,
    toolExecutionNotifications: reasons.map((text) => notification('error', text)),
  });

const notification = (level: 'error' | 'note', text: string) => ({ level, message: { text } });

function log(used: readonly object[], results: readonly object[], invocation: object): string {
  const driver = { name: 'openapi-contract-diff', rules: used };
  const run = { tool: { driver }, invocations: [invocation], results };
  const whole = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

function ruleOf(id: keyof typeof rules) {
  const rule: Rule = rules[id];
  return {
    id,
    shortDescription: { text: rule.title },
    fullDescription: { text: rule.reason },
    help: { text: `${rule.reason} An example: \`openapi-contract-diff --explain ${id}\`.` },
  };
}

function resultOf(finding: Finding, ruleIndex: number, mark: string) {
  const { rule, level, message, file, line, pointer, before, after, scope, direction, accepted } = finding;
  return {
    ruleId: rule,
    ruleIndex,
    level: severities[level],
    message: { text: `${message} (${level}, ${scope.replace('_', ' ')})` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: addressOf(file) }, region: { startLine: line } },
        logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }],
      },
    ],
    partialFingerprints: { 'change/v1': mark },
    ...(accepted && { suppressions: [{ kind: 'external', justification: accepted.reason }] }),
    properties: {
      level,
      class: finding.class,
      scope,
      direction,
      before,
      after,
      ...('witness' in finding && { witness: finding.witness }),
    },
  };
}

/** Shows a file of a git revision under its current path. */
const addressOf = (file: string): string => encodeURI(file.replace(/^(?!https?:)[^:/\\]+:/, '').replaceAll('\\', '/'));
