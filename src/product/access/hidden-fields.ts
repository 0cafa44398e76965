/** Fields of collaborators that a caller may not see, by `x-read-access` of the contract. */
import { contract } from '../../contract/contract.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { fieldRules, mayUseField } from './permissions.ts';

const rules = [...fieldRules(contract.components.schemas.Collaborator!, 'x-read-access')];

type Reader = Pick<Viewer, 'caller' | 'member'>;

/**
 * The names of those that are hidden: they are shown nowhere, and never compared with what the caller sends.
 * @param recordId whose they are; undefined for nobody in particular, of whom only what everybody's record shows is seen
 */
export function hiddenFields({ caller, member }: Reader, recordId: string | undefined): string[] {
  return rules.filter(([, rule]) => !mayUseField(rule, caller, member, recordId)).map(([field]) => field);
}

/** Whether the caller sees the salaries of everybody now: what tells of many people shows them then. */
export function seesSalaries(reader: Reader): boolean {
  return !hiddenFields(reader, undefined).includes('salary');
}
