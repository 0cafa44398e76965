import { sql } from 'kysely';

/**
 * When a row changes, by the clock of the database: never before its last change, which may have begun a moment later and come
 * first. One far ahead has the time of a clock that was wrong, or of the server before this one: it comes back to a minute, which
 * is what those take off who read by `updated_since`. Otherwise they would not hear of changes until that time has come.
 */
export const changeTime = sql<string>`
  greatest(statement_timestamp(), least(collaborators.updated_at, statement_timestamp() + interval '1 minute'))`;
