/**
 * How a server leaves without a failed request: a proxy or client must neither find a closed port nor a connection that
 * ends under its request, so it is told first, and left in peace a moment later.
 *
 * 1. From the signal on every answer says `Connection: close`, those under way included, and `/readyz` fails (see
 *    `api/http/health.ts`). New connections are still accepted, because a proxy needs a moment to notice.
 * 2. After that moment the port is closed, and what is idle: who used a connection meanwhile was told to leave it, and who
 *    did not has moved on.
 * 3. What is still being answered is waited for.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const lookEveryMs = 50;

/**
 * @param delay_ms how long the server goes on listening
 * @param timeout_ms how long requests may take after that, before their connections are cut
 */
type Drain = (delayMs: number, timeoutMs: number) => Promise<void>;

/** @param stopping aborted when the server is to leave */
export function createDrain(server: Server, stopping: AbortSignal): Drain {
  const latest = new Map<Socket, ServerResponse>(); // a connection has one request after the other
  server.prependListener('request', ({ socket }, res) => {
    if (stopping.aborted) res.shouldKeepAlive = false;
    if (!latest.has(socket)) socket.once('close', () => latest.delete(socket));
    latest.set(socket, res);
  });
  stopping.addEventListener('abort', () => {
    for (const res of latest.values()) res.shouldKeepAlive = false; // too late where the head has left already
  });
  return async (delayMs, timeoutMs) => {
    await sleep(delayMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // An answer whose head left before the signal leaves its connection open.
    const idle = setInterval(() => server.closeIdleConnections(), lookEveryMs);
    const late = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await closed;
    clearInterval(idle);
    clearTimeout(late);
  };
}
