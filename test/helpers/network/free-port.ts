import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Systems pick ephemeral ports above this. */
const highest = 32_000;
const lowest = 12_000;

/**
 * Picks a port of 127.0.0.1 that was free a moment ago, for a process that restarts on the same port. Only another test
 * that randomly picks the same number could take it in the meantime.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    const server = createServer();
    const isFree = await new Promise<boolean>((tried) => {
      server.once('error', () => tried(false)).listen(port, '127.0.0.1', () => tried(true));
    });
    if (!isFree) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
