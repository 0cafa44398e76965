// This service as a contestant: API and worker as separate processes, as deployed.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { type Database, openDatabase } from '../../../src/platform/db/client.ts';
import { migrate } from '../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { emit } from '../../../src/product/events/emit.ts';
import { signIn } from '../../run/sign-in.ts';
import { startServer, startWorkerProcess } from '../harness/servers.ts';
import type { Candidate, Marker } from './candidate.ts';

const batch = 500;

export interface ThisService extends Candidate {
  commit(marker: Marker): Promise<void>;
  waitingRetries(count: number): Promise<void>;
  /** Concurrent requests of a worker; default: the setting's default. */
  startWorker(slots?: number): string;
  close(): Promise<void>;
}

interface Tools {
  url: string;
  db: Database;
  direct: pg.Client;
  company_id: string;
  ENCRYPTION_KEY: string;
  ask(method: string, path: string, body: unknown): Promise<void>;
}

/** @param postgresUrl of a server, on which it creates a database */
export async function startThisService(postgresUrl: string): Promise<ThisService> {
  const tools = await prepare(postgresUrl);
  const { url, db, direct, company_id: companyId, ENCRYPTION_KEY, ask } = tools;
  return {
    name: 'this service',
    async subscribe(urls) {
      await direct.query('delete from graphile_worker._private_jobs');
      await direct.query('delete from webhooks');
      // Keep earlier rows, as in production: with empty tables, Postgres would choose other plans.
      await direct.query('analyze');
      for (const receiver of urls) await ask('POST', '/v1/webhooks', { url: receiver, events: ['*'] });
    },
    async publish(marker) {
      const unique = `${marker}-${randomBytes(4).toString('hex')}`;
      const person = { position: 'Measured', department: 'Measurements', email: `${unique}@example.com` };
      await ask('POST', '/v1/collaborators', { name: `Bench ${marker}`, ...person });
    },
    commit: (marker) => writeEvents(tools, [marker]),
    async publishMany(markers) {
      for (let done = 0; done < markers.length; done += batch) {
        await writeEvents(tools, markers.slice(done, done + batch));
      }
    },
    startWorker: (slots) =>
      startWorkerProcess({
        DATABASE_URL: url,
        ENCRYPTION_KEY,
        WEBHOOK_ALLOW_PRIVATE: 'true',
        ...(slots && { WEBHOOKS_IN_FLIGHT: String(slots) }),
      }),
    waitingRetries: (count) => waitingRetries(direct, companyId, count),
    async close() {
      await direct.end();
      await db.close();
    },
  };
}

async function prepare(postgresUrl: string): Promise<Tools> {
  const url = await newDatabase(postgresUrl, 'bench_webhooks');
  await migrate(url);
  await migrateQueue(url);
  const db = openDatabase({ url, poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 600_000 });
  const credentials = { email: 'admin@example.com', password: randomBytes(12).toString('hex') };
  const person = { name: 'Ada Admin', ...credentials, position: 'Head', department: 'Board' };
  const { company } = await createCompany(db, 'Bench', person);
  const client = await createClient(db, { name: 'Bench', redirect_uris: ['http://127.0.0.1/callback'], public: true });
  const direct = new pg.Client(url);
  direct.on('error', () => undefined); // if the database stops first, another error is the cause
  await direct.connect();
  const ENCRYPTION_KEY = randomBytes(32).toString('base64');
  const settings = { DATABASE_URL: url, ENCRYPTION_KEY, WEBHOOK_ALLOW_PRIVATE: 'true' };
  const baseUrl = await startServer(['src/main.ts', 'api'], settings);
  const { access_token: accessToken } = await signIn({ base_url: baseUrl, client_id: client.id, ...credentials });
  const headers = { authorization: `Bearer ${accessToken}`, 'x-company-id': company.id };
  return { url, db, direct, company_id: company.id, ENCRYPTION_KEY, ask: requestSender(baseUrl, headers) };
}

/** @returns the URL of a new database with this name */
export async function newDatabase(postgresUrl: string, name: string): Promise<string> {
  const admin = new pg.Client(postgresUrl);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const newUrl = new URL(postgresUrl);
  newUrl.pathname = `/${name}`;
  return newUrl.href;
}

/** @returns a function that sends API requests, and throws unless they succeed */
export function requestSender(baseUrl: string, headers: Record<string, string>): Tools['ask'] {
  return async (method, path, body) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  };
}

/** All in one transaction. */
async function writeEvents({ db, company_id: companyId }: Tools, markers: readonly Marker[]): Promise<void> {
  await db.tenant(companyId).transaction(async (tx) => {
    for (const marker of markers) {
      const report = { id: `report-${marker}`, kind: 'collaborators', title: `Bench ${marker}`, period: null };
      emit(tx, 'report.created', report as never, { idempotency_key: `report-${marker}` });
    }
  });
}

async function waitingRetries(direct: pg.Client, companyId: string, count: number): Promise<void> {
  await direct.query(
    `with waiting as (
       insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, due_at, failures, attempt_count)
       select $1, gen_random_uuid(), w.id, gen_random_uuid(), 'report.created', 'envelope', now() + interval '1 hour', 1, 1
       from webhooks w, generate_series(1, $2::int) returning id, webhook_id
     )
     insert into graphile_worker._private_jobs (task_id, payload, run_at, key)
     select t.id, json_build_object('company_id', $1::text, 'webhook_id', webhook_id), now() + interval '1 hour', 'retry:' || w.id
     from waiting w, graphile_worker._private_tasks t where t.identifier = 'deliverWebhook'`,
    [companyId, count],
  );
  await direct.query('analyze');
}
