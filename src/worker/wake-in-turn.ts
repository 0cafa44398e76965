/**
 * Who asks the queue for jobs, and when. The library lets one of the workers of every process ask for each new job, and lets each
 * worker of a process poll by itself: 20 processes of ten would ask 200 times a second for nothing.
 *
 * Here a few processes answer each new job, in turn, and each process polls once in `poll_ms`. A worker that finds a job
 * wakes another, for there may be more: so all of them are awake as fast as there is work.
 */
import type { EventEmitter } from 'node:events';
import type { Peers } from './peers.ts';

/** Processes that ask for a new job: one may be busy, and one may have ended. */
const answering = 3;

/** What this uses of the library's pool of workers. */
interface WorkerPool {
  /** Lets as many idle workers look for a job. @throws when they have ended */
  nudge(count: number): void;
}

interface WakeInTurnOptions {
  /** Of the pool. */
  events: EventEmitter;
  peers: Peers;
  /** How often a process looks for jobs that nobody told it of; some a little sooner, some later. */
  poll_ms: number;
}

/** @returns what ends the polling */
export function wakeInTurn(pool: WorkerPool, { events, peers, poll_ms: pollMs }: WakeInTurnOptions): () => void {
  const nudge = pool.nudge.bind(pool);
  const wakeOne = () => {
    try {
      nudge(1);
    } catch {} // the pool is ending
  };
  let draw: number | undefined;
  events.on('pool:listen:notification', ({ message }: { message: { payload?: string } }) => {
    draw = drawOf(message.payload);
  });
  // Called by the library right after it has told of the notification.
  pool.nudge = (count) => {
    if (draw === undefined || peers.isChosen(draw, answering + count - 1)) nudge(count);
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

/** The queue tells a random number with each announcement, the same to all. */
function drawOf(payload = ''): number | undefined {
  const found = /"r":([\d.e-]+)/.exec(payload);
  return found ? Number(found[1]) : undefined;
}
