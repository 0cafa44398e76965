/** Shared types and time helpers of the demo month's chapters. */
import type { Random } from '../../random/random.ts';
import type { World } from './month-world.ts';
import type { Receivers } from './receivers.ts';
import type { Employee } from './staff.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const utcOffsetMin = -180;

export interface Step {
  agoMin: number;
  run(): Promise<void>;
}

export interface Chapter {
  world: World;
  random: Random;
  people: readonly Employee[];
  receivers: Receivers;
  password: string;
}

/**
 * @param hour of the day in São Paulo
 * @returns minutes before now
 */
export function daysAgo(days: number, hour: number, minute = 0): number {
  const nowMs = Date.now();
  const offsetMs = utcOffsetMin * minuteMs;
  const midnightMs = Math.floor((nowMs + offsetMs) / dayMs) * dayMs - offsetMs;
  return (nowMs - midnightMs) / minuteMs + days * 1_440 - hour * 60 - minute;
}
