// The findings as SARIF 2.1.0, which code hosts show beside the lines they are about.
import type { Finding, Level } from '../model/findings.ts';
import type { Rule } from '../policy/rule.ts';
import { isRule, rules } from '../policy/rules.ts';
import type { Result } from '../verdict/compare-contracts.ts';

const severities: Readonly<Record<Level, 'error' | 'warning' | 'note' | 'none'>> = {
  error: 'error',
  major: 'error',
  undecided: 'warning',
  minor: 'note',
  patch: 'note',
  none: 'none',
};

/** All findings, and the rules they are judged by. */
export function sarifReport(result: Result): string {
  const used = [...new Set(result.findings.map(({ rule }) => rule))].filter(isRule);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'openapi-contract-diff',
            rules: used.map((id) => {
              const rule: Rule = rules[id];
              return {
                id,
                shortDescription: { text: rule.title },
                fullDescription: { text: rule.why },
                help: { text: `${rule.why} An example: \`openapi-contract-diff --explain ${id}\`.` },
              };
            }),
          },
        },
        results: result.findings.map((finding) =>
          resultOf(finding, used.indexOf(finding.rule as (typeof used)[number])),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultOf(finding: Finding, ruleIndex: number) {
  const { rule, level, message, file, line, pointer, before, after, scope, direction } = finding;
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
    partialFingerprints: { change: [rule, scope, direction, pointer].join(' ') },
    properties: { level, scope, direction, before, after, ...('witness' in finding && { witness: finding.witness }) },
  };
}

/** A file of a revision is shown as the file it is today. */
const addressOf = (file: string): string => encodeURI(file.replace(/^(?!https?:)[^:/\\]+:/, '').replaceAll('\\', '/'));
