/** How the list of connections is filtered, as the address has it. What is none is left out. */
import type { ConnectionFilters } from '../../api/connections.ts';

export const kinds = ['person', 'installation'] as const;

export function readConnectionFilters(asked: Record<string, unknown>): ConnectionFilters {
  const { client_id, kind, user_id, needs_confirmation } = asked;
  const found = kinds.find((each) => each === kind);
  return {
    ...(typeof client_id === 'string' && client_id !== '' && { client_id }),
    ...(found && { kind: found }),
    ...(typeof user_id === 'string' && user_id !== '' && { user_id }),
    ...(typeof needs_confirmation === 'boolean' && { needs_confirmation }),
  };
}
