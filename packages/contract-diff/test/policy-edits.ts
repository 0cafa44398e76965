// Edits of the test document, and their comparison.
import type { PolicyFile } from '../src/policy/policy.ts';
import type { Options, Result } from '../src/verdict/compare-contracts.ts';
import { absent, type Edit, list, schemas } from './cases/case.ts';
import { documentsOf } from './cases/mutate.ts';
import { compareValues } from './compare-values.ts';

export const edit = (at: string, before: unknown, after: unknown): Edit => ({ at, before, after });
export const nickname = `${schemas}/Collaborator/properties/nickname`;
export const reworded = edit(`${list}/description`, 'One.', 'Another.');
export const renamed = edit(`${list}/operationId`, 'a', 'b');
export const removed = edit(nickname, { type: 'string' }, absent);
export const added = edit(nickname, absent, { type: 'string' });

export const compareEdits = (edits: readonly Edit[], options: Partial<Options> = {}): Promise<Result> => {
  const noFindings = { rule: 'none', interface: 'none', webhook_payload: 'none' } as const;
  const [base, revised] = documentsOf({ name: '', edits, expected: noFindings, reverse: noFindings });
  return compareValues(base, revised, { today: '2027-01-31', ...options });
};
export const requiredLevel = async (edits: readonly Edit[], policy: PolicyFile) =>
  (await compareEdits(edits, { policy })).verdicts.interface.required;
