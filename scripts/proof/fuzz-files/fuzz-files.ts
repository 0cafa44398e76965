// Fuzzes file parsers with mutated workbooks, csv, forms, images, and documents. A crash, more than 5 s per file, or more than
// 500 MB is a failure; the file is kept as a seed.
//   TIME=600 seconds; SEED=… repeats a run; KINDS=xls,ods only these; FOUND=… the folder of kept files
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRandom, type Random } from '../../random/random.ts';
import { archiveOf } from './archives.ts';
import { mutated } from './mutate.ts';
import { type Result, Runner } from './runner.ts';
import { type Kind, kinds, type Seed, seedsOf } from './seeds.ts';

const limits = { maxMs: 5_000, maxMb: 500 };
const maxFailuresPerKind = 5;
/** In addition to the seeds, even on a slow machine. */
const minFiles = 20;

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const timeS = Number(process.env.TIME ?? 600);
const found = process.env.FOUND ?? fileURLToPath(new URL('found', import.meta.url));
const selectedKinds = (process.env.KINDS?.split(',') ?? kinds) as (Kind | 'broken')[];

console.log(`SEED=${seed} TIME=${timeS} KINDS=${selectedKinds.join(',')}\n`);
let failures = 0;
for (const kind of selectedKinds) failures += await fuzz(kind, (timeS * 1_000) / selectedKinds.length);
console.log(`\n${failures} failures; SEED=${seed}`);
if (failures > 0) process.exitCode = 1;

/** @returns the number of failures */
async function fuzz(kind: Kind | 'broken', budgetMs: number): Promise<number> {
  const seeds = await (kind === 'broken' ? brokenSeeds() : seedsOf(kind, found));
  const counts = { taken: 0, refused: 0, crash: 0, hang: 0, memory: 0 };
  const failed = () => counts.crash + counts.hang + counts.memory;
  let [slowestMs, peakMb] = [0, 0];
  const runner = new Runner(kind, limits);
  const endsMs = performance.now() + budgetMs;
  const minCount = seeds.length + (budgetMs > 0 ? minFiles : 0);
  for (let number = 0; number < minCount || performance.now() < endsMs; number++) {
    // Start with the unchanged seeds.
    const bytes = seeds[number]?.bytes ?? (await nextFile(seeds, createRandom(seed).fork(`${kind} ${number}`)));
    const result = await runner.run(bytes);
    counts[result.outcome]++;
    slowestMs = Math.max(slowestMs, result.took_ms);
    peakMb = Math.max(peakMb, result.peak_mb);
    if (result.reason !== undefined) await saveFailure(kind, number, bytes, result);
    if (failed() === maxFailuresPerKind) break;
  }
  runner.stop();
  const { taken, refused } = counts;
  const figures = `${taken} taken, ${refused} refused, slowest ${Math.round(slowestMs)} ms, ${Math.round(peakMb)} MB`;
  console.log(`${kind.padEnd(9)} ${figures}, ${failed()} failures`);
  return failed();
}

async function nextFile(seeds: readonly Seed[], random: Random): Promise<Buffer> {
  const { bytes, parts } = random.pick(seeds);
  const others = seeds.map((each) => each.bytes);
  if (!parts || random.below(4) === 0) return mutated(bytes, others, random);
  const path = random.pick(Object.keys(parts));
  return archiveOf({ ...parts, [path]: mutated(parts[path]!, Object.values(parts), random) });
}

async function saveFailure(kind: string, number: number, bytes: Buffer, { outcome, reason }: Result): Promise<void> {
  const name = `${kind}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.bin`;
  await mkdir(found, { recursive: true });
  await writeFile(join(found, name), bytes);
  console.log(`${outcome} (${kind}, file ${number}, kept as ${name}): ${reason}\n`);
}

/** One for each kind of failure to detect, and one that passes. */
async function brokenSeeds(): Promise<Seed[]> {
  return [4, 3, 2, 1, 0].map((byte) => ({ bytes: Buffer.from([byte]) }));
}
