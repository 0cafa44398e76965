// Dates in `x-sunset` and in exceptions.

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Parses a date such as `2027-01-31`, an RFC 3339 time, or a `Sunset` header value (RFC 8594).
 * @returns Unix time in milliseconds, or undefined for anything else
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const hasDateFormat =
    /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/.test(value) ||
    /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(value);
  const time = hasDateFormat ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  // Date.parse accepts 2027-02-30 as March 2.
  const day = /^\d{4}-\d\d-\d\d/.exec(value)?.[0];
  const isRealDay = day === undefined || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return isRealDay ? time : undefined;
}

export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && timeOf(value) !== undefined;

/** The current date in UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** Days between a date and a time; negative if the time is earlier. */
export const daysUntil = (time: number, from: string): number => (time - Date.parse(from)) / dayMs;
