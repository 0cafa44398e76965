// CPU time of server processes, from /proc (Linux only).
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second, which Linux fixes at this value for userspace. */
const ticksPerS = 100;

/** @returns CPU time in ms of a server and its child processes, including ended ones; undefined on other systems */
export function cpuTimeMs(server: number): number | undefined {
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  let ticks = 0;
  for (const pid of pids) {
    const { parent, own, endedChildren } = timesOf(pid);
    if (Number(pid) === server) ticks += own + endedChildren;
    else if (parent === server) ticks += own;
  }
  return (ticks / ticksPerS) * 1_000;
}

/** See proc_pid_stat(5). The name may contain anything, so fields are counted after it; utime is the 14th of all. */
function timesOf(pid: string): { parent: number; own: number; endedChildren: number } {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return { parent: 0, own: 0, endedChildren: 0 }; // the process has ended
  }
  const [, parent, ...more] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [utime, stime, cutime, cstime] = more.slice(9, 13);
  return { parent: parent!, own: utime! + stime!, endedChildren: cutime! + cstime! };
}
