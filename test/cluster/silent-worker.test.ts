/**
 * A machine of a cluster is silent: connections to it are neither answered nor refused, as where its network drops what is
 * sent, or its disk hangs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Nodes } from '../../scripts/cluster/nodes.ts';
import type { TestApp, TestClient } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { appOnCluster, moveCompany, ownCluster } from '../helpers/own-cluster.ts';

const healthy_machine = 1;
const silent_machine = 2;

let folder: string;
let nodes: Nodes;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  nodes = await ownCluster(folder, 2);
  app = await appOnCluster(nodes, 'silent_worker');
  await moveCompany(nodes, app.database, app.company_id, healthy_machine);
  await moveCompany(nodes, app.database, app.outsider.company_id, silent_machine);
});
afterAll(async () => {
  await app?.close();
  await nodes?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The server and each of its processes: its sockets stay open, and nobody answers. */
function signalAll(signal: 'SIGSTOP' | 'SIGKILL'): void {
  const server = nodes.pids[silent_machine]!;
  const parentOf = (pid: string) => {
    try {
      return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    } catch {
      return undefined; // it has ended
    }
  };
  const its = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === server);
  for (const pid of [server, ...its.map(Number)]) process.kill(pid, signal);
}

const list = (client: TestClient) => client.get('/v1/collaborators');

test('it is told as lost, everybody else is served, and once it is ended so are those on it when it is back', async () => {
  await list(app.outsider).expect(200);
  const told = () => app.anon.get('/readyz').expect(200);
  signalAll('SIGSTOP');
  await eventually(async () => {
    expect((await told()).body).toMatchObject({ status: 'degraded', database: true, machines_lost: 1 });
  });
  for (let times = 0; times < 20; times++) await list(app.admin).expect(200);

  // What an operator does, or what watches the machines for one.
  signalAll('SIGKILL');
  await eventually(() => list(app.outsider).expect(503).expect('retry-after', /\d/));
  await list(app.admin).expect(200);
  await nodes.restart(silent_machine);
  await eventually(() => list(app.outsider).expect(200));
  await eventually(async () => expect((await told()).body).toMatchObject({ status: 'ready' }));
});
