import { sql } from 'kysely';

/**
 * Never before the previous change, which may have started later and committed first. A previous time far in the future, from a
 * wrong clock or another server, is capped at one minute ahead, the margin that readers of `updated_since` subtract.
 */
export const changeTime = sql<string>`
  greatest(statement_timestamp(), least(collaborators.updated_at, statement_timestamp() + interval '1 minute'))`;
