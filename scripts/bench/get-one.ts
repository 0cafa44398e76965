// Compares getCollaborator of the whole service with the least that can be done on the same database, run by run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startEmbedded } from '../../src/db/embedded.ts';
import { signIn } from '../sign-in.ts';
import { fill } from './fill.ts';
import { startServer, stopServers } from './servers.ts';

const collaborators = 10_000;
const companies = 2;
const connections = 32;
const run_s = Number(process.argv[2] ?? 5);
const repetitions = Number(process.argv[3] ?? 5);

const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
const postgres = await startEmbedded(folder);
try {
  await main(postgres.url);
} finally {
  stopServers();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function main(url: string): Promise<void> {
  const data = await fill(url, collaborators, companies);
  const limits = { RATE_LIMIT_REQUESTS_PER_MIN: '100000000' };
  const service = await startServer(['src/main.ts', 'api'], { DATABASE_URL: url, ...limits });
  const bare = await startServer(['scripts/bench/peers/bare.ts'], { DATABASE_URL: url });
  const { access_token } = await signIn({ base_url: service, ...data });
  const headers = { authorization: `Bearer ${access_token}`, 'x-company-id': data.company_id };
  const path = `/v1/collaborators/${data.ids[0]}`;

  for (const base_url of [bare, service]) await shoot(base_url + path, headers, 5);
  const ratios: number[] = [];
  console.log('| run | node:http + pg, requests/s | this service, requests/s | ratio |\n| --- | --- | --- | --- |');
  for (let i = 1; i <= repetitions; i++) {
    const first = await shoot(bare + path, headers, run_s);
    const second = await shoot(service + path, headers, run_s);
    ratios.push(second / first);
    console.log(`| ${i} | ${first.toFixed(0)} | ${second.toFixed(0)} | ${(second / first).toFixed(2)} |`);
  }
  const sorted = ratios.toSorted((a, b) => a - b).map((ratio) => ratio.toFixed(2));
  const [median, least, most] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)];
  console.log(
    `\nratio: median ${median}, from ${least} to ${most}; Node ${process.version}, ${connections} connections`,
  );
}

/** @returns requests a second; every answer must be a 200 */
async function shoot(url: string, headers: Record<string, string>, duration: number): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  }
  return result.requests.average;
}
