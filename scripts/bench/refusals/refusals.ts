// What refusing costs: sends the worst requests that fit the limits to every operation, one after another, and watches the
// process that answers. Fails when others would have to wait, an answer is large, or the process grows.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { contractOperations } from '../../../src/contract/contract.ts';
import { signIn } from '../../run/sign-in.ts';
import { type Filled, fill } from '../fill.ts';
import { freePort } from '../free-port.ts';
import { startGround } from '../ground.ts';
import { deployedMemory, startServer } from '../servers.ts';
import { tokenCases, type WorstCase, worstCases } from './cases.ts';

/** At the 99th percentile; one delay that is ten times as long counts as well, however many others there were. */
const longest_delay_ms = 50;
const largest_answer_bytes = 64 * 1024;
const most_memory = 1.5;
const settled_ms = 2_000;
const most_rounds = 8;
/** Each case is sent again and again for this long. */
const each_ms = Number(process.env.EACH_MS ?? 250);
/** What seems too slow is measured again, this many times as long: in the first window two slow turns are its 99th percentile. */
const longer = 12;
/** Part of the name of an operation: only those. */
const wanted = process.env.OPERATION ?? '';
const no_limit = '100000000';

interface Figures {
  rss_bytes: number;
  peak_bytes: number;
  p99_ms: number;
  max_ms: number;
}

interface Row {
  operation: string;
  kind: string;
  status: number;
  answer_bytes: number;
  p99_ms: number;
  max_ms: number;
  peak_mb: number;
}

