/** What the chapters of the demo company's month are made with. */
import type { Random } from '../random/random.ts';
import type { World } from './month-world.ts';
import type { Receivers } from './receivers.ts';
import type { Employee } from './staff.ts';

const day_ms = 86_400_000;
const minute_ms = 60_000;
const utc_offset_min = -180;

export interface Step {
  /** Minutes before now. */
  ago_min: number;
  run(): Promise<void>;
}

export interface Chapter {
  world: World;
  random: Random;
  people: readonly Employee[];
  receivers: Receivers;
  /** Of who signs in to allow apps something. */
  password: string;
}

/**
 * @param hour of the day in São Paulo
 * @returns minutes before now
 */
export function daysAgo(days: number, hour: number, minute = 0): number {
  const now_ms = Date.now();
  const offset_ms = utc_offset_min * minute_ms;
  const midnight_ms = Math.floor((now_ms + offset_ms) / day_ms) * day_ms - offset_ms;
  return (now_ms - midnight_ms) / minute_ms + days * 1_440 - hour * 60 - minute;
}
