// Stable, unique fingerprints of findings.
import { createHash } from 'node:crypto';
import type { Finding } from '../model/findings.ts';

/** Excludes lines and the operation that led to a shared part, because unrelated changes affect both. */
export function fingerprints(findings: readonly Finding[]): string[] {
  const occurrences = new Map<string, number>();
  return findings.map(({ rule, scope, direction, pointer, message }) => {
    const change = message.slice(message.lastIndexOf(': ') + 1);
    const text = createHash('sha256')
      .update(JSON.stringify([rule, scope, direction, pointer, change]))
      .digest('hex');
    const before = occurrences.get(text) ?? 0;
    occurrences.set(text, before + 1);
    return before === 0 ? text.slice(0, 32) : `${text.slice(0, 32)}-${before + 1}`;
  });
}
