import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Systems give ports above it to whoever asks for any port, and to outgoing connections. */
const highest = 32_000;
const lowest = 12_000;

/**
 * A port of 127.0.0.1 that was free a moment ago, for a process that is to be started on the same one again. Only another test
 * that asks for one could take it meanwhile, and it would have to meet the same number by chance.
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
