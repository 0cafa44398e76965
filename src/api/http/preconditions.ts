/** Conditional requests (RFC 9110, section 13): `If-Match` before a write, `If-None-Match` at a read. */
import type { Exchange } from './exchange.ts';
import type { Reply } from './respond.ts';

/**
 * The versions that the caller means to change, by their entity tags. This comparison is the strong one: weak tags are among
 * them, and are the tag of nothing. What a tag says behind a dot is about what was shown beside the record, and left out.
 * @returns undefined where any version will do
 */
export function expectedTags(if_match: string | undefined): string[] | undefined {
  return if_match === undefined || if_match.trim() === '*'
    ? undefined
    : tagsOf(if_match).map((tag) => tag.replace(/\.[\w-]*"$/, '"'));
}

/** Whether the caller has what is there already. Weak tags count too: this comparison is the weak one. */
export function isUnmodified(if_none_match: string | undefined, etag: string): boolean {
  if (if_none_match === undefined) return false;
  return if_none_match.trim() === '*' || tagsOf(if_none_match).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** The reply, or 304 in its place where the contract declares that and the caller has it already. */
export function unlessKnown({ operation, headers }: Exchange, reply: Reply): Reply {
  const { ETag } = reply.headers ?? {};
  if (!operation.answers.has(304) || reply.status !== 200 || ETag === undefined) return reply;
  return isUnmodified(headers['if-none-match'], String(ETag)) ? { status: 304, headers: reply.headers } : reply;
}

function tagsOf(header: string): string[] {
  return header.match(/(W\/)?"[^"]*"/g) ?? [];
}
