/** A rolling restart of two API processes behind a proxy under load, without failed requests. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { freePort } from '../helpers/network/free-port.ts';
import { startProxy, type TestProxy } from '../helpers/network/proxy.ts';
import { killProcesses, startProcess } from '../helpers/process.ts';

const clients = 4;
/** Pause between rounds of a client, so that processes have CPU time to start. */
const pauseMs = 20;

let app: TestApp;
let proxy: TestProxy;
let ports: number[];
let processes: ReturnType<typeof startProcess>[];

const start = (port: number, shutdownDelayMs = 1_500) =>
  startProcess({
    DATABASE_URL: app.database.url,
    // The base URL that the test's tokens are for.
    BASE_URL: app.base_url,
    PORT: String(port),
    SHUTDOWN_DELAY_MS: String(shutdownDelayMs),
  });

beforeAll(async () => {
  app = await testApp();
  ports = [await freePort(), await freePort()];
  processes = ports.map((port) => start(port));
  proxy = await startProxy(ports);
  await eventually(() => expect(proxy.ready()).toHaveLength(2));
});
afterAll(async () => {
  await proxy.close();
  killProcesses();
  await app.close();
});

test('no request fails, and everything acknowledged exists once', async () => {
  const acknowledged: string[] = [];
  const outcomes = new Map<string, number>();
  let running = true;
  const note = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

  const client = async (name: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 1; running; n++) {
      const email = `${name}-${n}@example.com`;
      const body = { name: `Person ${n}`, email, position: 'Driver', department: 'Fleet' };
      const created = await send(agent, 'POST', '/v1/collaborators', body);
      note(`POST ${created.outcome}`);
      if (created.outcome !== '201') break;
      acknowledged.push(email);
      const { id } = JSON.parse(created.text);
      note(`GET ${(await send(agent, 'GET', `/v1/collaborators/${id}`)).outcome}`);
      note(`GET ${(await send(agent, 'GET', '/v1/collaborators?limit=20')).outcome}`);
      await sleep(pauseMs);
    }
    agent.destroy();
  };
  const load = Promise.all(Array.from({ length: clients }, (_, n) => client(`client-${n}`)));

  try {
    for (const at of ports.keys()) {
      const before = acknowledged.length;
      processes[at]!.child.kill('SIGTERM');
      expect(await processes[at]!.ended).toBe(0);
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(before)); // the other one responds
      processes[at] = start(ports[at]!);
      await eventually(() => expect(proxy.ready()).toHaveLength(2));
    }
  } finally {
    running = false;
    await load;
  }

  expect([...outcomes.keys()].sort()).toEqual(['GET 200', 'POST 201']);
  const rows = await app.database.query<{ email: string }>(
    "select email from collaborators where company_id = $1 and email like 'client-%'",
    [app.company_id],
  );
  expect(rows.map(({ email }) => email).sort()).toEqual(acknowledged.sort());
});

test('while draining, it isn’t ready, responses close the connection, and the port is open', async () => {
  const port = await freePort();
  const draining = start(port, 200_000); // longer than the test takes on a busy machine
  await draining.ready();
  const url = `http://127.0.0.1:${port}`;
  draining.child.kill('SIGTERM');
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503));
  const ready = await fetch(`${url}/readyz`);
  expect(await ready.json()).toEqual({ status: 'stopping' });
  expect(ready.headers.get('connection')).toBe('close');
  const response = await fetch(`${url}/v1/collaborators`, { headers: headers() });
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

const headers = () => ({
  Authorization: `Bearer ${app.admin.token}`,
  'X-Company-Id': app.company_id,
  'Content-Type': 'application/json',
});

/** @returns the status code, or why there is none */
function send(agent: Agent, method: string, path: string, body?: object): Promise<{ outcome: string; text: string }> {
  return new Promise((resolve) => {
    const sent = request(new URL(path, proxy.url), { agent, method, headers: headers() }, async (response) => {
      let text = '';
      try {
        for await (const chunk of response) text += chunk;
        resolve({ outcome: String(response.statusCode), text });
      } catch (error) {
        resolve({ outcome: String(error), text });
      }
    });
    sent.once('error', (error) => resolve({ outcome: String(error), text: '' }));
    sent.end(body && JSON.stringify(body));
  });
}
