/** Conditional requests (RFC 9110, section 13): `If-Match` before a write, `If-None-Match` at a read. */
import { Problem } from '../contract/problem.ts';

/**
 * @param if_match the header of a request
 * @returns what throws 412 when the header is there and does not name the entity tag of what is there now
 */
export function ifMatch(if_match: string | undefined): (etag: string) => void {
  return (etag) => {
    if (if_match === undefined || if_match.trim() === '*' || tagsOf(if_match).includes(etag)) return;
    throw new Problem(412, 'precondition_failed', 'The collaborator has changed since you read it. Read it again.');
  };
}

/** Whether the caller has what is there already. Weak tags count too: this comparison is the weak one. */
export function isUnmodified(if_none_match: string | undefined, etag: string): boolean {
  if (if_none_match === undefined) return false;
  return if_none_match.trim() === '*' || tagsOf(if_none_match).some((tag) => tag.replace(/^W\//, '') === etag);
}

function tagsOf(header: string): string[] {
  return header.match(/(W\/)?"[^"]*"/g) ?? [];
}
