/** Which operations ask for a recent sign-in: those that may show salaries of others, and those that the contract names. */
import { contract } from '../../contract/contract.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { requireStepUp } from '../../identity/members/step-up.ts';
import { fieldRules, type OperationAccess } from './permissions.ts';

const salary = fieldRules(contract.components.schemas.Collaborator!, 'x-read-access').get('salary')!;

type Reader = Pick<Viewer, 'caller' | 'member'>;

/** Whether the operation is refused until the person has signed in again. */
export function needsStepUp({ step_up: stepUp }: Pick<OperationAccess, 'step_up'>, reader: Reader): boolean {
  if (!stepUp || !reader.caller.lacks) return false;
  return stepUp === 'always' || readsSalaries(reader);
}

/**
 * For who asks for salaries by name. Who does not gets an answer without them, where they would be refused.
 * @param recordId whose, when it is one person
 * @throws 401
 */
export function requireForSalaries(fields: ReadonlySet<string> | undefined, reader: Reader, recordId?: string): void {
  if (!fields?.has('salary') || recordId === reader.member.collaborator_id) return;
  if (readsSalaries(reader)) requireStepUp(reader.caller);
}

/** Those of others, as far as scopes and role go. */
function readsSalaries({ caller, member }: Reader): boolean {
  if (salary.scopes?.some((scope) => !caller.scopes.includes(scope))) return false;
  return salary[member.role] === 'all' || salary[member.role] === 'team';
}
