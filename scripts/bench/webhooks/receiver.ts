// The other side of the receiver process: what came, and waiting for it. Every wait has an end.
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../servers.ts';

/** Times are of this machine's clock, in ms since 1970, with fractions. */
export interface Arrival {
  marker: number;
  atMs: number;
}

export interface Receiver {
  /** Addresses that answer at once. */
  answering(count: number): string[];
  /** Addresses that never answer. */
  hanging(count: number): string[];
  /** What came since the last call. */
  take(): Promise<Arrival[]>;
  /**
   * Waits for as many.
   * @throws when none has come for `patienceMs`
   */
  come(count: number): Promise<void>;
  /** The same, and takes them. */
  takeAll(count: number): Promise<Arrival[]>;
}

export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Longer than anybody's lease of what a killed worker had: it is sent anew, and not lost. */
const patienceMs = 60_000;

export async function startReceiver(): Promise<Receiver> {
  const url = await startServer(['scripts/bench/peers/receiver.ts'], {});
  const get = async <T>(path: string) => (await (await fetch(`${url}/${path}`)).json()) as T;
  const take = async () => {
    const all = await get<[number, number][]>('take');
    return all.map(([marker, atMs]) => ({ marker, atMs }));
  };
  const addresses = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${url}/${kind}/${n}`);
  const come = async (expected: number, pauseMs: number) => {
    let before = -1;
    for (let since = now(); ; await sleep(pauseMs)) {
      const arrived = await get<number>('count');
      if (arrived >= expected) return;
      if (arrived !== before) since = now();
      before = arrived;
      if (now() - since > patienceMs) throw new Error(`${arrived} of ${expected} requests came`);
    }
  };
  return {
    answering: (count) => addresses('ok', count),
    hanging: (count) => addresses('hang', count),
    take,
    come: (expected) => come(expected, 2),
    async takeAll(expected) {
      await come(expected, 50);
      return take();
    },
  };
}
