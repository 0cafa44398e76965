/** Stops and restarts one of two worker nodes: its company is unavailable meanwhile, and everything else works. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Nodes } from '../../scripts/cluster/nodes.ts';
import { commandLineClientId, ensureCommandLineClient } from '../../src/identity/clients/command-line-client.ts';
import { isAlive } from '../../src/platform/embedded/folder-lock.ts';
import type { TestApp, TestClient } from '../helpers/app.ts';
import { appOnCluster, dedicatedCluster, moveCompany } from '../helpers/database/own-cluster.ts';
import { eventually } from '../helpers/eventually.ts';
import { signIn, tokenRequest } from '../helpers/identity/oauth.ts';
import { type Receiver, receiver } from '../helpers/network/receiver.ts';
import { localWebhooks } from '../helpers/resources/deliveries.ts';
import { type TestWorker, testWorker } from '../helpers/worker.ts';

const healthyMachine = 1;
const lostMachine = 2;

let folder: string;
let nodes: Nodes;
let app: TestApp;
let worker: TestWorker;
let there: Receiver;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  nodes = await dedicatedCluster(folder, 2);
  app = await appOnCluster(nodes, 'lost_worker', localWebhooks);
  const { database } = app;
  await ensureCommandLineClient(database.db);
  worker = await testWorker(app);
  there = await receiver();
  await moveCompany(nodes, database, app.company_id, healthyMachine);
  await moveCompany(nodes, database, app.outsider.company_id, lostMachine);
  for (const client of [app.admin, app.outsider]) {
    const events = ['collaborator.created'];
    await client.post('/v1/webhooks', { url: there.url, events }).expect(201);
  }
});
afterAll(async () => {
  await there?.close();
  await worker?.stop();
  await app?.close();
  await nodes?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** As in a crash. */
async function lose(machine: number): Promise<void> {
  const pid = nodes.pids[machine]!;
  process.kill(pid, 'SIGQUIT');
  await eventually(() => expect(isAlive(pid)).toBe(false));
}

let people = 0;
const add = (client: TestClient) => {
  const name = `Person ${++people}`;
  const person = { name, email: `person${people}@example.com`, position: 'Clerk', department: 'Office' };
  return client.post('/v1/collaborators', person);
};

async function arrived(name: string): Promise<void> {
  await eventually(() => expect(there.requests.map(({ body }) => body.toString()).join('\n')).toContain(`"${name}"`));
}

const client = { id: commandLineClientId };
const login = (email: string) =>
  signIn({
    base_url: app.base_url,
    client,
    redirect_uri: 'http://127.0.0.1:4711/callback',
    email,
    password: 'correct horse battery staple',
    scopes: ['profile', 'offline_access', 'collaborators:read'],
  });

test('companies elsewhere work, those on the node get 503, and all recover when it is back', async () => {
  await arrived((await add(app.admin).expect(201)).body.name);
  await arrived((await add(app.outsider).expect(201)).body.name);
  expect((await app.anon.get('/readyz').expect(200)).body).toMatchObject({ status: 'ready', database: true });
  const before = await login('mariana.duarte@example.com');

  await lose(lostMachine);

  // On the other node: reads, writes, events, sign-ins, and tokens.
  await app.admin.get('/v1/collaborators?search=rui').expect(200);
  await arrived((await add(app.admin).expect(201)).body.name);
  const { access_token: accessToken } = await login('mariana.duarte@example.com');
  await app.anon
    .get('/v1/collaborators')
    .set({ authorization: `Bearer ${accessToken}`, 'x-company-id': app.company_id })
    .expect(200);
  const refresh = { grant_type: 'refresh_token', refresh_token: before.refresh_token! };
  expect((await tokenRequest(app.base_url, client, refresh)).status).toBe(200);

  // On the lost node.
  for (const request of [app.outsider.get('/v1/collaborators'), add(app.outsider)]) {
    const refused = await request.expect(503);
    expect(refused.body).toMatchObject({ error: 'service_unavailable' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  }
  await eventually(async () => {
    expect((await app.anon.get('/readyz').expect(200)).body).toMatchObject({
      status: 'degraded',
      database: true,
      machines_lost: 1,
    });
  });

  await nodes.restart(lostMachine);

  await eventually(() => app.outsider.get('/v1/collaborators').expect(200));
  await arrived((await add(app.outsider).expect(201)).body.name);
  await eventually(async () => {
    expect((await app.anon.get('/readyz').expect(200)).body).toMatchObject({ status: 'ready', database: true });
  });
});

test('a user of companies on both nodes can sign in to the available one, and the other’s audit entry follows', async () => {
  const { user_id: userId } = app.admin;
  const { db, query } = app.database;
  const email = 'mariana.duarte@example.com';
  const { id } = (
    await app.outsider
      .post('/v1/collaborators', { name: 'Mariana Duarte', email, position: 'Advisor', department: 'Board' })
      .expect(201)
  ).body;
  await query("update collaborators set user_id = $1, status = 'active' where company_id = $2 and id = $3", [
    userId,
    app.outsider.company_id,
    id,
  ]);
  await db.global
    .insertInto('memberships')
    .values({ user_id: userId, company_id: app.outsider.company_id, collaborator_id: id })
    .execute();
  const both = await login(email); // selects both companies

  await lose(lostMachine);
  await login(email);
  const refresh = { grant_type: 'refresh_token', refresh_token: both.refresh_token! };
  expect((await tokenRequest(app.base_url, client, refresh)).status).toBe(200);
  await nodes.restart(lostMachine);

  await query('update graphile_worker._private_jobs set run_at = now() where attempts < max_attempts');
  await eventually(async () => {
    const rows = await query<{ details: { grant_type: string } }>(
      "select details from audit_log where company_id = $1 and action = 'token.issued' and actor_id = $2",
      [app.outsider.company_id, userId],
    );
    expect(rows.map(({ details }) => details.grant_type).sort()).toEqual([
      'authorization_code',
      'authorization_code refresh_token',
    ]);
  });
});
