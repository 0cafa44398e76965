// Benchmarks the image's memory settings: the service as the image starts it, compared with Node's defaults. Sends ordinary
// requests, alternating, while the other one is idle; changes first, because V8 then decides where it allocates.
// INSTEAD='--max-semi-space-size=8' compares with other options of Node
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { addManagers, type Caller, signInAll } from './harness/callers.ts';
import { startBenchDatabase } from './harness/database.ts';
import { formatMedian, markdownTable } from './harness/figures.ts';
import { fill } from './harness/fill.ts';
import { load, loadWith } from './harness/load.ts';
import { deployed, withCompiledCode } from './harness/servers.ts';
import { mb, startWatched, type WatchedServer } from './harness/watched.ts';
import { sequenceOf } from './requests.ts';

const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 3);
const connections = 32;
const operations = ['getCollaborator', 'listCollaborators', 'patchCollaborator', 'createCollaborator'];
const changes = 5_000;
const { INSTEAD: replacement } = process.env;
const ENCRYPTION_KEY = randomBytes(32).toString('base64');

interface Server extends WatchedServer {
  callers: Caller[];
}

const database = await startBenchDatabase();
try {
  await main(database.url);
} finally {
  await database.end();
}

async function main(url: string): Promise<void> {
  const data = await fill(url, 5_000, 2, { teams: true });
  const members = await addManagers(url, data);
  const signInTo = (baseUrl: string) => signInAll(baseUrl, members, data);
  const image = deployed();
  const other = withCompiledCode(replacement ? { ...image, NODE_OPTIONS: replacement } : {});
  const servers = [await start(url, image, signInTo), await start(url, other, signInTo)] as const;
  for (const { base_url: baseUrl, callers } of servers) {
    await loadWith({ base_url: baseUrl, sequence: sequenceOf('patchCollaborator', callers, -1), connections }, changes);
  }
  const cpuUs = new Map(operations.map((name) => [name, servers.map(() => [] as number[])]));
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const operation of operations) {
      for (const [index, { base_url: baseUrl, callers }] of servers.entries()) {
        const { cpu_us: cpu } = await load({
          base_url: baseUrl,
          sequence: sequenceOf(operation, callers, round),
          connections,
          seconds,
        });
        if (round > 0) cpuUs.get(operation)![index]!.push(cpu!);
      }
    }
  }
  const rows = operations.map((operation) => {
    const [own, plain] = cpuUs.get(operation) as [number[], number[]];
    const ratios = own.map((us, round) => us / plain[round]!);
    return [operation, formatMedian(own), formatMedian(plain), formatMedian(ratios, 2)];
  });
  const [own, plain] = await Promise.all(servers.map(async ({ figures }) => mb((await figures()).rssBytes)));
  rows.push(['memory at the end, MB', own!.toFixed(0), plain!.toFixed(0), (own! / plain!).toFixed(2)]);
  console.log(
    markdownTable(['CPU µs per request', `image: ${image.NODE_OPTIONS}`, replacement || 'Node alone', 'ratio'], rows),
  );
}

async function start(
  url: string,
  memory: Record<string, string>,
  signInTo: (baseUrl: string) => Promise<Caller[]>,
): Promise<Server> {
  const settings = { DATABASE_URL: url, ENCRYPTION_KEY, STORAGE_URL: `file:${join(database.folder, 'files')}` };
  const server = await startWatched('api', { ...settings, ...memory });
  return { ...server, callers: await signInTo(server.base_url) };
}
