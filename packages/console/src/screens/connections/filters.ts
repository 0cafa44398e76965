/** Connection filters in the URL. Empty filters are omitted. */
import type { ConnectionFilters } from '../../api/connections.ts';

export const kinds = ['person', 'installation'] as const;

export function readConnectionFilters(search: Record<string, unknown>): ConnectionFilters {
  const { client_id: clientId, kind, user_id: userId, needs_confirmation: needsConfirmation } = search;
  const found = kinds.find((each) => each === kind);
  return {
    ...(typeof clientId === 'string' && clientId !== '' && { client_id: clientId }),
    ...(found && { kind: found }),
    ...(typeof userId === 'string' && userId !== '' && { user_id: userId }),
    ...(typeof needsConfirmation === 'boolean' && { needs_confirmation: needsConfirmation }),
  };
}
