// Benchmarks encryption at rest: the same uploads, downloads, and range requests with and without STORAGE_ENCRYPTION, alternating
// on one machine, so only the ratio is meaningful.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { signIn } from '../run/sign-in.ts';
import { startBenchDatabase } from './harness/database.ts';
import { formatMedian, formatRange, markdownTable, rangeOf } from './harness/figures.ts';
import { type BenchData, fill } from './harness/fill.ts';
import { orderOf } from './harness/order.ts';
import { cpuTime, startServer } from './harness/servers.ts';

const [rounds = 6, filesPerRound = 12] = process.argv.slice(2).map(Number);
const fileBytes = 10 * 1024 * 1024;
const mb = fileBytes / 1024 / 1024;
const rangeBytes = 65_536;
const rangesPerFile = 20;
const concurrency = 4;

interface Server {
  name: string;
  base_url: string;
  headers: Record<string, string>;
  documents: string;
}

interface Measurement {
  /** MB/s; for ranges, requests per second. */
  speed: number;
  /** CPU time of the server per file or range, in ms. */
  cpuMs: number;
}

const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(fileBytes - 9)]);
const database = await startBenchDatabase();
try {
  await main(database.url);
} finally {
  await database.end();
}

async function main(url: string): Promise<void> {
  const data = await fill(url, 1_000, 2);
  const ENCRYPTION_KEY = randomBytes(32).toString('base64');
  const STORAGE_URL = `file:${join(database.folder, 'files')}`;
  const start = async (name: string, STORAGE_ENCRYPTION: string): Promise<Server> => {
    const settings = { DATABASE_URL: url, STORAGE_URL, STORAGE_ENCRYPTION, ENCRYPTION_KEY };
    return signedIn(name, await startServer(['src/main.ts', 'api'], settings), data);
  };
  const servers = [await start('without', 'false'), await start('with', 'true')];
  const workloads = { 'upload, MB/s': uploads, 'download, MB/s': downloads, 'ranges of 64 KiB, a second': ranges };
  const found = new Map<string, Measurement[]>();
  for (const server of servers) for (const work of Object.values(workloads)) await measured(server, work); // warm-up
  for (let round = 0; round < rounds; round++) {
    for (const server of orderOf(servers, round)) {
      for (const [name, work] of Object.entries(workloads)) {
        const key = `${name} ${server.name}`;
        found.set(key, [...(found.get(key) ?? []), await measured(server, work)]);
      }
    }
  }
  report(Object.keys(workloads), found);
}

async function signedIn(name: string, baseUrl: string, data: BenchData): Promise<Server> {
  const { access_token: accessToken } = await signIn({ base_url: baseUrl, ...data });
  const headers = { authorization: `Bearer ${accessToken}`, 'x-company-id': data.company_id };
  return { name, base_url: baseUrl, headers, documents: `${baseUrl}/v1/collaborators/${data.ids[0]}/documents` };
}

interface WorkDone {
  /** Numerator of the speed. */
  amount: number;
  /** Divisor of the CPU time. */
  pieces: number;
}

async function measured(server: Server, work: (server: Server) => Promise<WorkDone>): Promise<Measurement> {
  const [startedMs, cpu] = [performance.now(), cpuTime(server.base_url) ?? 0];
  const { amount, pieces } = await work(server);
  const seconds = (performance.now() - startedMs) / 1_000;
  return { speed: amount / seconds, cpuMs: ((cpuTime(server.base_url) ?? 0) - cpu) / 1_000 / pieces };
}

async function uploads({ documents, headers }: Server): Promise<WorkDone> {
  await inParallel(filesPerRound, async () => {
    const form = new FormData();
    form.set('type', 'contract');
    form.set('file', new Blob([content], { type: 'application/pdf' }), 'contract.pdf');
    await expectStatus(201, await fetch(documents, { method: 'POST', headers, body: form }));
  });
  return { amount: filesPerRound * mb, pieces: filesPerRound };
}

async function downloads(server: Server): Promise<WorkDone> {
  const url = await newest(server);
  await inParallel(filesPerRound, async () => {
    const bytes = await expectStatus(200, await fetch(url));
    if (bytes !== content.length) throw new Error(`${bytes} bytes came`);
  });
  return { amount: filesPerRound * mb, pieces: filesPerRound };
}

async function ranges(server: Server): Promise<WorkDone> {
  const url = await newest(server);
  const count = filesPerRound * rangesPerFile;
  await inParallel(count, async () => {
    const from = Math.floor(Math.random() * (fileBytes - rangeBytes));
    await expectStatus(206, await fetch(url, { headers: { range: `bytes=${from}-${from + rangeBytes - 1}` } }));
  });
  return { amount: count, pieces: count };
}

async function newest({ documents, headers }: Server): Promise<string> {
  const { data } = (await (await fetch(documents, { headers })).json()) as { data: { url: string }[] };
  return data[0]!.url;
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  let remaining = count;
  const next = async () => {
    while (remaining-- > 0) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, next));
}

async function expectStatus(status: number, response: Response): Promise<number> {
  let bytes = 0;
  for await (const chunk of response.body!) bytes += chunk.length;
  if (response.status !== status) throw new Error(`${response.status} in place of ${status}`);
  return bytes;
}

/** Computes ratios within each round, in which both variants run one after the other. */
function report(names: readonly string[], found: Map<string, Measurement[]>): void {
  const rows = names.map((name) => {
    const [without, withEncryption] = [found.get(`${name} without`)!, found.get(`${name} with`)!];
    const ratio = rangeOf(withEncryption.map(({ speed }, round) => speed / without[round]!.speed));
    const cpu = [without, withEncryption]
      .map((each) => rangeOf(each.map(({ cpuMs }) => cpuMs)).median.toFixed(1))
      .join(' / ');
    const speeds = [without, withEncryption].map((each) => formatMedian(each.map(({ speed }) => speed)));
    return [name, ...speeds, formatRange(ratio, 2), cpu];
  });
  console.log(`files of ${mb} MB, ${concurrency} at once, ${rounds} rounds, Node ${process.version}\n`);
  console.log(
    markdownTable(['', 'without', 'with', 'with / without', 'processor of the service, ms each: without / with'], rows),
  );
}
