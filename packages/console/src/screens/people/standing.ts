/** The reader's relation to a person, which determines what they may write. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { rightsQuery, whoQuery } from '../../api/who.ts';
import type { Standing } from './fields.ts';

export function useStanding(company: string, personId: string): Standing {
  const { data: who } = useSuspenseQuery(whoQuery);
  const { data: rights } = useQuery(rightsQuery(company));
  const mine = who.companies.find(({ id }) => id === company);
  if (!mine || !rights?.has('patchCollaborator')) return 'none';
  if (mine.role === 'admin') return 'admin';
  const isSelf = mine.collaborator_id === personId;
  // Managers reach only their team.
  if (mine.role === 'manager') return isSelf ? 'manager-self' : 'manager';
  return isSelf ? 'self' : 'none';
}
