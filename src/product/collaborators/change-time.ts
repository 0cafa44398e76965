import { sql } from 'kysely';

/**
 * When a row changes, by the clock of the database: never before its last change, which may have begun a moment later and come
 * first. But for one far ahead, which has the time of a clock that was wrong, or of the server before this one: it comes back,
 * or nobody who reads by `updated_since` what changed after the newest time they know would hear of the changes until then.
 */
export const changeTime = sql<string>`
  case when collaborators.updated_at > statement_timestamp() + interval '1 minute' then statement_timestamp()
    else greatest(statement_timestamp(), collaborators.updated_at) end`;
