/**
 * Tokens that say themselves what they are for, sealed: the last part of a mailed link, or what a page carries to the next one. No
 * table has to remember them, nobody can read or change them, and each says when it expires.
 */
import type { Place, Vault } from './secrets.ts';

/** What a token of ours says. */
interface Opened {
  values: string[];
  /** Whether it has expired. */
  is_over: boolean;
}

/**
 * @param place what it is for: it opens as nothing else
 * @param validMs from now, in milliseconds
 * @returns in base64url
 */
export function sealToken(sealed: Vault, place: Place, values: readonly string[], validMs: number): string {
  const content = JSON.stringify([...values, Date.now() + validMs]);
  return sealed.seal(content, place).toString('base64url');
}

/** @returns undefined when it was not sealed here for this place, or is not the very text that was */
export function openToken(sealed: Vault, place: Place, token: string): Opened | undefined {
  try {
    const bytes = Buffer.from(token, 'base64url');
    // Decoding overlooks foreign characters, so an altered text could mean the same bytes.
    if (bytes.toString('base64url') !== token) return undefined;
    const content = JSON.parse(sealed.open(bytes, place)) as [...string[], number];
    const expiresMs = content.pop() as number;
    return { values: content as string[], is_over: expiresMs < Date.now() };
  } catch {
    return undefined; // not sealed here
  }
}
