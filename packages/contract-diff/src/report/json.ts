// The findings for a program.
import type { Finding } from '../model/findings.ts';
import type { Result } from '../verdict/compare-contracts.ts';

/** The machine form: both verdicts and all findings. */
export function jsonReport({ verdicts, findings, accepted, notes }: Result): string {
  const plain = (list: readonly Finding[]) => list.map(({ file: _, ...finding }) => finding);
  const report = { ...verdicts, findings: plain(findings), accepted: plain(accepted), notes: plain(notes) };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** The machine form when nothing could be compared: nothing is required, and nothing is all right. */
export function jsonFailure(reasons: readonly string[]): string {
  const verdict = { required: 'none', from: null, to: null, ok: false };
  return `${JSON.stringify({ interface: verdict, webhook_payload: verdict, findings: [], error: reasons }, null, 2)}\n`;
}
