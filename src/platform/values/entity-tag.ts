import { hash } from 'node:crypto';

/** A strong entity tag (RFC 9110, section 8.8.3). @param value what it stands for; keys in the same order each time */
export function entityTag(value: unknown): string {
  return `"${hash('sha1', JSON.stringify(value), 'base64url')}"`;
}
