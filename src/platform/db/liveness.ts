/**
 * Detects a stuck process: none of its connections has received anything for long, although a new one works. Only a restart
 * repairs that; in a database outage, a new connection fails too. The socket timeout should prevent it, except for unforeseen
 * causes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout of each of the two checks. */
const questionMs = 1_500;

interface LivenessOptions {
  /** By `performance.now()`, when a connection last received something. */
  heard(): number;
  maxQuietMs: number;
  /** Queries on an existing connection. */
  ask(): Promise<unknown>;
  /** Queries on a new connection. */
  askAnew(): Promise<unknown>;
}

export async function isStuck({ heard, maxQuietMs, ask, askAnew }: LivenessOptions): Promise<boolean> {
  if (performance.now() - heard() < maxQuietMs) return false;
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
