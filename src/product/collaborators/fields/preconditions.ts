import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';

/**
 * @param expected the entity tags the caller accepts; undefined for any
 * @throws 412 if none matches the current tag
 */
export function requireMatch(expected: readonly string[] | undefined, etag: string): void {
  if (expected === undefined || expected.includes(etag)) return;
  throw new Problem(412, 'precondition_failed', t`The collaborator has changed since you read it. Read it again.`);
}
