/** Formats dates and numbers for the chosen language, in the browser's time zone. */
import { currentLanguage, t } from './translate.ts';

/** The browser's regional variant of the chosen language, such as British English dates. */
function locale(): string {
  const language = currentLanguage();
  const base = language.split('-')[0]!;
  const known = navigator.languages.map(languageTag).filter(isSupported);
  return known.find((each) => each.split('-')[0]!.toLowerCase() === base) ?? language;
}

/** Browsers on Linux may return POSIX locales, such as `en-US@posix` or `pt_BR.UTF-8`, which are not valid tags (RFC 5646). */
function languageTag(name: string): string {
  return name.replace(/[.@].*$/, '').replaceAll('_', '-');
}

function isSupported(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false; // invalid tag
  }
}

/** For example `2 Mar 2026, 09:15:01`. */
export function moment(iso: string): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' });
  return format.format(new Date(iso));
}

/** Time of day; with the date unless it is today. */
export function shortMoment(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === now.toDateString();
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return new Intl.DateTimeFormat(locale(), { ...day, ...time }).format(date);
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** For example `in 3 minutes`, `2 days ago`. Not `yesterday`, because 47 hours ago may be the day before. */
export function fromNow(iso: string, nowMs: number): string {
  const distanceMs = Date.parse(iso) - nowMs;
  const [unit, lengthMs] = steps.find(([, each]) => Math.abs(distanceMs) >= each) ?? (['second', 1_000] as const);
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: unit === 'second' ? 'auto' : 'always' });
  return format.format(Math.trunc(distanceMs / lengthMs), unit);
}

export function duration(ms: number): string {
  const [value, unit] = ms < 1_000 ? [ms, 'millisecond'] : [ms / 1_000, 'second'];
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale(), options).format(value as number);
}

/** Custom fields have up to six decimals. */
export function number(value: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 6 }).format(value);
}

/** @param share between 0 and 1 */
export function percent(share: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

/** Converts a value of `<input type="datetime-local">`, which is in the browser's time zone. */
export function isoOf(local: string): string {
  return new Date(local).toISOString();
}

/** The inverse of `isoOf`, to the minute. Empty for an invalid time, which a URL may have. */
export function localOf(iso: string): string {
  const date = new Date(iso);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 16);
}

/** The displayed time zone, for example `São Paulo (GMT-3)`. */
export function timeZone(): string {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  return t`Time zone: ${zone}`;
}

/** Calendar date, independent of the time zone. */
export function day(date: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** Time of day to the minute. */
export function hourOf(iso: string): string {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' }).format(new Date(iso));
}

/** For example `Mon 2 Mar`. */
export function weekday(iso: string): string {
  const format = new Intl.DateTimeFormat(locale(), { weekday: 'short', day: 'numeric', month: 'short' });
  return format.format(new Date(iso));
}

/** Amount without a currency: the contract has none. */
export function money(amount: number): string {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount);
}

/** File size. */
export function size(bytes: number): string {
  if (bytes < 1_000)
    return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(bytes);
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}

/** Duration in the largest unit that divides it evenly. */
export function longDuration(seconds: number): string {
  const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
  const [unit, lengthS] = Object.entries(units).find(([, each]) => seconds % each === 0)!;
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / lengthS);
}

/** For example `Mar`; January also has the year. @param month as YYYY-MM */
export function shortMonth(month: string): string {
  const year = month.endsWith('-01') ? ({ year: '2-digit' } as const) : {};
  return new Intl.DateTimeFormat(locale(), { month: 'short', ...year, timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  );
}

/** For example `March 2026`. @param month as YYYY-MM */
export function longMonth(month: string): string {
  const format = new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01`));
}
