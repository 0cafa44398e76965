/**
 * Database connections go silent without closing, as when the host or network is lost. Requests end with 503, and the process
 * recovers without help.
 */
import type { Gate } from '../../../scripts/proof/chaos/machines/gate.ts';
import { eventually } from '../../helpers/eventually.ts';
import { gateTo } from '../../helpers/network/gate.ts';
import { type WatchedService, watchedService } from '../observe/service.ts';

let gate: Gate;
let service: WatchedService;
beforeAll(async () => {
  service = await watchedService(
    {
      DATABASE_STATEMENT_TIMEOUT_MS: '1000',
      DATABASE_SOCKET_TIMEOUT_MS: '1250',
      DATABASE_CONNECT_TIMEOUT_MS: '750',
      WORKER_UPKEEP_MS: '500',
    },
    async (url) => {
      const way = await gateTo(url);
      gate = way;
      return way.url;
    },
  );
});
afterAll(async () => {
  await service.close();
  await gate.close();
});

let number = 0;
const add = () =>
  service.request(
    'POST',
    '/v1/collaborators',
    {},
    {
      name: 'Ana Lima',
      position: 'Driver',
      department: 'Fleet',
      email: `ana-${++number}@example.com`,
    },
  );
const list = () => service.request('GET', '/v1/collaborators');
const statusOf = async (path: string) => (await service.request('GET', path)).status;

/** Reads and writes concurrently, to use all kinds of connections. */
async function statuses(): Promise<number[]> {
  const all = await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? add() : list())));
  for (const each of all) {
    await each.arrayBuffer();
    if (each.status === 503) expect(Number(each.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return all.map(({ status }) => status);
}

const served = [200, 201];
const isServed = async () => expect((await statuses()).filter((status) => !served.includes(status))).toEqual([]);

/** An invitation queues a job, and the worker sends its email. */
async function invite(): Promise<string> {
  const created = await add();
  const { id, email } = (await created.json()) as { id: string; email: string };
  const invited = await service.request('POST', `/v1/collaborators/${id}/send-invitation`);
  expect(invited.status).toBeLessThan(300);
  return email;
}

const hasMailed = (email: string) =>
  eventually(async () => expect((await service.mails()).some((mail) => mail.includes(email))).toBe(true));

test('half-open, responses are lost: returns 503 briefly, then recovers without help', async () => {
  await eventually(isServed);
  gate.silence('answers');
  for (const status of await statuses()) expect([...served, 503]).toContain(status);
  await eventually(isServed);
  await hasMailed(await eventually(invite));
  await eventually(async () => expect(await statusOf('/readyz')).toBe(200));
  expect(await statusOf('/healthz')).toBe(200);
  await eventually(() => expect(gate.silenced()).toBe(0)); // including those of the worker and its queue
  expect(service.lines().filter(({ status }) => status === 500)).toEqual([]);
});

test('a database that accepts no connections is an outage, after which no restart is needed', async () => {
  gate.mute();
  gate.silence();
  expect(new Set(await statuses())).toEqual(new Set([503]));
  expect(await statusOf('/readyz')).toBe(503);
  expect(await statusOf('/healthz')).toBe(200); // a restart wouldn't help
  gate.unmute();
  await eventually(isServed);
  await hasMailed(await eventually(invite));
});

test('a process stops while its database is silent', async () => {
  gate.mute();
  gate.silence();
  const pending = statuses().catch(() => []);
  service.child.child.kill('SIGTERM');
  expect(await service.child.ended).toBe(0);
  await pending;
});
