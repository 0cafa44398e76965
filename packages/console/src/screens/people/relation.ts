/** The reader's relation to a person, which determines what they may write. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { permissionsQuery, sessionQuery } from '../../api/client/session.ts';
import type { Relation } from './fields.ts';

export function useRelation(company: string, personId: string): Relation {
  const { data: who } = useSuspenseQuery(sessionQuery);
  const { data: rights } = useQuery(permissionsQuery(company));
  const mine = who.companies.find(({ id }) => id === company);
  if (!mine || !rights?.has('patchCollaborator')) return 'none';
  if (mine.role === 'admin') return 'admin';
  const isSelf = mine.collaborator_id === personId;
  // Managers reach only their team.
  if (mine.role === 'manager') return isSelf ? 'manager-self' : 'manager';
  return isSelf ? 'self' : 'none';
}
