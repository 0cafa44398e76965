/** Converts spreadsheet dates: days since the end of 1899. Excel counts a nonexistent 29 February 1900 (serial 60). */

const dayMs = 86_400_000;
/** Day 0 of serials from 61 on. */
const epochMs = Date.UTC(1899, 11, 30);
/** Day 0 of workbooks that count from 1904, such as those from old Macs. */
const epoch1904Ms = Date.UTC(1904, 0, 1);
/** 9999-12-31, Excel's last day. */
const lastSerial = 2_958_465;

/** @returns ISO text: a date, a time, or both; undefined for an invalid day, which Excel doesn't display either */
export function isoOfSerial(serial: number, from1904 = false): string | undefined {
  if (!(serial >= 0)) return undefined;
  const ms = Math.round((serial % 1) * dayMs);
  const day = Math.floor(serial) + (ms === dayMs ? 1 : 0);
  const timeMs = ms === dayMs ? 0 : ms;
  if (day > lastSerial - (from1904 ? 1_462 : 0)) return undefined;
  if (from1904) return isoText(epoch1904Ms + day * dayMs, timeMs);
  if (day === 0) return timeMs > 0 ? timeText(timeMs) : undefined;
  if (day === 60) return undefined;
  return isoText(epochMs + (day < 60 ? day + 1 : day) * dayMs, timeMs);
}

/** @param iso `2026-03-02`, or with a time in UTC @returns undefined for a date that a workbook can't represent */
export function serialOfIso(iso: string): number | undefined {
  const found = isoPattern.exec(iso);
  if (!found) return undefined;
  const day = dayOfIso(iso.slice(0, 10));
  if (day === undefined) return undefined;
  if (found[1] === undefined) return day;
  const [hours, minutes, seconds] = [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const timeMs = ((hours * 60 + minutes) * 60 + seconds) * 1000 + Math.round(Number(found[4] ?? 0) * 1000);
  return day + timeMs / dayMs;
}

const isoPattern = /^\d{4}-\d\d-\d\d(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d{1,3})?)?Z?)?$/;

/** A cache, because tables repeat few days in many cells. */
const knownDays = new Map<string, number | undefined>();
const maxKnownDays = 10_000;

/** @param date `2026-03-02` */
function dayOfIso(date: string): number | undefined {
  if (knownDays.has(date)) return knownDays.get(date);
  const day = dayOfMs(Date.parse(`${date}T00:00:00Z`), date);
  if (knownDays.size >= maxKnownDays) knownDays.clear();
  knownDays.set(date, day);
  return day;
}

function dayOfMs(dateMs: number, date: string): number | undefined {
  if (Number.isNaN(dateMs) || !new Date(dateMs).toISOString().startsWith(date)) return undefined; // no such day
  const days = (dateMs - epochMs) / dayMs;
  if (days < 2) return undefined;
  return days < 61 ? days - 1 : days;
}

function isoText(dateMs: number, timeMs: number): string {
  const date = new Date(dateMs).toISOString().slice(0, 10);
  return timeMs > 0 ? `${date}T${timeText(timeMs)}` : date;
}

function timeText(timeMs: number): string {
  const text = new Date(timeMs).toISOString().slice(11, 23);
  return text.endsWith('.000') ? text.slice(0, 8) : text;
}
