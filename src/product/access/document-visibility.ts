/** Document types hidden from a caller, by `x-value-access` of the contract. */

import { contract } from '../../contract/contract.ts';
import type { Member } from '../../identity/members/member.ts';
import { reaches } from './permissions.ts';

const rules = Object.entries(contract.components.schemas.DocumentType!['x-value-access']!);

export function hiddenTypes(member: Member, collaboratorId: string): string[] {
  return rules.filter(([, access]) => !reaches(access, member, collaboratorId)).map(([type]) => type);
}
