/** Parses and checks times in requests. */
import { t } from '../../contract/languages/text.ts';
import type { FieldErrors } from '../../contract/problem.ts';

/**
 * Parses a `date-time`. RFC 3339 allows leap seconds and the years 0 and 10000, which JavaScript and Postgres don't support or
 * write differently: such times become the nearest valid one.
 */
export function momentOf(text: string): Date {
  const timeMs = Date.parse(
    text
      .toUpperCase()
      .replace(/\s/, 'T')
      .replace(/:60(?=[.Z+-])/, ':59'),
  );
  return new Date(Math.min(Math.max(timeMs, earliestMs), latestMs));
}

/** For an optional filter. */
export function optionalMoment(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : momentOf(text);
}

const earliestMs = Date.parse('0001-01-01T00:00:00.000Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

export function futureErrors(field: string, moment: Date): FieldErrors {
  if (moment <= new Date()) return {};
  return { [field]: [{ code: 'out_of_range', message: t`Must not be in the future.` }] };
}
