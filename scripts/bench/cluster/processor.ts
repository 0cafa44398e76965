// How much processor servers have used, where the system tells it by files (Linux).
import { readdirSync, readFileSync } from 'node:fs';

/** clock_getres of `times`, which Linux has fixed for programs. */
const ticksPerS = 100;

/** @returns milliseconds of a server and of its processes so far, those that have ended included; undefined elsewhere */
export function processorOf(server: number): number | undefined {
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  let ticks = 0;
  for (const pid of pids) {
    const { parent, own, ofEnded } = timesOf(pid);
    if (Number(pid) === server) ticks += own + ofEnded;
    else if (parent === server) ticks += own;
  }
  return (ticks / ticksPerS) * 1_000;
}

/** proc_pid_stat(5): behind the name, which may have anything in it, the state, the parent …; utime is the 14th of all. */
function timesOf(pid: string): { parent: number; own: number; ofEnded: number } {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return { parent: 0, own: 0, ofEnded: 0 }; // it has ended
  }
  const [, parent, ...more] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [utime, stime, cutime, cstime] = more.slice(9, 13);
  return { parent: parent!, own: utime! + stime!, ofEnded: cutime! + cstime! };
}
