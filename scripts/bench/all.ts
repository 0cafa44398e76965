// Runs all benchmarks of the benchmarks page in order, and stores the output with the machine's load in docs/benchmarks/runs/.
// Run it several times on an idle machine, and compare. PARTS=requests,start selects some.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { text } from 'node:stream/consumers';

interface Benchmark {
  args: readonly string[];
  env?: Record<string, string>;
  /** A file it writes besides its output; stored with the run. */
  writes?: string;
}

const docs = new URL('../../docs/benchmarks/', import.meta.url);
const folder = new URL('runs/', docs);

await mkdir(folder, { recursive: true });
const runs = (await readdir(folder)).filter((name) => /^\d+\.md$/.test(name));
const number = runs.length + 1;
/** Fewer rounds than the single benchmarks, because this runs several times. */
const benchmarks: Record<string, Benchmark> = {
  'requests (`make bench NAME=requests`)': {
    args: ['scripts/bench/harness/http.ts'],
    env: { REPETITIONS: '3' },
    writes: 'http.json',
  },
  'webhooks (`make bench NAME=webhooks`)': {
    args: ['scripts/bench/webhooks/webhooks.ts'],
    env: { ROUNDS: '1', ...(number > 1 && { ADD: '1' }) }, // one round is not enough for a published page
    writes: 'webhooks.json',
  },
  'workbooks (`make bench NAME=sheets`)': { args: ['scripts/bench/sheets.ts', '100000', '1'] },
  'growth (`make bench NAME=growth`)': { args: ['scripts/bench/growth.ts', '1000000', '3'] },
  'start (`make bench NAME=start`)': { args: ['scripts/bench/start.ts'] },
  'a Citus cluster (`make bench NAME=cluster`)': {
    args: ['scripts/bench/cluster/cluster.ts'],
    env: { ROUNDS: '3', SECONDS: '1' },
  },
  'many processes (`make bench NAME=processes`)': {
    args: ['scripts/bench/processes/processes.ts'],
    env: { SECONDS: '6' },
  },
  'comparing contracts (`make bench NAME=contract-diff`)': { args: ['packages/contract-diff/scripts/bench.ts'] },
  'operations (`make bench NAME=operations`)': { args: ['scripts/bench/operations.ts'] },
};
const file = new URL(`${number}.md`, folder);
const parts = [`# Everything, ${new Date().toISOString().slice(0, 10)}`, machine()];
let failed = 0;
const chosen = process.env.PARTS?.split(',').filter(Boolean) ?? [];
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (chosen.length > 0 && !chosen.some((part) => name.startsWith(part))) continue;
  console.log(`${name} …`);
  const load = loadavg()[0]!.toFixed(1);
  const startedMs = performance.now();
  const { code, printed } = await run(benchmark);
  if (code !== 0) failed++;
  const duration = `${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`;
  parts.push(`## ${name}`, `Load before: ${load}; ${duration}; ${code === 0 ? 'done' : `ended with ${code}`}.`);
  parts.push(printed.trim());
  const { writes } = benchmark;
  if (writes && code === 0) await copyFile(new URL(writes, docs), new URL(`${number}-${writes}`, folder));
  await writeFile(file, `${parts.join('\n\n')}\n`); // keep finished results even if a later benchmark fails
}
if (number > 1) await import('./harness/together.ts');
console.log(`docs/benchmarks/runs/${file.pathname.split('/').at(-1)} is written; ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function machine(): string {
  const { model } = cpus()[0]!;
  return `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB; Node ${process.version}.`;
}

async function run({ args, env }: Benchmark): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PARTS: '', ...env }, // each benchmark has its own PARTS
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code, printed };
}
