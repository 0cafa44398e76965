// Benchmarks startup: `make run` without the installation (the first one creates the database and the demo company), and
// processes as the image starts them, on an existing database.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../test/helpers/network/free-port.ts';
import { rejectDatabaseUrl } from '../run/own-postgres.ts';
import { startBenchDatabase } from './harness/database.ts';
import { formatMedian, formatRange, markdownTable, type Range, rangeOf } from './harness/figures.ts';
import { deployed, endServer, startServer } from './harness/servers.ts';

const [repetitions = 5] = process.argv.slice(2).map(Number);

rejectDatabaseUrl();
const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-start-'));
try {
  const rows = [...(await ofMakeRun()), ...(await ofProduction())];
  console.log(markdownTable(['start', 'seconds to ready'], rows));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Measures a start at the previous port, where the stored sign-in is valid, and one with an expired sign-in. */
async function ofMakeRun(): Promise<string[][]> {
  const PORT = String(await freePort());
  const first = await makeRun(PORT);
  const soon: number[] = [];
  const later: number[] = [];
  for (let i = 0; i < repetitions; i++) {
    soon.push(await makeRun(PORT));
    later.push(await makeRun('0'));
  }
  return [
    ['`make run`, for the first time', first.toFixed(2)],
    ['`make run`, while the sign-in of the command line counts', formatMedian(soon, 2)],
    ['`make run`, with a new sign-in', formatMedian(later, 2)],
  ];
}

/** Variants alternate, so that background load affects all of them. */
async function ofProduction(): Promise<string[][]> {
  const database = await startBenchDatabase();
  const ENCRYPTION_KEY = randomBytes(32).toString('base64'); // shared, like the database
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: database.folder,
    ENCRYPTION_KEY,
    ...deployed(),
  };
  const variants: Record<string, string[]> = {
    'node that prints a line': ['-e', 'console.log(`"msg":"ready"`); setInterval(() => {}, 1e6)'],
    'an API process': ['src/main.ts', 'api'],
    'a worker': ['src/main.ts', 'worker'],
    'both in one': ['src/main.ts', 'api', 'worker'],
  };
  const durationsS = new Map(Object.keys(variants).map((name) => [name, [] as number[]]));
  try {
    for (let i = 0; i <= repetitions; i++) {
      for (const [name, args] of Object.entries(variants)) {
        const startedMs = performance.now();
        const server = await startServer(args, env);
        if (i > 0) durationsS.get(name)!.push((performance.now() - startedMs) / 1_000); // the first start is a warm-up
        await endServer(server);
      }
    }
  } finally {
    await database.end();
  }
  const format = (range: Range) => formatRange(range, 2);
  return [...durationsS].map(([name, seconds]) => [name, format(rangeOf(seconds))]);
}

/** @returns seconds until the process reports that it is ready */
async function makeRun(PORT: string): Promise<number> {
  const startedMs = performance.now();
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), XDG_CONFIG_HOME: folder, PORT };
  const child = spawn(process.execPath, ['scripts/run/run.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('Ready in')) return (performance.now() - startedMs) / 1_000;
    }
    throw new Error('it ended before it was ready');
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}
