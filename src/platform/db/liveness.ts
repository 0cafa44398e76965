/**
 * Detects a stuck process: none of its connections has received a byte for a long time, although a new one works. A restart
 * repairs that. It doesn't repair a database outage, so a process that can't open a connection isn't stuck.
 *
 * The socket timeout should prevent this; the check is for causes nobody has foreseen.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout of each of the two checks. */
const questionMs = 1_500;

interface LivenessOptions {
  /** By `performance.now()`, when a connection last received something. */
  heard(): number;
  longestQuietMs: number;
  /** Queries on an existing connection. */
  ask(): Promise<unknown>;
  /** Queries on a new connection. */
  askAnew(): Promise<unknown>;
}

export async function isStuck({ heard, longestQuietMs, ask, askAnew }: LivenessOptions): Promise<boolean> {
  if (performance.now() - heard() < longestQuietMs) return false;
  if (await isAnswered(ask())) return false; // the process was just idle
  return isAnswered(askAnew());
}

async function isAnswered(question: Promise<unknown>): Promise<boolean> {
  const answered = question.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, sleep(questionMs, false, { ref: false })]);
}
