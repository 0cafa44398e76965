// Benchmarks authentication and authorization: microseconds and queries per request, with cold and warm caches.
import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { RequestContext } from '../../src/api/http/request-context.ts';
import { authenticate } from '../../src/api/http/steps/authenticate.ts';
import { authorize } from '../../src/api/http/steps/authorize.ts';
import { enterCompany } from '../../src/api/http/steps/enter-company.ts';
import type { RateLimiter } from '../../src/api/rate-limit/rate-limit.ts';
import { contractOperations } from '../../src/contract/contract.ts';
import { createClient } from '../../src/identity/clients/clients.ts';
import { createVerifier } from '../../src/identity/tokens/verify-token.ts';
import { openDatabase } from '../../src/platform/db/client.ts';
import { listenForAccessChanges } from '../../src/platform/notify/listen.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../src/platform/schema/migrate-queue.ts';
import { operationAccess } from '../../src/product/access/permissions.ts';
import { createCompany } from '../../src/product/companies/companies.ts';
import { ownPostgres } from '../run/own-postgres.ts';

const repetitions = 5;
const baseUrl = 'http://127.0.0.1';
let queries = 0;

const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
const postgres = await ownPostgres(folder);
try {
  await main(postgres.url);
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function main(url: string): Promise<void> {
  await migrate(url);
  await migrateQueue(url);
  const db = openDatabase({ url, poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 });
  const password = randomBytes(12).toString('hex');
  const person = { name: 'Ada Admin', email: 'ada@example.com', password, position: 'Head', department: 'Board' };
  const { company, admin } = await createCompany(db, 'Bench', person);
  const client = await createClient(db, { name: 'Bench', redirect_uris: ['http://127.0.0.1/callback'], public: true });
  const token = await issue(db, admin.user_id, client.id, company.id);

  const access = listenForAccessChanges({ url });
  await access.ready;
  const verifier = createVerifier({ db, base_url: baseUrl, cacheEntries: 100, access });
  countQueries();
  const headers = { authorization: `Bearer ${token}`, 'x-company-id': company.id };
  const { operation } = contractOperations.find((each) => each.operation.operationId === 'getCollaborator')!;
  const accessRule = operationAccess(operation);
  // Rate limiting is measured elsewhere.
  const noLimiter = { policy_header: {} } as unknown as RateLimiter;
  const steps = [authenticate(verifier.verify, baseUrl, noLimiter), enterCompany(db, noLimiter), authorize];
  const request = async () => {
    const path = '/v1/collaborators/';
    const req = { method: 'GET', originalUrl: path, headers };
    const context = { req, headers, path, requestLog: { headers: {} }, operation: { access: accessRule } };
    for (const step of steps) await step(context as unknown as RequestContext);
  };

  console.log(
    '| authentication and authorization | µs a request, median | from | to | queries a request |\n| --- | --- | --- | --- | --- |',
  );
  await report('remembered', 20_000, request);
  await report('not remembered', 200, async () => {
    verifier.versions.allChanged();
    await request();
  });
  await access.close();
  await db.close();
}

async function report(name: string, count: number, request: () => Promise<void>): Promise<void> {
  for (let i = 0; i < count / 4; i++) await request();
  const times: number[] = [];
  const before = queries;
  for (let round = 0; round < repetitions; round++) {
    const started = performance.now();
    for (let i = 0; i < count; i++) await request();
    times.push(((performance.now() - started) * 1000) / count);
  }
  times.sort((a, b) => a - b);
  const figures = [times[repetitions >> 1]!, times[0]!, times.at(-1)!].map((time) => time.toFixed(2));
  console.log(`| ${name} | ${figures.join(' | ')} | ${((queries - before) / (repetitions * count)).toFixed(2)} |`);
}

/** Counts every statement of the pool; the listener's heartbeat doesn't belong to a request. */
function countQueries(): void {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (args[0] !== 'select 1') queries += 1;
    return query.apply(this, args);
  } as never;
}

/** Issues a token as the service does, with its own key in the key table. */
async function issue(db: ReturnType<typeof openDatabase>, sub: string, clientId: string, companyId: string) {
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const kid = 'bench';
  const { d: _, ...open } = jwk;
  const publicJwk = JSON.stringify({ ...open, kid, alg: 'ES256', use: 'sig' });
  const key = { id: kid, algorithm: 'ES256', public_jwk: publicJwk, private_jwk_encrypted: Buffer.alloc(0) };
  await db.global.insertInto('signing_keys').values(key).execute();
  const grantId = randomUUID();
  const grant = { id: grantId, user_id: sub, client_id: clientId, company_ids: [companyId] };
  await db.global.insertInto('oauth_grants').values(grant).execute();
  const nowS = Math.floor(Date.now() / 1000);
  const claims = {
    iss: baseUrl,
    aud: baseUrl,
    sub,
    client_id: clientId,
    grant_id: grantId,
    jti: randomUUID(),
    iat: nowS,
    exp: nowS + 3600,
  };
  const payload = { ...claims, scope: 'profile collaborators:read' };
  const input = [{ alg: 'ES256', typ: 'at+jwt', kid }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(input), { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' } as never);
  return `${input}.${signature.toString('base64url')}`;
}
