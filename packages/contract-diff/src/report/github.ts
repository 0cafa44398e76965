// Findings as GitHub Actions commands, which annotate source lines.
import type { Finding } from '../model/findings.ts';
import type { Result } from '../verdict/compare-contracts.ts';
import { grouped } from './text.ts';

/** Errors for failing findings, warnings or notices for others that require a version bump. */
export function githubReport(result: Result): string {
  const blockingFindings = new Set(result.blocking);
  const lines = grouped(result.findings).flatMap((group) => {
    const finding = group[0]!;
    const kind = group.some((one) => blockingFindings.has(one)) ? 'error' : kinds.get(finding.level);
    return kind === undefined ? [] : [annotation(kind, finding)];
  });
  const errors = result.faults.map((error) => `::error title=Contract::${escaped(error)}`);
  const warnings = result.warnings.map((text) => `::notice title=Contract::${escaped(text)}`);
  return [...errors, ...lines, ...warnings].map((line) => `${line}\n`).join('');
}

export const githubFailure = (reasons: readonly string[]): string =>
  reasons.map((reason) => `::error title=Couldn't compare::${escaped(reason)}\n`).join('');

const kinds = new Map([
  ['error', 'error'],
  ['major', 'warning'],
  ['undecided', 'warning'],
  ['minor', 'notice'],
]);

function annotation(kind: string, { file, line, rule, level, message }: Finding): string {
  const where = /^https?:/.test(file) ? '' : `file=${property(file.replace(/^[^:/\\]+:/, ''))},line=${line},`;
  return `::${kind} ${where}title=${property(`${rule} (${level})`)}::${escaped(message)}`;
}

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
