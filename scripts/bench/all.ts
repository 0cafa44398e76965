// All that the page of benchmarks tells, one after the other, with the load of the machine before each: what was printed is kept as
// it was, in docs/benchmarks/runs/. Run it several times on a quiet machine, and compare.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { text } from 'node:stream/consumers';

const benchmarks = {
  'requests (`make bench`)': ['scripts/bench/http.ts'],
  'webhooks (`make bench-webhooks`)': ['scripts/bench/webhooks/webhooks.ts'],
  'workbooks (`make bench-sheets`)': ['scripts/bench/sheets.ts'],
  'growth (`make bench-growth`)': ['scripts/bench/growth.ts'],
  'start (`make bench-start`)': ['scripts/bench/start.ts'],
  'many processes (`make bench-processes`)': ['scripts/bench/processes/processes.ts'],
  'operations (`make bench-operations`)': ['scripts/bench/operations.ts'],
};
const folder = new URL('../../docs/benchmarks/runs/', import.meta.url);

await mkdir(folder, { recursive: true });
const runs = (await readdir(folder)).filter((name) => /^\d+\.md$/.test(name));
const file = new URL(`${runs.length + 1}.md`, folder);
const parts = [`# Everything, ${new Date().toISOString().slice(0, 10)}`, machine()];
let failed = 0;
for (const [name, args] of Object.entries(benchmarks)) {
  console.log(`${name} …`);
  const load = loadavg()[0]!.toFixed(1);
  const began = performance.now();
  const { code, printed } = await run(args);
  if (code !== 0) failed++;
  const took = `${Math.round((performance.now() - began) / 60_000)} minutes`;
  parts.push(`## ${name}`, `Load before: ${load}; ${took}; ${code === 0 ? 'done' : `ended with ${code}`}.`);
  parts.push(printed.trim());
  await writeFile(file, `${parts.join('\n\n')}\n`); // what is done is kept, whatever comes
}
console.log(`docs/benchmarks/runs/${file.pathname.split('/').at(-1)} is written; ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function machine(): string {
  const { model } = cpus()[0]!;
  return `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB; Node ${process.version}.`;
}

async function run(args: readonly string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code, printed };
}
