/**
 * Shares a runner's slots between companies: a company gets a slot while it holds fewer than are free. So a company with hanging
 * receivers holds at most half of the slots, a second one a quarter, and others still find a free slot.
 *
 * Jobs carry their company as a flag. The library asks for the flags to skip before each fetch; fetches run one at a time.
 */
import type { EventEmitter } from 'node:events';

interface Job {
  flags: Record<string, true> | null;
}

/** @returns the function for the library's `forbiddenFlags` */
export function shareBetweenCompanies(events: EventEmitter, slots: number, always: readonly string[]) {
  const usedByFlag = new Map<string, number>();
  let free = slots;
  let fetching: Promise<void> = Promise.resolve();
  let hasFetched = () => {};
  const count = ({ flags }: Job, change: 1 | -1) => {
    free -= change;
    for (const flag of Object.keys(flags ?? {})) {
      const number = (usedByFlag.get(flag) ?? 0) + change;
      if (number > 0) usedByFlag.set(flag, number);
      else usedByFlag.delete(flag);
    }
  };
  events.on('job:start', ({ job }: { job: Job }) => {
    count(job, 1);
    hasFetched();
  });
  events.on('job:complete', ({ job }: { job: Job }) => count(job, -1));
  for (const event of ['worker:getJob:empty', 'worker:getJob:error']) events.on(event, () => hasFetched());
  return async (): Promise<string[]> => {
    const before = fetching;
    const { promise, resolve } = Promise.withResolvers<void>();
    fetching = promise;
    await before;
    hasFetched = resolve;
    const full = [...usedByFlag].filter(([, number]) => number >= free).map(([flag]) => flag);
    return [...always, ...full];
  };
}
