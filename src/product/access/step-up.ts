/** Which operations ask for a recent sign-in: those that may show salaries of others, and those that the contract names. */
import { contract, type FieldAccess } from '../../contract/contract.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { requireStepUp } from '../../identity/members/step-up.ts';
import { fieldRules, type OperationAccess } from './permissions.ts';

const salary = fieldRules(contract.components.schemas.Collaborator!, 'x-read-access').get('salary')!;

type Reader = Pick<Viewer, 'caller' | 'member'>;

/** Whether the operation is refused until the person has signed in again. */
export function needsStepUp({ step_up: stepUp }: Pick<OperationAccess, 'step_up'>, reader: Reader): boolean {
  if (!stepUp || !reader.caller.lacks) return false;
  return stepUp === 'always' || readsHidden(reader);
}

/**
 * For who asks for salaries, or for sensitive fields of the company, by name. Who does not gets an answer without them, where they
 * would be refused.
 * @param recordId whose, when it is one person
 * @throws 401
 */
export function requireForHidden(fields: ReadonlySet<string> | undefined, reader: Reader, recordId?: string): void {
  if (!fields || recordId === reader.member.collaborator_id) return;
  if (fields.has('salary') && reads(salary, reader)) requireStepUp(reader.caller);
  for (const { path, sensitive, readers } of reader.member.fields?.active ?? []) {
    if (sensitive && fields.has(path) && reads(readers, reader)) requireStepUp(reader.caller);
  }
}

/** Salaries, or sensitive fields of the company. */
function readsHidden(reader: Reader): boolean {
  const sensitive = reader.member.fields?.active.filter((field) => field.sensitive) ?? [];
  return reads(salary, reader) || sensitive.some(({ readers }) => reads(readers, reader));
}

/** Of others, as far as scopes and role go. */
function reads(rule: FieldAccess, { caller, member }: Reader): boolean {
  if (rule.scopes?.some((scope) => !caller.scopes.includes(scope))) return false;
  return rule[member.role] === 'all' || rule[member.role] === 'team';
}
