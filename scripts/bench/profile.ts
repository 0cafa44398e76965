// Profiles the service's CPU during one operation, and prints the most expensive functions. Starts it as the image does, and
// writes changes first, because both influence V8's optimizations.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownPostgres } from '../run/own-postgres.ts';
import { addManagers, signInAll } from './harness/callers.ts';
import { fill } from './harness/fill.ts';
import { freePort } from './harness/free-port.ts';
import { load, loadWith } from './harness/load.ts';
import { deployedMemory, startServer, stopServers } from './harness/servers.ts';
import { sequenceOf } from './requests.ts';

const operationId = process.argv[2] || 'getCollaborator';
const seconds = Number(process.argv[3] ?? 10);
const connections = 32;
const warmUpS = 5;
const changes = 10_000;
const functions = 30;

const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-profile-'));
const postgres = await ownPostgres(folder);
try {
  await main(postgres.url);
} finally {
  stopServers();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function main(url: string): Promise<void> {
  const data = await fill(url, 10_000, 2, { salaries: false, teams: true });
  const members = await addManagers(url, data);
  const settings = {
    DATABASE_URL: url,
    PROFILE_PORT: String(await freePort()),
    RATE_LIMIT_REQUESTS_PER_MIN: '100000000',
    RATE_LIMIT_WRITES_PER_MIN: '100000000',
  };
  const profiled = ['--import', './scripts/bench/peers/profiled.ts', 'src/main.ts', 'api'];
  const service = await startServer(profiled, { ...settings, ...deployedMemory() });
  const callers = await signInAll(service, members, data);
  const shoot = (round: number, seconds: number) =>
    load({ base_url: service, sequence: sequenceOf(operationId, callers, round), connections, seconds });
  const profiler = `http://127.0.0.1:${settings.PROFILE_PORT}`;
  await loadWith({ base_url: service, sequence: sequenceOf('patchCollaborator', callers, -1), connections }, changes);
  await shoot(0, warmUpS);
  await fetch(profiler, { method: 'POST' });
  const answered = await shoot(1, seconds);
  const text = await (await fetch(profiler)).text();
  const file = `${operationId}.cpuprofile`;
  await writeFile(file, text);
  console.log(`${operationId}: ${answered.per_s.toFixed(0)} requests/s while being profiled; ${file}\n`);
  printTop(JSON.parse(text), answered.timesMs.length);
}

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Self time by function, in microseconds per request. */
function printTop({ nodes, samples, timeDeltas }: Profile, requests: number): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const self = new Map<string, number>();
  let busy = 0;
  for (const [i, id] of samples.entries()) {
    const { functionName, url, lineNumber } = frames.get(id)!;
    if (functionName === '(idle)') continue;
    const name = `${functionName || '(anonymous)'} ${url && `${place(url)}:${lineNumber + 1}`}`;
    self.set(name, (self.get(name) ?? 0) + timeDeltas[i]!);
    busy += timeDeltas[i]!;
  }
  console.log(`| self time, µs a request | share | function |\n| --- | --- | --- |`);
  for (const [name, time] of [...self].sort((a, b) => b[1] - a[1]).slice(0, functions)) {
    console.log(`| ${(time / requests).toFixed(2)} | ${((100 * time) / busy).toFixed(1)} % | ${name.trim()} |`);
  }
  console.log(`| ${(busy / requests).toFixed(1)} | 100 % | all |`);
}

/** Readable name of a file: its package, or its path in the project. */
function place(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  const [, ofPackage] = path.split(/node_modules\/(?!.*node_modules\/)/);
  return ofPackage ?? path.split(/\/(?=src\/)/)[1] ?? basename(path);
}
