/**
 * Decides which workers fetch jobs. By itself the library lets a worker of every process fetch each new job, and lets every
 * worker poll: 20 processes of ten workers would poll 200 times a second. Here a few processes in turn respond to each new job,
 * and each process polls once per `poll_ms`. A worker that finds a job wakes another, because there may be more.
 */
import type { EventEmitter } from 'node:events';
import type { WorkerRank } from './worker-rank.ts';

/** Processes that respond to a new job: one may be busy, and one may have died. */
const respondingProcesses = 3;

interface WorkerPool {
  /** Wakes up to `count` idle workers. @throws if they have ended */
  nudge(count: number): void;
}

interface WakeInTurnOptions {
  events: EventEmitter;
  peers: WorkerRank;
  poll_ms: number;
}

export function wakeInTurn(pool: WorkerPool, { events, peers, poll_ms: pollMs }: WakeInTurnOptions): () => void {
  const nudge = pool.nudge.bind(pool);
  const wakeOne = () => {
    try {
      nudge(1);
    } catch {} // the pool is ending
  };
  let sample: number | undefined;
  events.on('pool:listen:notification', ({ message }: { message: { payload?: string } }) => {
    sample = sampleOf(message.payload);
  });
  // The library calls this right after the notification event.
  pool.nudge = (count) => {
    if (sample === undefined || peers.isChosen(sample, respondingProcesses + count - 1)) nudge(count);
  };
  events.on('job:start', wakeOne);
  let timer: NodeJS.Timeout;
  const poll = () => {
    wakeOne();
    timer = setTimeout(poll, pollMs * (0.75 + Math.random() / 2)).unref();
  };
  timer = setTimeout(poll, pollMs * Math.random()).unref();
  return () => clearTimeout(timer);
}

/** The random number in a job announcement, the same for all processes. */
function sampleOf(payload = ''): number | undefined {
  const found = /"r":([\d.e-]+)/.exec(payload);
  return found ? Number(found[1]) : undefined;
}
