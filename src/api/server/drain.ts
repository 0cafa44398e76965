/**
 * Graceful shutdown without failed requests:
 *
 * 1. From the signal on, every response says `Connection: close`, in-flight ones too, and `/readyz` fails (see
 *    `api/http/health.ts`). New connections are still accepted, because a proxy needs a moment to notice.
 * 2. After the delay the port and idle connections close: their clients got `Connection: close`, or have stopped using them.
 * 3. In-flight requests may finish.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const pollIntervalMs = 50;

/**
 * @param delayMs how long the server keeps listening
 * @param timeoutMs after that, time for requests to finish before their connections are closed
 */
type Drain = (delayMs: number, timeoutMs: number) => Promise<void>;

export function createDrain(server: Server, stopping: AbortSignal): Drain {
  const latest = new Map<Socket, ServerResponse>(); // a connection handles one request at a time
  server.prependListener('request', ({ socket }, res) => {
    if (stopping.aborted) res.shouldKeepAlive = false;
    if (!latest.has(socket)) socket.once('close', () => latest.delete(socket));
    latest.set(socket, res);
  });
  stopping.addEventListener('abort', () => {
    for (const res of latest.values()) res.shouldKeepAlive = false; // too late if the headers are already sent
  });
  return async (delayMs, timeoutMs) => {
    await sleep(delayMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A response whose headers were sent before the signal leaves its connection open.
    const idleTimer = setInterval(() => server.closeIdleConnections(), pollIntervalMs);
    const deadlineTimer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await closed;
    clearInterval(idleTimer);
    clearTimeout(deadlineTimer);
  };
}
