/** The process as operators see it: startup, startup errors, database loss, and shutdown. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../src/platform/embedded/embedded.ts';
import { run } from '../helpers/command.ts';
import { type TestDatabase, testDatabase } from '../helpers/database/database.ts';
import { eventually } from '../helpers/eventually.ts';
import { killProcesses, startProcess as start } from '../helpers/process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  killProcesses();
  await database.drop();
});

const embedded = { DATABASE_URL: '' };

describe('refuses to start with one clear line and a non-zero exit code', () => {
  test.each([
    [
      'several bad settings',
      { PORT: '-1', LOG_LEVEL: 'loud' },
      /^invalid configuration: PORT must .*; LOG_LEVEL must /,
    ],
    [
      'a data folder that is a file',
      { ...embedded, DATA_DIR: 'package.json' },
      /^invalid configuration: DATA_DIR must be a writable folder, not package\.json: a file has this name\n$/,
    ],
    [
      'no database there',
      { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' },
      /^the database can't be reached: .*ECONNREFUSED/,
    ],
  ])('for %s', async (_, settings, message) => {
    const { ended, stderr } = start({ DATABASE_URL: database.url, ...settings });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(message);
    expect(stderr().trim().split('\n')).toHaveLength(1);
  });

  test('for unsafe production settings, and lists all of them', async () => {
    const settings = { NODE_ENV: 'production', REQUIRE_HTTPS: 'false', BASE_URL: 'http://people.example' };
    const { ended, stderr, stdout } = start(settings);
    expect(await ended).toBe(1);
    const named = [...stderr().matchAll(/^- (\w+): /gm)].map(([, name]) => name).sort();
    expect(named).toEqual(['BASE_URL', 'DATABASE_URL', 'ENCRYPTION_KEY', 'MAIL_FROM', 'REQUIRE_HTTPS', 'SMTP_URL']);
    expect(stdout()).toBe('');
  });

  test('for a command with an embedded database in production', async () => {
    const env = { NODE_ENV: 'production', ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    const { code, stderr } = await run('src/cli.ts', ['company', 'list'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('- DATABASE_URL: required in production')]);
  });

  test('for a wrong database password', async () => {
    const url = new URL(database.url);
    url.password = 'wrong';
    const { ended, stderr } = start({ DATABASE_URL: url.href });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(/^the database refused the connection: /);
    expect(stderr()).not.toContain('wrong@');
  });

  test('for a port in use', async () => {
    const occupier = createServer();
    await new Promise<void>((listening) => occupier.listen(0, '127.0.0.1', listening));
    const { port } = occupier.address() as AddressInfo;
    const { ended, stdout, stderr } = start({ DATABASE_URL: database.url, METRICS_PORT: String(port) });
    expect(await ended).toBe(1);
    expect(stderr()).toBe(`port ${port} is in use; set METRICS_PORT to another one\n`);
    expect(stdout()).toBe('');
    await new Promise((closed) => occupier.close(closed));
  });

  test('for a host of another machine', async () => {
    const { ended, stderr } = start({ DATABASE_URL: database.url, METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' });
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(
      /^invalid configuration: METRICS_HOST must be an address of this machine, not 192\.0\.2\.1: .*\n$/,
    );
  });

  test('for an unknown role, and --help lists the known ones', async () => {
    const { ended, stderr } = start({ DATABASE_URL: database.url }, ['cook']);
    expect(await ended).toBe(1);
    expect(stderr()).toContain('there is no role "cook"');
    const help = start({}, ['--help']);
    expect(await help.ended).toBe(0);
    expect(help.stdout()).toContain('Usage:');
  });
});

describe('while running', () => {
  test('accepted unsafe settings are logged as warnings', async () => {
    const own = await testDatabase(); // its signing key is encrypted with another key
    const service = start({
      NODE_ENV: 'production',
      DATABASE_URL: own.url,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ACCEPT_UNSAFE_SETTINGS: 'BASE_URL,MAIL_FROM,SMTP_URL',
    });
    await service.ready();
    const warnings = service.lines().filter(({ msg }) => msg === 'unsafe setting accepted');
    expect(warnings.map(({ level, setting }) => [level, setting]).sort()).toEqual(
      ['BASE_URL', 'MAIL_FROM', 'SMTP_URL'].map((name) => ['warn', name]),
    );
    // Without TRUST_PROXY or a certificate, no request can be one over HTTPS.
    expect(service.lines()).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        msg: expect.stringMatching(/every request gets 403: set TRUST_PROXY .*TLS_CERT/),
      }),
    );
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await own.drop();
  });

  test('responds, logs one line per request without secrets, and exits with 0 on SIGTERM', async () => {
    const service = start({ DATABASE_URL: database.url });
    const baseUrl = await service.ready();
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
    const headers = { Authorization: 'Bearer very.secret.token', 'X-Request-Id': 'r-1' };
    await fetch(`${baseUrl}/v1/collaborators?search=private`, { headers });
    await fetch(`${baseUrl}/v1/collaborators/ana.secret@example.com/photos`, { headers: { 'X-Request-Id': 'r-2' } });
    service.child.kill('SIGTERM');
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

  test('a worker-only process listens on no port, runs its jobs, and exits with 0 on SIGTERM', async () => {
    const worker = start({ DATABASE_URL: database.url }, ['worker']);
    await eventually(() => expect(worker.lines().map(({ msg }) => msg)).toContain('ready'));
    expect(worker.lines().find(({ msg }) => msg === 'ready')).toMatchObject({ roles: ['worker'] });
    expect(worker.lines().find(({ msg }) => msg === 'ready')).not.toHaveProperty('base_url');
    await database.query("select graphile_worker.add_job('removeExpired')");
    await eventually(() => expect(worker.lines().map(({ msg }) => msg)).toContain('expired rows removed'));
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('with another ENCRYPTION_KEY, neither role starts', async () => {
    await start({ DATABASE_URL: database.url }).ready();
    for (const role of ['api', 'worker']) {
      const ENCRYPTION_KEY = Buffer.alloc(32, 9).toString('base64');
      const { ended, stderr } = start({ DATABASE_URL: database.url, ENCRYPTION_KEY }, [role]);
      expect(await ended).toBe(1);
      expect(stderr()).toMatch(/^signing key \S+ can't be decrypted: .* another ENCRYPTION_KEY: set that key\n$/);
    }
  });

  test('a request in flight completes before the process exits', async () => {
    const service = start({ DATABASE_URL: database.url });
    const baseUrl = await service.ready();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', expect: '100-continue' };
    const slow = request(`${baseUrl}/oauth/token`, { method: 'POST', headers });
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
  });

  test('a database restart causes 503 in between, without a restart of the service', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lost database '));
    let postgres = await startEmbedded(folder);
    const service = start({ DATABASE_URL: postgres.url });
    const baseUrl = await service.ready();
    const status = async (path: string) => (await fetch(`${baseUrl}${path}`)).status;
    expect(await status('/readyz')).toBe(200);
    await postgres.stop();
    expect(await status('/readyz')).toBe(503);
    expect(await status('/healthz')).toBe(200);
    expect(await status('/oauth/authorize?client_id=x')).toBe(503);
    // A well-formed token, so that its key has to be looked up.
    const header = Buffer.from('{"alg":"ES256","typ":"at+jwt","kid":"unknown"}').toString('base64url');
    const response = await fetch(`${baseUrl}/v1/collaborators`, {
      headers: { Authorization: `Bearer ${header}.e30.x` },
    });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toEqual({ error: 'service_unavailable', message: expect.any(String) });
    postgres = await startEmbedded(folder);
    await eventually(async () => expect(await status('/readyz')).toBe(200));
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });
});
