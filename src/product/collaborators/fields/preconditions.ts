/** That nobody has changed a collaborator since the caller read them. */
import { say } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';

/**
 * @param expected the entity tags of the versions that the caller means; undefined for any
 * @throws 412 when none of them is that of what is now
 */
export function requireMatch(expected: readonly string[] | undefined, etag: string): void {
  if (expected === undefined || expected.includes(etag)) return;
  throw new Problem(412, 'precondition_failed', say`The collaborator has changed since you read it. Read it again.`);
}
