/** Encrypted tokens with their own data and expiry, for mailed links and the state between two pages. They need no table. */
import type { SealContext, Vault } from './secrets.ts';

interface Opened {
  values: string[];
  /** Whether it has expired. */
  is_over: boolean;
}

/** @param context the token's purpose, which it is bound to @returns in base64url */
export function sealToken(sealed: Vault, context: SealContext, values: readonly string[], validMs: number): string {
  const content = JSON.stringify([...values, Date.now() + validMs]);
  return sealed.seal(content, context).toString('base64url');
}

/** @returns undefined for a token that wasn't sealed for this place, or isn't in its canonical encoding */
export function openToken(sealed: Vault, context: SealContext, token: string): Opened | undefined {
  try {
    const bytes = Buffer.from(token, 'base64url');
    // The decoder ignores invalid characters, so an altered text could decode to the same bytes.
    if (bytes.toString('base64url') !== token) return undefined;
    const content = JSON.parse(sealed.open(bytes, context)) as [...string[], number];
    const expiresMs = content.pop() as number;
    return { values: content as string[], is_over: expiresMs < Date.now() };
  } catch {
    return undefined; // not one of our tokens
  }
}
