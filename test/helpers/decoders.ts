/** The processes that decode photos, seen from outside (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

/** @returns their ids, of one service */
export function decodersOf(servicePid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('decoder-main.js')) return false;
        return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) === servicePid;
      } catch {
        return false; // has ended meanwhile
      }
    });
}

/** The most memory that a process has had; 0 of one that has ended. */
export function peakMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** @returns what comes of the work, and the most memory that any decoder of this process had meanwhile */
export async function watchingDecoders<T>(
  servicePid: number,
  work: Promise<T>,
): Promise<{ result: T; peak_mb: number }> {
  let highestMb = 0;
  const look = () => {
    for (const pid of decodersOf(servicePid)) highestMb = Math.max(highestMb, peakMb(pid));
  };
  const timer = setInterval(look, 10);
  try {
    const result = await work;
    look();
    return { result, peak_mb: highestMb };
  } finally {
    clearInterval(timer);
  }
}

/** How long a process has had the processor, in hundredths of a second. */
export function processorTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
