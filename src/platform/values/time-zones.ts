/** IANA time zones, and dates in them. */

/** Three-letter names in the IANA database. Other abbreviations are ambiguous. */
const shortZones = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '));

export function isTimeZone(name: string): boolean {
  if (name.length === 3 && !shortZones.has(name.toUpperCase())) return false;
  try {
    dayIn(name, new Date());
    return true;
  } catch {
    return false;
  }
}

/** The date in a time zone, as YYYY-MM-DD. */
export function dayIn(timeZone: string, moment: Date): string {
  // The locale whose format is YYYY-MM-DD.
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(moment);
}

/** @param day as YYYY-MM-DD */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The number of days between two dates (YYYY-MM-DD). */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}
