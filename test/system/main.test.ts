/** The process as operators see it: exit codes, output, signals, and shutdown. test/service.test.ts has the startup errors. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { type TestApp, testApp } from '../helpers/app.ts';
import { runCli } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { freePort } from '../helpers/network/free-port.ts';
import { killProcesses, startProcess as start } from '../helpers/process.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  killProcesses();
  await app.close();
});

test('refuses to start for bad settings with exit code 1', async () => {
  const { ended, stdout, stderr } = start({ DATABASE_URL: app.database.url, PORT: '-1', LOG_LEVEL: 'loud' });
  expect(await ended).toBe(1);
  expect(stderr()).toMatch(/^invalid configuration: PORT must .*; LOG_LEVEL must .*\n$/);
  expect(stdout()).toBe('');
});

test('refuses a command with an embedded database in production', async () => {
  const env = { NODE_ENV: 'production', ENCRYPTION_KEY: randomBytes(32).toString('base64') };
  const { code, stderr } = await runCli(['company', 'list'], env);
  expect([code, stderr]).toEqual([1, expect.stringContaining('- DATABASE_URL: required in production')]);
});

test('logs one line per request without secrets, completes a request in flight on SIGTERM, and exits with 0', async () => {
  const service = start({ DATABASE_URL: app.database.url });
  const baseUrl = await service.ready();
  const headers = { Authorization: 'Bearer very.secret.token', 'X-Request-Id': 'r-1' };
  await fetch(`${baseUrl}/v1/collaborators?search=private`, { headers });
  await fetch(`${baseUrl}/v1/collaborators/ana.secret@example.com/photos`, { headers: { 'X-Request-Id': 'r-2' } });
  const slow = request(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', expect: '100-continue' },
  });
  const responsePromise = once(slow, 'response');
  slow.flushHeaders();
  await once(slow, 'continue'); // the service has accepted it
  service.child.kill('SIGTERM');
  await eventually(() => expect(fetch(`${baseUrl}/readyz`)).rejects.toThrow());
  slow.end('grant_type=none');
  const [reply] = (await responsePromise) as [IncomingMessage];
  expect(reply.statusCode).toBeGreaterThanOrEqual(400);
  reply.resume();
  expect(await service.ended).toBe(0);

  const early = service.lines().filter(({ request_id: requestId }) => requestId === 'r-2');
  expect(early.map(({ path, status }) => [path, status])).toEqual([['/v1/collaborators/:other/:other', 401]]);
  expect(service.stdout()).not.toContain('ana.secret');
  const requests = service.lines().filter(({ request_id: requestId }) => requestId === 'r-1');
  expect(requests).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      path: '/v1/collaborators',
      method: 'GET',
      status: 401,
      duration_ms: expect.any(Number),
      request_id: 'r-1',
      error_code: 'invalid_token',
      msg: 'request',
    },
  ]);
  expect(service.stdout()).not.toMatch(/very\.secret|private/);
});

test('while draining, it isn’t ready, responses close the connection, and the port is open', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const draining = start({
    DATABASE_URL: app.database.url,
    BASE_URL: app.base_url, // which the token is for
    PORT: String(port),
    SHUTDOWN_DELAY_MS: '200000', // longer than the test takes on a busy machine
  });
  await draining.ready();
  draining.child.kill('SIGTERM');
  await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503));
  const ready = await fetch(`${url}/readyz`);
  expect(await ready.json()).toEqual({ status: 'stopping' });
  expect(ready.headers.get('connection')).toBe('close');
  const headers = { Authorization: `Bearer ${app.admin.token}`, 'X-Company-Id': app.company_id };
  const response = await fetch(`${url}/v1/collaborators`, { headers });
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('SIGHUP does not end a process without a certificate', async () => {
  const service = start({ DATABASE_URL: app.database.url });
  await service.ready();
  service.child.kill('SIGHUP');
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

test('shutdown does not wait for connections without a request', async () => {
  const service = start({ DATABASE_URL: app.database.url, SHUTDOWN_TIMEOUT_MS: '200000' });
  const baseUrl = await service.ready();
  const unused = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const closed = once(unused, 'close');
  await once(unused, 'connect');
  await fetch(`${baseUrl}/healthz`); // accepted after it
  service.child.kill('SIGTERM');
  await closed;
  expect(await service.ended).toBe(0);
});
