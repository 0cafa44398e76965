/** Event filters: names, namespaces (`document.*`), or all (`*`). */
import type { EventType } from '../service/responses.ts';
import { CliError } from '../terminal/failure.ts';

export function matchesAny(patterns: readonly string[], event: string): boolean {
  return patterns.some((pattern) => pattern === '*' || pattern === event || pattern === `${namespaceOf(event)}.*`);
}

/** @throws CliError that lists the known events, when a pattern matches none */
export function checkPatterns(patterns: readonly string[], types: readonly EventType[]): void {
  const names = types.map(({ name }) => name);
  const known = new Set(['*', ...names, ...names.map((name) => `${namespaceOf(name)}.*`)]);
  const unknownPattern = patterns.find((pattern) => !known.has(pattern));
  if (unknownPattern === undefined) return;
  const sent = types.filter((type) => type.sent).map(({ name }) => name);
  throw new CliError(`unknown event ${unknownPattern}; available: ${sent.join(', ')}, or a group with .*`, 2);
}

function namespaceOf(event: string): string {
  return event.split('.')[0]!;
}
