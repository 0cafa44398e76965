/**
 * Conditional requests (RFC 9110, section 13): `If-Match` before a write, `If-None-Match` at a read or before a creation.
 *
 * Proxies that compress rewrite entity tags: nginx and Cloudflare make them weak, Caddy, Apache and Jetty append the coding. A tag
 * names a version of the record and not the bytes of an answer, so the comparison also tries the tag without what a proxy added.
 */
import { existsAlready } from '../../contract/problem.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './respond.ts';

/**
 * The versions that the caller means to change, by their entity tags. What a tag says behind a dot is about what was shown beside
 * the record, and left out.
 * @returns undefined where any version will do
 */
export function expectedTags(ifMatch: string | undefined): string[] | undefined {
  return ifMatch === undefined || ifMatch.trim() === '*'
    ? undefined
    : tagsOf(ifMatch).map((tag) => tag.replace(/\.[\w-]*"$/, '"'));
}

/** Whether the caller has the current version already. */
export function isUnmodified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return wantsNothingThere(ifNoneMatch) || tagsOf(ifNoneMatch).includes(etag);
}

/** Whether a write is to create, and never to change (`If-None-Match: *`). */
export function wantsNothingThere(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.trim() === '*';
}

/** @throws 412 where the caller wants to create only, and the operation changes what is there */
export function requireNothingThere({ operation, headers }: Exchange): void {
  if (!wantsNothingThere(headers['if-none-match'])) return;
  if (operation.method !== 'post' && operation.answers.has(412) && !operation.takesIfNoneMatch) throw existsAlready();
}

/** The reply, or 304 in its place where the contract declares that and the caller has it already. */
export function unlessKnown({ operation, headers }: Exchange, reply: Reply): Reply {
  const { ETag } = reply.headers ?? {};
  if (!operation.answers.has(304) || reply.status !== 200 || ETag === undefined) return reply;
  return isUnmodified(headers['if-none-match'], String(ETag)) ? { status: 304, headers: reply.headers } : reply;
}

/** As they came, without `W/`, and without one or more codings behind them. */
function tagsOf(header: string): string[] {
  return (header.match(/"[^"]*"/g) ?? []).flatMap(withoutCodings);
}

/** Jetty writes `--gzip`; others have written `;gzip`. */
const coding = /(?:--?|;)(?:x-)?(?:gzip|br|zstd|deflate)"$/;

/** The tag itself comes first: one in some 262,000 of ours ends with `-br` by chance. */
function withoutCodings(tag: string): string[] {
  const tags = [tag];
  for (let shorter = tag; coding.test(shorter); tags.push(shorter)) shorter = shorter.replace(coding, '"');
  return tags;
}