interface Target {
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Large: made when it is their turn. */
  cases(): WorstCase[];
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const ground = await startGround();
try {
  process.exitCode = (await main(ground.url)) ? 0 : 1;
} finally {
  agent.destroy();
  await ground.end();
}

/** @returns whether every target was met */
async function main(url: string): Promise<boolean> {
  const data = await fill(url, 1_000, 2);
  const WATCH_PORT = String(await freePort());
  const limits = ['REQUESTS', 'WRITES', 'UPLOADS', 'HEAVY'].map((name) => [`RATE_LIMIT_${name}_PER_MIN`, no_limit]);
  const settings = {
    DATABASE_URL: url,
    STORAGE_URL: `file:${join(ground.folder, 'files')}`,
    WATCH_PORT,
    TOKEN_REQUESTS_PER_MIN: no_limit,
    ...Object.fromEntries(limits),
  };
  const args = ['--import', './scripts/bench/peers/watched.ts', 'src/main.ts', 'api'];
  const base_url = await startServer(args, { ...settings, ...deployedMemory() });
  const figures = async (method = 'GET') =>
    (await (await fetch(`http://127.0.0.1:${WATCH_PORT}/`, { method })).json()) as Figures;
  const targets = await targetsOf(base_url, data);
  const rest_mb = await warmedUp(targets, async () => mb((await figures('POST')).rss_bytes));
  console.log(`at rest: ${rest_mb.toFixed(0)} MB, Node ${process.version}\n`);
  const rows: Row[] = [];
  for (const target of targets) {
    for (const worst of target.cases()) rows.push(await measure(target, worst, figures));
  }
  await sleep(settled_ms);
  console.log(`at rest again, afterwards: ${mb((await figures()).rss_bytes).toFixed(0)} MB\n`);
  return report(rows, rest_mb);
}

async function targetsOf(base_url: string, data: Filled): Promise<Target[]> {
  const { access_token } = await signIn({ base_url, ...data });
  const headers = { authorization: `Bearer ${access_token}`, 'x-company-id': data.company_id };
  const create = async (path: string, body: object) => {
    const sent = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const { id } = (await (await fetch(`${base_url}${path}`, sent)).json()) as { id: string };
    return id;
  };
  const ids: Record<string, string | undefined> = {
    collaborator: data.ids[0],
    app: await create('/v1/apps', { name: 'App', kind: 'public', redirect_uris: ['https://app.example/'] }),
    webhook: await create('/v1/webhooks', { url: 'https://example.com/hook', events: ['*'] }),
    import: await create('/v1/collaborators/import', { filename: 'a.csv', content_base64: 'bmFtZQpBZGEK' }),
  };
  const operations = contractOperations
    .filter(({ operation, method }) => operation.requestBody || method === 'get')
    .map(({ path, method, operation }) => {
      const named = path.replace('{id}', ids[operation['x-resource'] ?? ''] ?? randomUUID());
      const url = base_url + named.replaceAll(/\{\w+\}/g, randomUUID());
      return {
        name: operation.operationId,
        method: method.toUpperCase(),
        url,
        headers,
        cases: () => worstCases(operation),
      };
    });
  const forms = ['token', 'revoke'].map((name) => {
    return {
      name: `/oauth/${name}`,
      method: 'POST',
      url: `${base_url}/oauth/${name}`,
      headers: {},
      cases: tokenCases,
    };
  });
  return [...operations, ...forms].filter(({ name }) => name.includes(wanted));
}

async function measure(target: Target, worst: WorstCase, figures: (method?: string) => Promise<Figures>): Promise<Row> {
  const row = await measureFor(each_ms, target, worst, figures);
  if (row.p99_ms <= longest_delay_ms) return row;
  const again = await measureFor(longer * each_ms, target, worst, figures);
  const longest = { max_ms: Math.max(row.max_ms, again.max_ms), peak_mb: Math.max(row.peak_mb, again.peak_mb) };
  return { ...again, ...longest };
}

async function measureFor(
  duration_ms: number,
  target: Target,
  worst: WorstCase,
  figures: (method?: string) => Promise<Figures>,
): Promise<Row> {
  await figures('POST');
  const answer = await repeatedly(target, worst, duration_ms);
  const { p99_ms, max_ms, peak_bytes } = await figures();
  return { operation: target.name, kind: worst.kind, ...answer, p99_ms, max_ms, peak_mb: mb(peak_bytes) };
}

/**
 * Small requests to every operation, again and again until the process grows no more: what it loads, compiles and keeps for
 * any traffic is not what the worst requests cost.
 * @returns what it has at rest then, in MB
 */
async function warmedUp(targets: Target[], restMb: () => Promise<number>): Promise<number> {
  let rest_mb = 0;
  for (let round = 0; round < most_rounds; round++) {
    for (const target of targets) await repeatedly(target, {});
    await sleep(settled_ms);
    const now_mb = await restMb();
    console.log(`warming up: ${now_mb.toFixed(0)} MB`);
    if (now_mb < 1.03 * rest_mb) return Math.max(now_mb, rest_mb);
    rest_mb = now_mb;
  }
  return rest_mb;
}

/** @returns the last answer */
async function repeatedly(target: Target, worst: Partial<WorstCase>, duration_ms = each_ms): Promise<Answer> {
  const until = performance.now() + duration_ms;
  let answer: Answer;
  do answer = await send(target, worst);
  while (performance.now() < until);
  return answer;
}

interface Answer {
  status: number;
  answer_bytes: number;
}

/** A server may answer and close before it has read everything: that is an answer. */
function send({ method, url, headers }: Target, worst: Partial<WorstCase>): Promise<Answer> {
  const { content_type, body, query } = worst;
  return new Promise((resolve, reject) => {
    const type = content_type ? { 'content-type': content_type } : {};
    const length = body ? { 'content-length': body.length } : {};
    const options = { method, agent, headers: { ...headers, ...type, ...length, ...worst.headers } };
    let status = 0;
    const sent = request(query ? `${url}?${query}` : url, options, (answer) => {
      status = answer.statusCode!;
      let answer_bytes = 0;
      answer.on('data', (chunk: Buffer) => (answer_bytes += chunk.length));
      answer.on('close', () => resolve({ status, answer_bytes }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (status || error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve({ status, answer_bytes: 0 });
      else reject(error);
    });
    sent.end(body);
  });
}

/** Of each kind the operation that took longest. @returns whether every target was met */
function report(rows: Row[], rest_mb: number): boolean {
  const isLarge = ({ status, answer_bytes }: Row) =>
    (status >= 400 || status === 0) && answer_bytes > largest_answer_bytes;
  const missed = (row: Row) =>
    [
      (row.p99_ms > longest_delay_ms || row.max_ms > 10 * longest_delay_ms) && 'delay',
      isLarge(row) && 'answer',
      row.peak_mb > most_memory * rest_mb && 'memory',
      row.status >= 500 && 'status',
    ].filter(Boolean);
  console.log(
    '| sent | worst at | status | p99 of the delay, ms | longest, ms | answer, bytes | memory / at rest | missed |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const [worst] = rows
      .filter((row) => row.kind === kind)
      .sort((a, b) => missed(b).length - missed(a).length || b.p99_ms - a.p99_ms);
    const { operation, status, p99_ms, max_ms, answer_bytes, peak_mb } = worst!;
    const numbers = [p99_ms.toFixed(1), max_ms.toFixed(1), answer_bytes, (peak_mb / rest_mb).toFixed(2)];
    console.log(`| ${kind} | ${operation} | ${status} | ${numbers.join(' | ')} | ${missed(worst!).join(', ')} |`);
  }
  const bad = rows.filter((row) => missed(row).length > 0);
  console.log(`\n${rows.length} cases; targets missed by ${bad.length}`);
  return bad.length === 0;
}

function mb(bytes: number): number {
  return bytes / 1024 / 1024;
}
