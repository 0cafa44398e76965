/** The statement that wakes who listens on a channel. */
import { CompiledQuery } from 'kysely';
import { nameOf, type Statement } from '../connection/kept-statement.ts';

/** Nothing is lost with it in a crash, so its commit waits for no disk. */
const text = `select set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
  from unnest($2::text[]) as payload`;

export function notification(channel: string, payloads: readonly string[]): Statement {
  return { ...CompiledQuery.raw(text, [channel, payloads]), name: nameOf(text) };
}
