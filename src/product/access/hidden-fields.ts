/** Collaborator fields hidden from a caller, by `x-read-access` of the contract. */
import { contract } from '../../contract/contract.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { canUseField, fieldRules } from './permissions.ts';

const rules = [...fieldRules(contract.components.schemas.Collaborator!, 'x-read-access')];

type Reader = Pick<Viewer, 'caller' | 'member'>;

/**
 * The hidden fields, which are never shown, nor compared with what the caller sends.
 * @param recordId the record's owner; undefined for any person, with fields visible in everyone's record
 */
export function hiddenFields({ caller, member }: Reader, recordId: string | undefined): string[] {
  return rules.filter(([, rule]) => !canUseField(rule, caller, member, recordId)).map(([field]) => field);
}

/** Whether the caller currently sees everyone's salary, and so may see them in bulk data. */
export function seesSalaries(reader: Reader): boolean {
  return !hiddenFields(reader, undefined).includes('salary');
}
