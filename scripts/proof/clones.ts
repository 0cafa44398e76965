// Runs the tests in RUNS=10 fresh clones of the last commit, AT_ONCE=1 at a time: `make test`, or TIER=test-system. File order is
// random (seeds start at SEED=1), and the last BUSY=5 runs have two busy loops beside them. Exits with 1 if a run fails; prints
// the folder with the logs first.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { RUNS = '10', BUSY = '5', SEED = '1', AT_ONCE = '1', TIER = 'test' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'fresh clones '));
console.log(`Logs in ${folder}`);
const quiet = Number(RUNS) - Number(BUSY);
await runAll(1, quiet, '');
const loops = Number(BUSY) > 0 ? [endlessLoop(), endlessLoop()] : [];
try {
  await runAll(quiet + 1, Number(RUNS), ', busy');
} finally {
  for (const loop of loops) loop.kill();
}

async function runAll(first: number, last: number, kind: string): Promise<void> {
  let next = first;
  const lane = async () => {
    while (next <= last) await runOne(next++, kind);
  };
  await Promise.all(Array.from({ length: Number(AT_ONCE) }, lane));
}

async function runOne(run: number, kind: string): Promise<void> {
  const [clone, log] = [join(folder, `run ${run}`), join(folder, `run ${run}.log`)];
  spawnSync('git', ['clone', '--quiet', '.', clone], { stdio: 'inherit' });
  const started = Date.now();
  const written = openSync(log, 'w');
  const env = { ...process.env, SHUFFLE: String(Number(SEED) + run - 1), MAKEFLAGS: '' };
  const [status] = await once(spawn('make', [TIER], { cwd: clone, env, stdio: ['ignore', written, written] }), 'exit');
  closeSync(written);
  rmSync(clone, { recursive: true, force: true });
  const text = readFileSync(log, 'utf8');
  const failed = [...new Set(text.match(/(?<=^FAIL ).*$/gm))];
  const sum = text.match(/^\d+ passed, \d+ failed$/gm)?.at(-1) ?? 'no test ran';
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log([`run ${run}${kind}: ${sum}, ${seconds} s`, ...failed].join('\n  '));
  if (status !== 0) process.exitCode = 1;
}

function endlessLoop(): ChildProcess {
  return spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' });
}
