/** Which types of documents a caller may not see, by `x-value-access` of the contract. */

import { contract } from '../../contract/contract.ts';
import type { Member } from '../../identity/members/member.ts';
import { reaches } from './permissions.ts';

const rules = Object.entries(contract.components.schemas.DocumentType!['x-value-access']!);

/** @param collaborator_id whose documents they are, already known to be in the caller's reach */
export function hiddenTypes(member: Member, collaboratorId: string): string[] {
  return rules.filter(([, access]) => !reaches(access, member, collaboratorId)).map(([type]) => type);
}
