/**
 * Dates as workbooks keep them: the number of days since the end of 1899, with the time as a fraction. Excel counts a
 * 29 February 1900 that never was (serial 60), so that all before it are one less than they should be.
 */

const day_ms = 86_400_000;
/** The day 0 of the serials from 61 on. */
const epoch_ms = Date.UTC(1899, 11, 30);
/** The day 0 of workbooks that count from 1904, as those from old Macs do. */
const epoch_1904_ms = Date.UTC(1904, 0, 1);
/** 9999-12-31, Excel's last day. */
const last_serial = 2_958_465;

/**
 * @returns ISO text: a date, a time, or both; undefined for what is no day, as Excel does not show one either
 */
export function isoOfSerial(serial: number, from_1904 = false): string | undefined {
  if (!(serial >= 0)) return undefined;
  const ms = Math.round((serial % 1) * day_ms);
  const day = Math.floor(serial) + (ms === day_ms ? 1 : 0);
  const time_ms = ms === day_ms ? 0 : ms;
  if (day > last_serial - (from_1904 ? 1_462 : 0)) return undefined;
  if (from_1904) return isoText(epoch_1904_ms + day * day_ms, time_ms);
  if (day === 0) return time_ms > 0 ? timeText(time_ms) : undefined;
  if (day === 60) return undefined;
  return isoText(epoch_ms + (day < 60 ? day + 1 : day) * day_ms, time_ms);
}

/**
 * @param iso `2026-03-02`, or with a time, which is taken as UTC
 * @returns undefined for what is no date, or one that a workbook can't hold
 */
export function serialOfIso(iso: string): number | undefined {
  const found = iso_text.exec(iso);
  if (!found) return undefined;
  const day = dayOfIso(iso.slice(0, 10));
  if (day === undefined) return undefined;
  if (found[1] === undefined) return day;
  const [hours, minutes, seconds] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const time_ms = ((hours * 60 + minutes) * 60 + seconds) * 1000 + Math.round(Number(found[4] ?? 0) * 1000);
  return day + time_ms / day_ms;
}

const iso_text = /^\d{4}-\d\d-\d\d(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d{1,3})?)?Z?)?$/;

/** Days that were asked for before: a table has many cells of few days. */
const known_days = new Map<string, number | undefined>();
const most_known_days = 10_000;

/** @param date `2026-03-02` */
function dayOfIso(date: string): number | undefined {
  if (known_days.has(date)) return known_days.get(date);
  const day = dayOfMs(Date.parse(`${date}T00:00:00Z`), date);
  if (known_days.size >= most_known_days) known_days.clear();
  known_days.set(date, day);
  return day;
}

function dayOfMs(date_ms: number, date: string): number | undefined {
  if (Number.isNaN(date_ms) || !new Date(date_ms).toISOString().startsWith(date)) return undefined; // there is no such day
  const days = (date_ms - epoch_ms) / day_ms;
  if (days < 2) return undefined;
  return days < 61 ? days - 1 : days;
}

function isoText(date_ms: number, time_ms: number): string {
  const date = new Date(date_ms).toISOString().slice(0, 10);
  return time_ms > 0 ? `${date}T${timeText(time_ms)}` : date;
}

function timeText(time_ms: number): string {
  const text = new Date(time_ms).toISOString().slice(11, 23);
  return text.endsWith('.000') ? text.slice(0, 8) : text;
}
