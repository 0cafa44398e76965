// Benchmarks reading the same table as xlsx with our reader and with the package xlsx, and as other formats, which go through the
// package: `node scripts/bench/other-workbooks.ts [rows] [rounds]`. Each run is a separate process; all alternate.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { formatMedian } from './harness/figures.ts';

const [rows = 20_000, rounds = 5] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
const file = (name: string) => join(folder, `people.${name}`);
const workloads = ['xlsx', 'xls', 'xlsb', 'ods'].flatMap((kind) => [
  { work: 'read', path: file(kind) },
  { work: 'read, package xlsx', path: file(kind) },
]);
try {
  await alone('write-xlsx', file('xlsx'));
  for (const kind of ['xls', 'xlsb', 'ods']) await alone('write, package xlsx', file(kind));
  const figures = workloads.map(() => ({
    seconds: [] as number[],
    cpuSeconds: [] as number[],
    peak_mb: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const [at, { work, path }] of workloads.entries()) {
      const { ms, cpuMs, peak_mb: peakMb } = await alone(work, path);
      figures[at]!.seconds.push(ms / 1_000);
      figures[at]!.cpuSeconds.push(cpuMs / 1_000);
      figures[at]!.peak_mb.push(peakMb);
    }
  }
  console.log(`${rows} rows × 15 columns, ${rounds} rounds in turn, median (min–max); Node ${process.version}\n`);
  console.log(
    '| kind | MB | read by | seconds | CPU seconds | peak memory, MB |\n| --- | --- | --- | --- | --- | --- |',
  );
  for (const [at, { work, path }] of workloads.entries()) {
    const { seconds, cpuSeconds, peak_mb: peakMb } = figures[at]!;
    const size = ((await stat(path)).size / 1024 / 1024).toFixed(1);
    const by = work === 'read' ? 'this service' : 'xlsx alone';
    const cells = [
      path.split('.').at(-1),
      size,
      by,
      formatMedian(seconds, 2),
      formatMedian(cpuSeconds, 2),
      formatMedian(peakMb),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function alone(work: string, path: string): Promise<{ ms: number; cpuMs: number; peak_mb: number }> {
  const args = ['scripts/bench/peers/sheet-work.ts', work, String(rows), path];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout));
}
