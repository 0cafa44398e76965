/** Listens on a Postgres channel and reconnects as needed. Notifications can be lost, so callers should also poll. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectListener } from './listen.ts';

const firstWaitMs = 50;
const maxWaitMs = 5_000;

export interface WakeupListener {
  close(): Promise<void>;
}

interface WakeupOptions {
  url: string;
  channel: string;
  /** @param payload the notification; undefined when some may have been missed */
  onWakeup(payload?: string): void;
  /** Called when a connection is lost; it reconnects on its own. */
  onError(error: Error): void;
}

export function listenForNotifications({ url, channel, onWakeup, onError }: WakeupOptions): WakeupListener {
  const stop = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop.signal, ref: false }).catch(() => {});
  const stopped = new Promise<void>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let waitMs = firstWaitMs;
  const session = async () => {
    const client = await connectListener(url, onWakeup);
    // Also detects a silent connection, because idle connections get heartbeats.
    const connectionLost = new Promise<never>((_, reject) =>
      client.once('end', () => reject(new Error('connection lost'))),
    );
    connectionLost.catch(() => {});
    try {
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      waitMs = firstWaitMs;
      onWakeup();
      await Promise.race([stopped, connectionLost]);
    } finally {
      await client.end().catch(() => {});
    }
  };
  const run = async () => {
    while (!stop.signal.aborted) {
      await session().catch((error: Error) => {
        if (!stop.signal.aborted) onError(error);
      });
      if (!stop.signal.aborted) await pause(waitMs * (0.5 + Math.random()));
      waitMs = Math.min(waitMs * 2, maxWaitMs);
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
