/** The statement that sends notifications on a channel. */
import { CompiledQuery } from 'kysely';
import { nameOf, type Statement } from '../connection/prepared-statement.ts';

/** A crash loses nothing that matters, so the commit doesn't wait for the disk. */
const text = `select set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
  from unnest($2::text[]) as payload`;

export function notification(channel: string, payloads: readonly string[]): Statement {
  return { ...CompiledQuery.raw(text, [channel, payloads]), name: nameOf(text) };
}
