// A name for each finding that stays the same from run to run, and differs from that of every other one of a report.
import { createHash } from 'node:crypto';
import type { Finding } from '../model/findings.ts';

/**
 * Fingerprints of findings, in their order. Neither lines nor the operation through which a shared part was reached count:
 * both change with what stands around.
 */
export function fingerprints(findings: readonly Finding[]): string[] {
  const seen = new Map<string, number>();
  return findings.map(({ rule, scope, direction, pointer, message }) => {
    const what = message.slice(message.lastIndexOf(': ') + 1);
    const text = createHash('sha256')
      .update(JSON.stringify([rule, scope, direction, pointer, what]))
      .digest('hex');
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    return before === 0 ? text.slice(0, 32) : `${text.slice(0, 32)}-${before + 1}`;
  });
}
