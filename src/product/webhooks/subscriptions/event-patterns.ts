/** Event patterns of subscriptions and filters: an event name, a namespace (`collaborator.*`), or everything (`*`). */
import { type RawBuilder, sql } from 'kysely';

export function patternsFor(event: string): string[] {
  return [event, `${namespaceOf(event)}.*`, '*'];
}

export function matches(pattern: string, event: string): boolean {
  return patternsFor(event).includes(pattern);
}

export function namespaceOf(event: string): string {
  return event.split('.')[0]!;
}

/** `matches` in SQL. */
export function matchesAny(column: 'name' | 'event', patterns: readonly string[]): RawBuilder<boolean> {
  const event = sql.ref(column);
  return sql<boolean>`array[${event}, split_part(${event}, '.', 1) || '.*', '*'] && ${patterns}::text[]`;
}
