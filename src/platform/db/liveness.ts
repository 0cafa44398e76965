/**
 * Detects a stuck process: none of its connections has received anything for long, although a new one works. Only a restart
 * repairs that; in a database outage, a new connection fails too. The socket timeout should prevent it, except for unforeseen
 * causes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout of each of the two checks. */
const queryTimeoutMs = 1_500;

interface LivenessOptions {
  /** By `performance.now()`, when a connection last received something. */
  lastReceivedMs(): number;
  maxQuietMs: number;
  /** Queries on an existing connection. */
  queryExisting(): Promise<unknown>;
  /** Queries on a new connection. */
  queryNew(): Promise<unknown>;
}

export async function isStuck({
  lastReceivedMs,
  maxQuietMs,
  queryExisting,
  queryNew,
}: LivenessOptions): Promise<boolean> {
  if (performance.now() - lastReceivedMs() < maxQuietMs) return false;
  if (await respondsInTime(queryExisting())) return false; // the process was just idle
  return respondsInTime(queryNew());
}

async function respondsInTime(query: Promise<unknown>): Promise<boolean> {
  const responded = query.then(
    () => true,
    () => false,
  );
  return Promise.race([responded, sleep(queryTimeoutMs, false, { ref: false })]);
}
