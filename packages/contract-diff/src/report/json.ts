// The findings for a program.
import type { Result } from '../verdict/compare-contracts.ts';

/** The machine form: both verdicts and all findings. */
export function jsonReport({ verdicts, findings }: Result): string {
  return `${JSON.stringify({ ...verdicts, findings: findings.map(({ file: _, ...finding }) => finding) }, null, 2)}\n`;
}

/** The machine form when nothing could be compared: nothing is required, and nothing is all right. */
export function jsonFailure(reasons: readonly string[]): string {
  const verdict = { required: 'none', from: null, to: null, ok: false };
  return `${JSON.stringify({ interface: verdict, webhook_payload: verdict, findings: [], error: reasons }, null, 2)}\n`;
}
