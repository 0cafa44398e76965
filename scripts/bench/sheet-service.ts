// API and worker as deployed, on their own database, for the import and export benchmarks.
import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createClient } from '../../src/identity/clients/clients.ts';
import { openDatabase } from '../../src/platform/db/client.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../src/platform/schema/migrate-queue.ts';
import { createCompany } from '../../src/product/companies/companies.ts';
import { signIn } from '../run/sign-in.ts';
import { deployed, stopServer } from './harness/servers.ts';
import { mb, startWatched, type WatchedServer } from './harness/watched.ts';

const email = 'admin@example.com';
const password = randomBytes(12).toString('hex');
const settledMs = 3_000;
const pollMs = 50;

export interface Bench {
  direct: pg.Client;
  base_url: string;
  token: string;
  company_id: string;
  api: Watch;
  worker: Watch;
  /** Replaces the worker, whose memory has grown with earlier work. */
  freshWorker(): Promise<void>;
  close(): Promise<void>;
}

interface Watch extends WatchedServer {
  idleMb: number;
}

export interface Costs {
  api_mb: number;
  worker_mb: number;
  p99_ms: number;
}

/**
 * @param url of an empty database
 * @param files folder for uploads and exports
 */
export async function prepare(url: string, files: string): Promise<Bench> {
  await migrate(url);
  await migrateQueue(url);
  const db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 600_000 });
  const person = { name: 'Ada Admin', email, password, position: 'Head', department: 'Board' };
  const { company } = await createCompany(db, 'Bench', person);
  const client = await createClient(db, { name: 'Bench', redirect_uris: ['http://127.0.0.1/callback'], public: true });
  await db.close();
  const settings = {
    DATABASE_URL: url,
    STORAGE_URL: `file:${files}`,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ...deployed(),
  };
  const api = await startWatched('api', settings);
  const startWorker = () => startWatched('worker', { ...settings, BASE_URL: api.base_url });
  let worker = await startWorker();
  const { base_url: baseUrl } = api;
  const { access_token: token } = await signIn({ base_url: baseUrl, client_id: client.id, email, password });
  const direct = new pg.Client(url);
  direct.on('error', () => undefined); // if the database stops first, another error is the cause
  await direct.connect();
  await sleep(settledMs);
  const idle = async (server: WatchedServer) => ({ ...server, idleMb: mb((await server.reset()).rssBytes) });
  const freshWorker = async () => {
    stopServer(worker.base_url);
    worker = await startWorker();
    await sleep(settledMs);
    bench.worker = await idle(worker);
  };
  const close = async () => {
    stopServer(worker.base_url);
    stopServer(baseUrl);
    await direct.end();
  };
  const processes = { api: await idle(api), worker: await idle(worker) };
  const bench: Bench = { direct, base_url: baseUrl, token, company_id: company.id, ...processes, freshWorker, close };
  return bench;
}

/** @returns the duration of `work` in seconds, and its cost in both processes */
export async function watched({ api, worker }: Bench, work: () => Promise<void>): Promise<Costs & { seconds: number }> {
  await Promise.all([api.reset(), worker.reset()]);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  const [ofApi, ofWorker] = await Promise.all([api.figures(), worker.figures()]);
  await sleep(settledMs);
  return {
    seconds,
    api_mb: Math.max(0, mb(ofApi.peakBytes) - api.idleMb),
    worker_mb: Math.max(0, mb(ofWorker.peakBytes) - worker.idleMb),
    p99_ms: ofApi.p99_ms,
  };
}

/** The fields of an import or export that are used here. */
interface Job {
  id: string;
  status: string;
  counts: { created: number };
  row_count: number;
}

/** Measured from the first uploaded byte to completion. */
export async function imported(bench: Bench, file: string, rows: number): Promise<void> {
  const form = new FormData();
  form.append('file', await openAsBlob(file), file.split('/').at(-1)!);
  const { id } = await request(bench, '/v1/collaborators/import', { method: 'POST', body: form });
  const { status, counts } = await waitForJob(bench, `/v1/imports/${id}`);
  if (status !== 'completed' || counts.created !== rows) throw new Error(`${status}: ${JSON.stringify(counts)}`);
}

export async function exported(bench: Bench, rows: number): Promise<void> {
  const { id } = await request(bench, '/v1/collaborators/export/list');
  const { status, row_count: rowCount } = await waitForJob(bench, `/v1/exports/${id}`);
  if (status !== 'completed' || rowCount !== rows + 1) throw new Error(`${status}: ${rowCount} rows`);
}

async function waitForJob(bench: Bench, path: string): Promise<Job> {
  for (;;) {
    const job = await request(bench, path);
    if (!['queued', 'validating', 'processing'].includes(job.status)) return job;
    await sleep(pollMs);
  }
}

async function request(
  { base_url: baseUrl, token, company_id: companyId }: Bench,
  path: string,
  init: RequestInit = {},
): Promise<Job> {
  const headers = { authorization: `Bearer ${token}`, 'x-company-id': companyId };
  const response = await fetch(baseUrl + path, { ...init, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Job;
}
