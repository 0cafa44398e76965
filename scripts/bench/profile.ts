// Profiles the CPU of the service, or of PEER=fastify, during one operation, and prints its parts and the most expensive functions.
// Starts it as the image does, and writes changes first, because both influence V8's optimizations.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/helpers/network/free-port.ts';
import { ownPostgres } from '../run/own-postgres.ts';
import { addManagers, signInAll } from './harness/callers.ts';
import { markdownTable } from './harness/figures.ts';
import { fill } from './harness/fill.ts';
import { load, loadWith } from './harness/load.ts';
import { deployed, startServer, stopServers } from './harness/servers.ts';
import { sequenceOf } from './requests.ts';

const operationId = process.argv[2] || 'getCollaborator';
const seconds = Number(process.argv[3] ?? 10);
const connections = 32;
const warmUpS = 5;
const changes = 10_000;
const functions = 30;
const { PEER: peer } = process.env;

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
  const profilePort = String(await freePort());
  const settings = { DATABASE_URL: url, ...deployed() };
  const profiled = (...args: string[]) => ['--import', './scripts/bench/peers/profiled.ts', ...args];
  const ofService = profiled('src/main.ts', 'api');
  const service = await startServer(ofService, { ...settings, PROFILE_PORT: peer ? '0' : profilePort });
  const ofPeer = { ...settings, ISSUER: service, PROFILE_PORT: profilePort };
  const server = peer ? await startServer(profiled(`scripts/bench/peers/${peer}.ts`), ofPeer) : service;
  const callers = await signInAll(service, members, data);
  const runLoad = (round: number, seconds: number) =>
    load({ base_url: server, sequence: sequenceOf(operationId, callers, round), connections, seconds });
  const profiler = `http://127.0.0.1:${profilePort}`;
  await loadWith({ base_url: server, sequence: sequenceOf('patchCollaborator', callers, -1), connections }, changes);
  await runLoad(0, warmUpS);
  await fetch(profiler, { method: 'POST' });
  const result = await runLoad(1, seconds);
  const text = await (await fetch(profiler)).text();
  const file = `${operationId}.cpuprofile`;
  await writeFile(file, text);
  const subject = peer ?? 'this service';
  console.log(`${operationId}, ${subject}: ${result.per_s.toFixed(0)} requests/s while being profiled; ${file}`);
  const profile: Profile = JSON.parse(text);
  for (const [kind, nameOf] of Object.entries({ part: partOf, function: functionOf })) {
    console.log(`\n${selfTimes(profile, result.timesMs.length, kind, nameOf)}`);
  }
}

interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
}

interface Profile {
  nodes: { id: number; callFrame: Frame }[];
  samples: number[];
  timeDeltas: number[];
}

/** A table of self time, in microseconds per request, without the profiler's own. */
function selfTimes(profile: Profile, requests: number, kind: string, nameOf: (frame: Frame) => string): string {
  const { nodes, samples, timeDeltas } = profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const self = new Map<string, number>();
  let busy = 0;
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id)!;
    if (frame.functionName === '(idle)' || frame.url === 'node:inspector') continue;
    const name = nameOf(frame);
    self.set(name, (self.get(name) ?? 0) + timeDeltas[i]!);
    busy += timeDeltas[i]!;
  }
  const rows = [...self].sort((a, b) => b[1] - a[1]).slice(0, functions);
  const cells = [...rows, ['all', busy] as const].map(([name, time]) => {
    return [name, (time / requests).toFixed(1), `${((100 * time) / busy).toFixed(1)} %`];
  });
  return markdownTable([kind, 'self time, µs a request', 'share'], cells);
}

function functionOf({ functionName, url, lineNumber }: Frame): string {
  return `${functionName || '(anonymous)'} ${url && `${relativePath(url)}:${lineNumber + 1}`}`.trim();
}

/** System calls and what V8 does itself have no file. */
function partOf({ functionName, url }: Frame): string {
  if (url.startsWith('node:')) return 'Node';
  if (!url) return /^write/.test(functionName) ? 'write (system calls)' : functionName || 'V8';
  const [first, second, third] = relativePath(url).split('/');
  if (first === 'src') return `src/${second}/${third}`;
  return first!.startsWith('@') ? `${first}/${second}` : first!;
}

/** Readable name of a file: its package, or its path in the project. */
function relativePath(url: string): string {
  if (!url.startsWith('file:')) return url;
  const path = fileURLToPath(url);
  const [, ofPackage] = path.split(/node_modules\/(?!.*node_modules\/)/);
  return ofPackage ?? path.split(/\/(?=src\/)/)[1] ?? basename(path);
}
