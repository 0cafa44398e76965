// Client of the receiver process: arrivals, and waiting for them with a timeout.
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../harness/servers.ts';

/** Times are Unix times of this machine in ms, with fractions. */
export interface Arrival {
  marker: number;
  atMs: number;
}

export interface Receiver {
  answering(count: number): string[];
  hanging(count: number): string[];
  readArrivals(): Promise<Arrival[]>;
  /** Waits for this many arrivals. @throws when there is none for `timeoutMs` */
  waitForArrivals(count: number): Promise<void>;
  /** Waits, then takes them. */
  readAll(count: number): Promise<Arrival[]>;
}

export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Longer than any contestant's lease, after which the deliveries of a killed worker are retried. */
const timeoutMs = 60_000;

export async function startReceiver(): Promise<Receiver> {
  const url = await startServer(['scripts/bench/peers/receiver.ts'], {});
  const get = async <T>(path: string) => (await (await fetch(`${url}/${path}`)).json()) as T;
  const readArrivals = async () => {
    const all = await get<[number, number][]>('take');
    return all.map(([marker, atMs]) => ({ marker, atMs }));
  };
  const addresses = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${url}/${kind}/${n}`);
  const waitForArrivals = async (expected: number, pauseMs: number) => {
    let before = -1;
    for (let since = now(); ; await sleep(pauseMs)) {
      const arrived = await get<number>('count');
      if (arrived >= expected) return;
      if (arrived !== before) since = now();
      before = arrived;
      if (now() - since > timeoutMs) throw new Error(`${arrived} of ${expected} requests came`);
    }
  };
  return {
    answering: (count) => addresses('ok', count),
    hanging: (count) => addresses('hang', count),
    readArrivals,
    waitForArrivals: (expected) => waitForArrivals(expected, 2),
    async readAll(expected) {
      await waitForArrivals(expected, 50);
      return readArrivals();
    },
  };
}
