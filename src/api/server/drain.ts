/**
 * Graceful shutdown without failed requests:
 *
 * 1. From the signal on, every response says `Connection: close`, in-flight ones too, and `/readyz` fails (see
 *    `api/http/health.ts`). New connections are still accepted, because a proxy needs a moment to notice.
 * 2. After the delay the port and idle connections close: their clients got `Connection: close`, have stopped using them, or opened
 *    them in advance.
 * 3. In-flight requests may finish.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const pollIntervalMs = 50;
/** How long the first byte of a new connection may take. */
const firstByteMs = 1_000;

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
  // With TLS, both events: before and after the handshake. Node counts neither kind as idle, and only HTTP connections at all.
  const openedMs = new Map<Socket, number>();
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Socket) => {
      openedMs.set(socket, performance.now());
      socket.once('close', () => openedMs.delete(socket));
    });
  }
  const closeIdle = () => {
    server.closeIdleConnections();
    for (const [socket, ms] of openedMs)
      if (socket.bytesRead === 0 && performance.now() - ms > firstByteMs) socket.destroy();
  };
  const closeAll = () => {
    for (const socket of openedMs.keys()) socket.destroy();
  };
  stopping.addEventListener('abort', () => {
    for (const res of latest.values()) res.shouldKeepAlive = false; // too late if the headers are already sent
  });
  return async (delayMs, timeoutMs) => {
    await sleep(delayMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A response whose headers were sent before the signal leaves its connection open.
    const idleTimer = setInterval(closeIdle, pollIntervalMs);
    const deadlineTimer = setTimeout(closeAll, timeoutMs);
    await closed;
    clearInterval(idleTimer);
    clearTimeout(deadlineTimer);
  };
}
