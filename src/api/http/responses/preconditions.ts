/**
 * Conditional requests (RFC 9110, section 13): `If-Match` before a write, `If-None-Match` for a read or a creation.
 *
 * Compressing proxies rewrite entity tags: nginx and Cloudflare make them weak, Caddy, Apache, and Jetty append the coding. A tag
 * identifies a version of the record, not the bytes of a response, so the comparison also tries the tag without such a suffix.
 */
import { existsAlready } from '../../../contract/problem.ts';
import type { RequestContext } from '../request-context.ts';
import type { Reply } from './respond.ts';

/**
 * The tags the caller expects, without the part after the dot, which covers what was shown beside the record.
 * @returns undefined if any version matches
 */
export function expectedTags(ifMatch: string | undefined): string[] | undefined {
  return ifMatch === undefined || ifMatch.trim() === '*'
    ? undefined
    : tagsOf(ifMatch).map((tag) => tag.replace(/\.[\w-]*"$/, '"'));
}

export function isUnmodified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return isIfNoneMatchAny(ifNoneMatch) || tagsOf(ifNoneMatch).includes(etag);
}

/** Whether a write must create and never change (`If-None-Match: *`). */
export function isIfNoneMatchAny(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.trim() === '*';
}

/** @throws 412 if the caller only wants to create, and the operation changes existing records */
export function requireCreateOnly({ operation, headers }: RequestContext): void {
  if (!isIfNoneMatchAny(headers['if-none-match'])) return;
  if (operation.method !== 'post' && operation.responseValidators.has(412) && !operation.acceptsIfNoneMatch)
    throw existsAlready();
}

/** Replaces the reply by a 304 if the contract declares it and the caller has the current version. */
export function replyOrNotModified({ operation, headers }: RequestContext, reply: Reply): Reply {
  const { ETag } = reply.headers ?? {};
  if (!operation.responseValidators.has(304) || reply.status !== 200 || ETag === undefined) return reply;
  return isUnmodified(headers['if-none-match'], String(ETag)) ? { status: 304, headers: reply.headers } : reply;
}

/** Each tag as sent, without `W/`, and also without coding suffixes. */
function tagsOf(header: string): string[] {
  return (header.match(/"[^"]*"/g) ?? []).flatMap(withoutCodings);
}

/** Jetty appends `--gzip`; others `;gzip`. */
const coding = /(?:--?|;)(?:x-)?(?:gzip|br|zstd|deflate)"$/;

/** The full tag comes first: about one in 262,000 of our tags ends with `-br` by chance. */
function withoutCodings(tag: string): string[] {
  const tags = [tag];
  for (let shorter = tag; coding.test(shorter); tags.push(shorter)) shorter = shorter.replace(coding, '"');
  return tags;
}
