/**
 * Patterns of subscriptions and filters: one event by its name, a namespace (`collaborator.*`), or everything (`*`).
 */
import { type RawBuilder, sql } from 'kysely';

/** Every pattern that an event matches. */
export function patternsFor(event: string): string[] {
  return [event, `${namespaceOf(event)}.*`, '*'];
}

export function matches(pattern: string, event: string): boolean {
  return patternsFor(event).includes(pattern);
}

/** What stands before the dot. */
export function namespaceOf(event: string): string {
  return event.split('.')[0]!;
}

/**
 * The same question to the database.
 * @param column with the names of events
 */
export function matchesAny(column: 'name' | 'event', patterns: readonly string[]): RawBuilder<boolean> {
  const event = sql.ref(column);
  return sql<boolean>`array[${event}, split_part(${event}, '.', 1) || '.*', '*'] && ${patterns}::text[]`;
}
