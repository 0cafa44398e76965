// Days, as `x-sunset` and exceptions name them.

/** The milliseconds of a day. */
const dayMs = 24 * 60 * 60 * 1000;

/**
 * The time a text names: a day such as `2027-01-31`, a time of RFC 3339, or one as the header `Sunset` of RFC 8594 has it.
 *
 * @returns milliseconds since 1970, or undefined for anything else
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const shaped =
    /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/.test(value) ||
    /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(value);
  const time = shaped ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  // Date.parse takes 2027-02-30 for the second of March.
  const day = /^\d{4}-\d\d-\d\d/.exec(value)?.[0];
  const real = day === undefined || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return real ? time : undefined;
}

/** Whether a text is a day such as `2027-01-31`. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && timeOf(value) !== undefined;

/** The day it is, in UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** How many days lie between a day and a time; negative when the time is before it. */
export const daysUntil = (time: number, from: string): number => (time - Date.parse(from)) / dayMs;
