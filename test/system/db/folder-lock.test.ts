/** Processes that share an embedded Postgres folder take turns, even if one is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const lock = new URL('../../../src/platform/embedded/folder-lock.ts', import.meta.url).href;
const starters = 6;
const rounds = 8;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Takes the lock on request and reports whether it was alone, or holds it until killed. */
async function starter(): Promise<ChildProcess> {
  const [file, inside] = [join(folder, 'lock'), join(folder, 'inside')];
  const program = `
    import { mkdirSync, rmdirSync } from 'node:fs';
    import { locked } from ${JSON.stringify(lock)};
    process.on('message', async (what) => {
      let alone = true;
      const attempt = (change) => { try { change(${JSON.stringify(inside)}); } catch { alone = false; } };
      await locked(${JSON.stringify(file)}, async () => {
        if (what === 'hold') {
          process.send('holding');
          await new Promise(() => {});
        }
        attempt(mkdirSync);
        await new Promise((resolve) => setTimeout(resolve, 5));
        attempt(rmdirSync);
      });
      process.send(alone);
    });
    process.send('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

test('six processes that wait for a killed one enter one at a time', async () => {
  const waiting = await Promise.all(Array.from({ length: starters }, starter));
  try {
    for (let round = 0; round < rounds; round++) {
      const holder = await starter();
      holder.send('hold');
      await once(holder, 'message');
      const messages = waiting.map((child) => once(child, 'message'));
      for (const child of waiting) child.send('go');
      holder.kill('SIGKILL');
      const alone = (await Promise.all(messages)).flat().filter((message) => typeof message === 'boolean');
      expect({ round, alone }).toEqual({ round, alone: Array(starters).fill(true) });
    }
  } finally {
    for (const child of waiting) child.kill();
  }
});
