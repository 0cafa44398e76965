/**
 * Whether a process is stuck: none of its connections has brought a byte for a long time, although a new one works. A restart
 * mends that. It does not mend an outage of the database, so a process that can't open a connection either is not stuck.
 *
 * The socket timeout is there so that this never happens: it is for what nobody has thought of.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** How long each of the two questions may take. */
const questionMs = 1_500;

interface LivenessOptions {
  /** By `performance.now()`, when one of the connections last brought something. */
  heard(): number;
  /** How long nothing may have come. */
  longestQuietMs: number;
  /** Asks on one of the connections. */
  ask(): Promise<unknown>;
  /** Asks on a new connection. */
  askAnew(): Promise<unknown>;
}

export async function isStuck({ heard, longestQuietMs, ask, askAnew }: LivenessOptions): Promise<boolean> {
  if (performance.now() - heard() < longestQuietMs) return false;
  if (await isAnswered(ask())) return false; // nobody had asked for anything
  return isAnswered(askAnew());
}

async function isAnswered(question: Promise<unknown>): Promise<boolean> {
  const answered = question.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, sleep(questionMs, false, { ref: false })]);
}
