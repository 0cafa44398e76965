/** A silent cluster node: connections to it neither respond nor fail, as when its network drops packets or its disk hangs. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Nodes } from '../../scripts/cluster/nodes.ts';
import { isAlive } from '../../src/platform/embedded/folder-lock.ts';
import type { TestApp, TestClient } from '../helpers/app.ts';
import { appOnCluster, dedicatedCluster, moveCompany } from '../helpers/database/own-cluster.ts';
import { eventually } from '../helpers/eventually.ts';
import { receiver } from '../helpers/network/receiver.ts';
import { localWebhooks } from '../helpers/resources/deliveries.ts';
import { testWorker } from '../helpers/worker.ts';

const healthyMachine = 1;
const silentMachine = 2;

let folder: string;
let nodes: Nodes;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  nodes = await dedicatedCluster(folder, 2);
  app = await appOnCluster(nodes, 'silent_worker', localWebhooks);
  await moveCompany(nodes, app.database, app.company_id, healthyMachine);
  await moveCompany(nodes, app.database, app.outsider.company_id, silentMachine);
});
afterAll(async () => {
  if (nodes && isAlive(nodes.pids[silentMachine]!)) signalAll('SIGCONT'); // else it couldn't receive the signal to stop
  await app?.close();
  await nodes?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Signals the server and all its processes: their sockets stay open, but nothing responds. @returns their ids */
function signalAll(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): number[] {
  const server = nodes.pids[silentMachine]!;
  const parentOf = (pid: string) => {
    try {
      return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    } catch {
      return undefined; // it has exited
    }
  };
  const its = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === server);
  const all = [server, ...its.map(Number)];
  for (const pid of all) process.kill(pid, signal);
  return all;
}

const list = (client: TestClient) => client.get('/v1/collaborators');
const readiness = () => app.anon.get('/readyz').expect(200);
const expectReportedLost = async () => {
  expect((await readiness()).body).toMatchObject({ status: 'degraded', database: true, machines_lost: 1 });
};

/** More than the number of connections. */
const atOnce = 20;

/**
 * Sends requests for the company on that node, and as many for the other one, three times, because a busy machine
 * occasionally delays one.
 * @returns the slowest request of each round, in milliseconds
 */
async function slowest(statusThere: 200 | 503): Promise<number[]> {
  const durationsMs: number[] = [];
  for (let times = 0; times < 3; times++) {
    const startedMs = performance.now();
    await Promise.all([...many(app.outsider, statusThere), ...many(app.admin, 200)]);
    durationsMs.push(performance.now() - startedMs);
  }
  return durationsMs;
}

const many = (client: TestClient, status: number) =>
  Array.from({ length: atOnce }, () => list(client).expect(status).then());

test('pending requests are cut off, its companies are rejected immediately, and others are served as before', async () => {
  await slowest(200); // opens all connections, including those between nodes
  const before = Math.max(...(await slowest(200)));

  await app.database.db.machines.recheck(); // the next check is seconds away, and pending requests don't trigger one
  signalAll('SIGSTOP');
  await Promise.all([...many(app.outsider, 503), ...many(app.admin, 200)]);
  await expectReportedLost();
  await list(app.outsider).expect(503).expect('retry-after', /\d/);
  expect(Math.min(...(await slowest(503)))).toBeLessThan(3 * before);

  signalAll('SIGCONT');
  await eventually(() => list(app.outsider).expect(200));
  await eventually(async () => expect((await readiness()).body).toMatchObject({ status: 'ready' }));
});

test('events of other companies are still delivered', async () => {
  const there = await receiver();
  await app.admin.post('/v1/webhooks', { url: there.url, events: ['collaborator.created'] }).expect(201);
  const worker = await testWorker(app);
  const person = { name: 'Rui Prata', email: 'rui.prata@example.com', position: 'Clerk', department: 'Office' };
  signalAll('SIGSTOP');
  await app.admin.post('/v1/collaborators', person).expect(201);
  await eventually(() => expect(there.requests.map(({ body }) => body.toString()).join()).toContain('Rui Prata'));
  signalAll('SIGCONT');
  await eventually(() => list(app.outsider).expect(200));
  await worker.stop();
  await there.close();
});

test('after it is killed and restarted, its companies are served again', async () => {
  signalAll('SIGSTOP');
  await eventually(expectReportedLost);
  // As an operator or a cluster manager does.
  const ended = signalAll('SIGKILL');
  await list(app.outsider).expect(503);
  await list(app.admin).expect(200);
  await eventually(() => expect(ended.filter(isAlive)).toEqual([])); // none holds their shared memory anymore
  await nodes.restart(silentMachine);
  await eventually(() => list(app.outsider).expect(200));
  await eventually(async () => expect((await readiness()).body).toMatchObject({ status: 'ready' }));
});
