/** Overload: excess requests get 503 immediately, all others complete, and the service stays healthy. */
import { connect } from 'node:net';
import pg from 'pg';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';

const poolSize = 2;
const maxWaiting = 20;
const maxRequestsInFlight = 40;
const requests = 300;
/** The service occasionally needs connections itself, for rate limit counts and audit log entries. */
const workOfItsOwn = 2;

let app: TestApp;
beforeAll(async () => {
  const database = await testDatabase(poolSize, {
    maxWaiting,
    // Admitted requests wait as long as the lock is held, even on a slow machine.
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
  });
  app = await testApp({ MAX_REQUESTS_IN_FLIGHT: String(maxRequestsInFlight), MAX_CONNECTIONS: '2000' }, database);
});
afterAll(() => app.close());

const overload = { error: 'service_unavailable', message: expect.any(String) };

/** Locks a collaborator like another transaction. @returns a function that releases it */
async function lockRow(collaboratorId: string): Promise<() => Promise<void>> {
  const client = new pg.Client(app.database.url);
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from collaborators where company_id = $1 and id = $2 for update', [
    app.company_id,
    collaboratorId,
  ]);
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}

function write(i: number): Promise<Response> {
  const { admin, employee, base_url: baseUrl } = app;
  return fetch(`${baseUrl}/v1/collaborators/${employee.collaborator_id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'x-company-id': app.company_id,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ location: `Berth ${i}` }),
  });
}

test('300 writes wait for a lock on 2 connections: excess ones are rejected immediately, the rest complete', async () => {
  const release = await lockRow(app.employee.collaborator_id);
  const responses: { status: number; afterMs: number }[] = [];
  const started = performance.now();
  const sent = Array.from({ length: requests }, async (_, i) => {
    const response = await write(i);
    responses.push({ status: response.status, afterMs: performance.now() - started });
    const body = await response.json();
    if (response.status === 503) {
      expect(body).toEqual(overload);
      expect(response.headers.get('retry-after')).toBe('1');
    }
  });
  const patient = poolSize + maxWaiting;
  await eventually(() => expect(responses.length).toBeGreaterThanOrEqual(requests - patient));
  expect(responses.every(({ status }) => status === 503)).toBe(true);

  // While the pool is full, health checks and reads over shared connections work.
  expect((await fetch(`${app.base_url}/readyz`)).status).toBe(200);
  await app.admin.get(`/v1/collaborators/${app.employee.collaborator_id}`).expect(200);

  await release();
  await Promise.all(sent);
  const done = responses.filter(({ status }) => status === 200).length;
  expect(done).toBeLessThanOrEqual(patient);
  expect(done).toBeGreaterThanOrEqual(patient - workOfItsOwn);
  expect((await write(1_000)).status).toBe(200);
  const [{ count }] = (await app.database.query(
    "select count(*)::int as count from events where company_id = $1 and name = 'collaborator.updated'",
    [app.company_id],
  )) as [{ count: number }];
  expect(count).toBe(done + 1);
});

test('requests that never end use up only the capacity of their kind', async () => {
  const { hostname, port } = new URL(app.base_url);
  const head =
    'POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  const open = Array.from({ length: maxRequestsInFlight }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(head);
    return socket;
  });
  const metadata = () => fetch(`${app.base_url}/.well-known/oauth-authorization-server`);
  await eventually(async () => expect((await metadata()).status).toBe(503));
  const refused = await metadata();
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toEqual(overload);
  expect((await fetch(`${app.base_url}/healthz`)).status).toBe(200);
  await app.admin.get('/v1/collaborators').expect(200);
  for (const socket of open) socket.destroy();
  await eventually(async () => expect((await metadata()).status).toBe(200));
});
