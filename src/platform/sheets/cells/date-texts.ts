/** Parses dates as people write them. Returns every possible reading: the caller decides the order by the whole column. */
import { plainName } from '../headers/header-names.ts';

export type DateOrder = 'dmy' | 'mdy' | 'ymd';
export const dateOrders: readonly DateOrder[] = ['dmy', 'mdy', 'ymd'];

export type DateReading =
  /** An unambiguous date. */
  | { kind: 'date'; iso: string }
  /** The date in each possible order; some may be equal. */
  | { kind: 'ordered'; by: ReadonlyMap<DateOrder, string> }
  /** A date with a time other than midnight. */
  | { kind: 'time' }
  | { kind: 'none' };

/** A cache, because long columns repeat most dates. */
const known = new Map<string, DateReading>();
const maxKnown = 10_000;

export function readDate(text: string): DateReading {
  const found = known.get(text);
  if (found) return found;
  const reading = parsed(text);
  if (known.size >= maxKnown) known.clear();
  if (text.length <= maxText) known.set(text, reading);
  return reading;
}

const maxText = 60;
const none: DateReading = { kind: 'none' };

function parsed(text: string): DateReading {
  if (text.length > maxText) return none;
  const { date, hasTime } = withoutTime(text.normalize('NFKC').trim());
  const reading = numbered(date) ?? named(date) ?? named(date.replace(/^\p{L}[\p{L}-]*\.?,?\s+/u, '')) ?? none;
  return hasTime && reading !== none ? { kind: 'time' } : reading;
}

/** Ignores midnight, which programs append to dates. */
function withoutTime(text: string): { date: string; hasTime: boolean } {
  const found =
    /^(.*\d)(?:T|,?\s+)(\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?)\s*([ap])?\.?(?:\s?m\.?)?\s*(?:Z|[+-]\d\d:?\d\d)?$/i.exec(
      text,
    );
  if (!found) return { date: text, hasTime: false };
  const [, date, time, half] = found;
  const isMidnight = half === undefined ? /^[0:.,]+$/.test(time!) : /a/i.test(half) && /^(?:12|0+)[0:.,]*$/.test(time!);
  return { date: date!, hasTime: !isMidnight };
}

/** `29/02/2024`, `29.2.24`, `2024-02-29`, `20240229`; undefined for other formats. */
function numbered(text: string): DateReading | undefined {
  const [, dayFirst, monthFirst, year] = /^(\d\d)(\d\d)(\d{4})$/.exec(text) ?? [];
  if (year !== undefined) {
    const iso = isoOf(text.slice(0, 4), text.slice(4, 6), text.slice(6), plausibleYears);
    return iso ? { kind: 'date', iso } : ordered([dayFirst!, monthFirst!, year]);
  }
  const found = /^(\d{1,4})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{1,4})\.?$/.exec(text);
  if (!found) return undefined;
  const [, first, , second, third] = found;
  if (first!.length <= 2) return ordered([first!, second!, third!]);
  const iso = isoOf(first!, second!, third!);
  return iso ? { kind: 'date', iso } : none;
}

/** Interprets three numbers whose year is the last or has two digits. */
function ordered([first, second, third]: [string, string, string]): DateReading {
  const readings: [DateOrder, string | undefined][] = [
    ['dmy', isoOf(third, second, first, plausibleYears)],
    ['mdy', isoOf(third, first, second, plausibleYears)],
    ['ymd', isoOf(first, second, third, plausibleYears)],
  ];
  const by = new Map(readings.filter((each): each is [DateOrder, string] => each[1] !== undefined));
  return by.size > 0 ? { kind: 'ordered', by } : none;
}

/** `3 Feb 2024`, `3 de fevereiro de 2024`, `29-Feb-24`, `February 3rd, 2024`, `2024 Feb 3`. */
function named(text: string): DateReading | undefined {
  const words = plainName(text).replace(/\b(\d+)(?:st|nd|rd|th|er|o|a)\b/g, '$1');
  const bare = words.replace(/\b(?:de|del|do|of|the|le|den)\b/g, ' ').replace(/(\d)(\p{L})|(\p{L})(\d)/gu, '$1$3 $2$4');
  const parts = bare.trim().split(/\s+/);
  if (parts.length !== 3) return undefined;
  const at = parts.findIndex((part) => months.has(part));
  if (at < 0 || at === 2) return undefined;
  const month = String(months.get(parts[at]!));
  const [a, b] = parts.filter((_, each) => each !== at) as [string, string];
  const iso = at === 1 && a.length === 4 ? isoOf(a, month, b) : isoOf(b, month, a);
  return iso ? { kind: 'date', iso } : none;
}

/** English, Portuguese, Spanish, German, and French names, long and short, normalized. */
const months = new Map(
  [
    'january jan janeiro enero ene januar janner janvier janv',
    'february feb fevereiro fev febrero februar feber fevrier fevr',
    'march mar marco marzo marz maerz mrz mars',
    'april apr abril abr avril avr',
    'may maio mai mayo',
    'june jun junho junio juni juin',
    'july jul julho julio juli juillet juil',
    'august aug agosto ago aout',
    'september sept sep setembro set septiembre setiembre septembre',
    'october oct outubro out octubre oktober okt octobre',
    'november nov novembro noviembre novembre',
    'december dec dezembro dez diciembre dic dezember decembre',
  ].flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
);

/** For ambiguous numbers, the plausible year decides which part is the year, and whether it is a date at all. */
const plausibleYears = { first: 1900, last: 2199 };
const allYears = { first: 1, last: 9999 };
/** Two-digit years mean 1940 to 2029: nobody still working was hired before, and few dates lie far ahead. */
const twoDigitYears = { last: 29, first: 40 };

/** @returns undefined if there is no such day, or the numbers can't be a year, month, and day */
function isoOf(year: string, month: string, day: string, { first, last } = allYears): string | undefined {
  if (month.length > 2 || day.length > 2 || (year.length !== 2 && year.length !== 4)) return undefined;
  const full = year.length === 4 ? Number(year) : fullYear(Number(year));
  if (full === undefined || !(full >= first && full <= last)) return undefined;
  const iso = `${String(full).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso) ? iso : undefined;
}

function fullYear(year: number): number | undefined {
  if (year <= twoDigitYears.last) return year + 2000;
  return year >= twoDigitYears.first ? year + 1900 : undefined;
}
