// Findings as JSON, by schema/report.schema.json.
import type { Finding } from '../model/findings.ts';
import type { Result } from '../verdict/compare-contracts.ts';
import { fingerprints } from './fingerprint.ts';

/** Format version; raised when a member is removed or changes its meaning. */
const formatVersion = 1;
/** Maximum number of operations per finding: thousands of findings about parts shared by thousands would exhaust memory. */
const maxOperations = 100;

/** Both verdicts and all findings. */
export function jsonReport(result: Result): string {
  const { verdicts, ok, faults, notices, warnings, findings, accepted, notes } = result;
  const marks = fingerprints([...findings, ...accepted, ...notes]);
  let next = 0;
  const marked = (list: readonly Finding[]) =>
    list.map((finding) => ({ ...shortened(finding), fingerprint: marks[next++] }));
  return printed({
    form: formatVersion,
    compared: true,
    ok,
    ...verdicts,
    faults,
    notices,
    warnings,
    findings: marked(findings),
    accepted: marked(accepted),
    notes: marked(notes),
  });
}

/** Output when the comparison failed; says nothing about required versions. */
export const jsonFailure = (reasons: readonly string[]): string =>
  printed({ form: formatVersion, compared: false, ok: false, error: reasons });

function shortened(finding: Finding): object {
  const omittedCount = finding.operations.length - maxOperations;
  return omittedCount <= 0
    ? finding
    : { ...finding, operations: finding.operations.slice(0, maxOperations), operations_left_out: omittedCount };
}

const printed = (report: object): string => `${JSON.stringify(report, null, 2)}\n`;
