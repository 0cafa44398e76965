// Measures how long `make run` takes to be ready, without the installation: the first start in a new folder, which makes
// the database and the demo company, and the starts after it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { refuseGivenDatabase } from '../run/own-postgres.ts';
import { markdownTable, rangeOf, shownRange } from './figures.ts';

const [repetitions = 5] = process.argv.slice(2).map(Number);

refuseGivenDatabase();
const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-start-'));
try {
  const first = await start();
  const later: number[] = [];
  for (let i = 0; i < repetitions; i++) later.push(await start());
  const rows = [
    ['first start', first.toFixed(1)],
    ['second start and later', shownRange(rangeOf(later), 1)],
  ];
  console.log(markdownTable(['`make run`, without installing', 'seconds to ready'], rows));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @returns seconds from the start of the process to its word that it is ready */
async function start(): Promise<number> {
  const began = performance.now();
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), XDG_CONFIG_HOME: folder, PORT: '0' };
  const child = spawn(process.execPath, ['scripts/run/run.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('Ready in')) return (performance.now() - began) / 1_000;
    }
    throw new Error('it ended before it was ready');
  } finally {
    child.kill('SIGTERM');
    await gone;
  }
}
