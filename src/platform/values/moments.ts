/** Checks times in requests. */
import { say } from '../../contract/languages/text.ts';
import type { FieldErrors } from '../../contract/problem.ts';

/**
 * RFC 3339 knows leap seconds and a year 0, and with an offset a year 10000; JavaScript and Postgres do not, or write it in
 * other ways: such a time becomes the nearest one that all understand.
 * @param text a `date-time` that was checked against the contract
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

/** Of a filter that can be left out. */
export function optionalMoment(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : momentOf(text);
}

const earliestMs = Date.parse('0001-01-01T00:00:00.000Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

export function futureFaults(field: string, moment: Date): FieldErrors {
  if (moment <= new Date()) return {};
  return { [field]: [{ code: 'out_of_range', message: say`Must not be in the future.` }] };
}
