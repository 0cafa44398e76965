/**
 * Starts the whole API on its own database, with one client per kind of caller. Tokens are signed with the service's own key and
 * backed by stored grants, so requests pass the same checks as in production. test/oauth covers how clients get tokens.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import supertest from 'supertest';
import { createApp } from '../../src/api/app.ts';
import type { RequestMetrics } from '../../src/api/http/observe/request-metrics.ts';
import { createOAuth } from '../../src/api/pages/oauth.ts';
import { createRateLimiter, type RateLimiter } from '../../src/api/rate-limit/rate-limit.ts';
import { createHttpServer } from '../../src/api/server/server.ts';
import { type AuditRecorder, createAuditRecorder } from '../../src/platform/audit/recorder.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import { createStorage } from '../../src/platform/files/context.ts';
import { boundStore } from '../../src/platform/files/store/bound-store.ts';
import { type WatchedStore, watchStore } from '../../src/platform/files/store/store-watch.ts';
import { createMailQueue } from '../../src/platform/mail/mail-queue.ts';
import { type AccessListener, listenForAccessChanges } from '../../src/platform/notify/listen.ts';
import { createRequestMeter } from '../../src/platform/observe/requests.ts';
import { createCompany, createPerson, type Person } from '../../src/product/companies/companies.ts';
import { createQuotas } from '../../src/product/companies/quotas.ts';
import { type ConnectionUsageRecorder, createUseRecorder } from '../../src/product/connections/connection-usage.ts';
import { createDirectoryMeter } from '../../src/product/directories/directory-meter.ts';
import { recordExchanges } from './contract/record-exchanges.ts';
import { type TestDatabase, testDatabase } from './database/database.ts';
import { externalStore, uniqueStoreUrl } from './external-store.ts';
import { hashOf } from './identity/people.ts';
import { grantToken, type TokenOptions } from './identity/tokens.ts';
import { testLog } from './log.ts';
import { longLeaseMs, testSettings } from './settings.ts';

export type Identity = 'admin' | 'manager' | 'report' | 'employee' | 'outsider';

export interface TestClient {
  user_id: string;
  collaborator_id: string;
  company_id: string;
  token: string;
  get(path: string): supertest.Test;
  post(path: string, body?: unknown): supertest.Test;
  put(path: string, body?: unknown): supertest.Test;
  patch(path: string, body?: unknown): supertest.Test;
  delete(path: string): supertest.Test;
}

export interface TestApp extends Record<Identity, TestClient> {
  anon: supertest.Agent;
  company_id: string;
  base_url: string;
  /** The port on 127.0.0.1, for tests that put a proxy in front. */
  port: number;
  config: Config;
  database: TestDatabase;
  access: AccessListener;
  limiter: RateLimiter;
  watch: RequestMetrics;
  registry: Registry;
  audit: AuditRecorder;
  uses: ConnectionUsageRecorder;
  store: WatchedStore;
  /** A client of the same user with a different token. */
  as(identity: Identity, token: Omit<TokenOptions, 'user_id'>): Promise<TestClient>;
  close(): Promise<void>;
}

/**
 * Creates a company with `admin`, `manager`, their report `report`, and `employee`, who reports to the admin.
 * `outsider` is the admin of another company.
 * @param existing use this database instead of a new one; it is dropped at the end too
 */
