import { sql } from 'kysely';

/** When a row changes: never before it came to be, which the clock of another machine may have said. */
export const changeTime = sql<string>`greatest(statement_timestamp(), collaborators.updated_at)`;
