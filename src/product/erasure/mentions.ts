/**
 * Finds whole email addresses and names in texts: `ana@verde.example` isn't part of `mariana@verde.example`, so erasing one person
 * doesn't erase data about another.
 */
import { type RawBuilder, sql } from 'kysely';

/** @param letters letters and digits for a bracket expression, which differ between Postgres and JavaScript */
function addressPattern(address: string, letters: string): string {
  // In stored JSON and URLs, the character before may be the end of an escape.
  const before = `(?<=^|[^${letters}._%+-]|\\\\[bfnrt]|\\\\u[0-9a-f]{4}|%[0-9a-f]{2})`;
  return `${before}${escaped(address)}(?![${letters}-]|\\.[${letters}])`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** @param addresses in lower case */
export function mentionsAddress(text: RawBuilder<string>, addresses: readonly string[]): RawBuilder<boolean> {
  const patterns = addresses.map((address) => addressPattern(address, '[:alnum:]'));
  // `strpos` first: it is much cheaper.
  return sql<boolean>`exists (
    select from unnest(${addresses}::text[], ${patterns}::text[]) as known (address, pattern)
    where case when strpos(lower(${text}), address) > 0 then ${text} ~* pattern else false end)`;
}

export function addressMatcher(addresses: readonly string[]): (text: string) => boolean {
  const patterns = addresses.map((address) => new RegExp(addressPattern(address, '\\p{L}\\p{N}'), 'iu'));
  return (text) => patterns.some((pattern) => pattern.test(text));
}

export function mentionsName(text: RawBuilder<string>, name: string): RawBuilder<boolean> {
  return sql<boolean>`${text} ~* ${`(?<![[:alnum:]])${escaped(name)}(?![[:alnum:]])`}::text`;
}