export async function testApp(settings: Record<string, string> = {}, existing?: TestDatabase): Promise<TestApp> {
  const database = existing ?? (await testDatabase(10));
  const { db } = database;
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  const STORAGE_URL = externalStore ? uniqueStoreUrl(externalStore) : `file:${folder}`;
  const config = readConfig({ ...testSettings, STORAGE_URL, ...settings });
  let app: Awaited<ReturnType<typeof createApp>> | undefined;
  const log = testLog();
  const { server } = await createHttpServer(config, log);
  server.on(
    'request',
    recordExchanges((req, res) => app?.(req, res)),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const baseUrl = settings.BASE_URL ?? `http://127.0.0.1:${port}`;
  const access = listenForAccessChanges({ url: database.url, leaseMs: longLeaseMs });
  await access.ready;
  const mail = createMailQueue(config.encryption_keys, config.mailsPerDay);
  const audit = createAuditRecorder({ db, log });
  const uses = createUseRecorder({ db, log });
  const oauth = await createOAuth({ config, base_url: baseUrl, db, access, mail, log });
  const { rateLimitsPerMin: limits, rateLimitClientFactor: clientFactor } = config;
  // Freeze the clock so that the rate limit window doesn't roll over during a test.
  const startedMs = Date.now();
  const clock = { now_ms: () => startedMs, measure: () => () => {} };
  const limiter = createRateLimiter({ db, limits, clientFactor, log, clock });
  const registry = new Registry();
  const watch = { meter: createRequestMeter(registry), tracer: undefined, slowRequestMs: config.slow.requestMs };
  const quotas = createQuotas(config.quotas);
  const store = watchStore(boundStore(createStorage(config), db), { registry, log });
  const shutdown = new AbortController();
  const stopping = shutdown.signal;
  app = await createApp({
    config,
    base_url: baseUrl,
    db,
    store,
    oauth,
    mail,
    limiter,
    quotas,
    watch,
    directoryMeter: createDirectoryMeter(registry),
    audit,
    uses,
    log,
    stopping,
  });

  const founder = person('Mariana Duarte');
  const { company, admin } = await createCompany(db, 'Verde Logística', founder, await hashOf(founder));
  const stranger = person('Jonas Petersen');
  const other = await createCompany(db, 'Nordwind Spedition', stranger, await hashOf(stranger));
  const add = async (fields: Person) => createPerson(db, company.id, fields, await hashOf(fields));
  const manager = await add({ ...person('Rui Almeida'), role: 'manager', manager_id: admin.collaborator_id });
  const report = await add({
    ...person('Clara Sousa'),
    manager_id: manager.collaborator_id,
    salary: 48_000.5,
    emergency_contact: { name: 'Nuno Sousa', phone: '+351 912 345 678', relationship: 'brother' },
  });
  const employee = await add({ ...person('Tomás Rocha'), manager_id: admin.collaborator_id, salary: 39_500 });
  const people = { admin, manager, report, employee, outsider: other.admin };
  const companyOf = (identity: Identity) => (identity === 'outsider' ? other.company.id : company.id);

  const as = async (identity: Identity, token: Omit<TokenOptions, 'user_id'>) => {
    const { user_id: userId, collaborator_id: collaboratorId } = people[identity];
    const companyId = companyOf(identity);
    const issued = await grantToken(db, config, baseUrl, { company_ids: [companyId], ...token, user_id: userId });
    return {
      user_id: userId,
      collaborator_id: collaboratorId,
      company_id: companyId,
      token: issued,
      ...requests(server, issued, companyId),
    };
  };
  return {
    anon: clientOf(server),
    admin: await as('admin', {}),
    manager: await as('manager', {}),
    report: await as('report', {}),
    employee: await as('employee', {}),
    outsider: await as('outsider', {}),
    company_id: company.id,
    base_url: baseUrl,
    port,
    config,
    database,
    access,
    limiter,
    watch,
    registry,
    audit,
    uses,
    store,
    as,
    async close() {
      shutdown.abort();
      await access.close();
      await limiter.close();
      await audit.close();
      await uses.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function person(name: string): Person {
  const email = `${name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(' ', '.')}@example.com`;
  return { name, email, position: 'Planner', department: 'Operations', password: 'correct horse battery staple' };
}

/** Keeps connections open between requests: a new one takes longer than most responses. */
const agent = new Agent({ keepAlive: true });

function clientOf(server: Server): supertest.Agent {
  const methods = Object.entries(supertest(server) as unknown as Record<string, (path: string) => supertest.Test>);
  const kept = methods.map(([method, send]) => [method, (path: string) => send(path).agent(agent)]);
  return Object.fromEntries(kept);
}

function requests(server: Server, token: string, companyId: string) {
  const client = clientOf(server);
  const send = (method: 'get' | 'post' | 'put' | 'patch' | 'delete') => (path: string, body?: unknown) => {
    const request = client[method](path).set('Authorization', `Bearer ${token}`).set('X-Company-Id', companyId);
    return body === undefined ? request : request.send(body as object);
  };
  return { get: send('get'), post: send('post'), put: send('put'), patch: send('patch'), delete: send('delete') };
}
