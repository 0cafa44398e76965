/** The reader's relation to a person, which determines what they may write. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { permissionsQuery, sessionQuery } from '../../api/client/session.ts';
import type { Relation } from './fields.ts';

export function useRelation(company: string, personId: string): Relation {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: rights } = useQuery(permissionsQuery(company));
  const membership = session.companies.find(({ id }) => id === company);
  if (!membership || !rights?.has('patchCollaborator')) return 'none';
  if (membership.role === 'admin') return 'admin';
  const isSelf = membership.collaborator_id === personId;
  // Managers reach only their team.
  if (membership.role === 'manager') return isSelf ? 'manager-self' : 'manager';
  return isSelf ? 'self' : 'none';
}
