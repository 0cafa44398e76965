/** Inspects the processes that decode photos (Linux only). */
import { readdirSync, readFileSync } from 'node:fs';

/** @returns the process ids of one service's decoders */
export function decodersOf(servicePid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('decoder-main.js')) return false;
        return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) === servicePid;
      } catch {
        return false; // exited in the meantime
      }
    });
}

/** Peak memory of a process; 0 once it has exited. */
export function peakMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** @returns the result of the work, and the peak memory of any decoder of this service during it */
export async function measureDecoderMemory<T>(
  servicePid: number,
  work: Promise<T>,
): Promise<{ result: T; peak_mb: number }> {
  let highestMb = 0;
  const sample = () => {
    for (const pid of decodersOf(servicePid)) highestMb = Math.max(highestMb, peakMb(pid));
  };
  const timer = setInterval(sample, 50);
  try {
    const result = await work;
    sample();
    return { result, peak_mb: highestMb };
  } finally {
    clearInterval(timer);
  }
}

/** CPU time of a process, in hundredths of a second. */
export function processorTimeOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
