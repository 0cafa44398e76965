/** Startup in the test's process: the one line for each reason to refuse, and warnings. */
import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { type Logger, pino } from 'pino';
import { readConfig } from '../src/platform/config/config.ts';
import { startProblem } from '../src/platform/process/start-problem.ts';
import { type ServiceRole, startService } from '../src/service.ts';
import { type TestDatabase, testDatabase } from './helpers/database/database.ts';
import { testLog } from './helpers/log.ts';
import { testSettings } from './helpers/settings.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

function start(settings: Record<string, string>, role: ServiceRole = 'api', log: Logger = testLog()) {
  const config = readConfig({ ...testSettings, PORT: '0', DATABASE_URL: database.url, ...settings });
  return startService(config, { roles: [role], log });
}

const problem = (settings: Record<string, string>, role?: ServiceRole) =>
  start(settings, role).then(() => 'started', startProblem);

test('refuses to start without a database', async () => {
  const url = 'postgres://x:y@127.0.0.1:1/z';
  expect(await problem({ DATABASE_URL: url })).toMatch(/^the database can't be reached: .*ECONNREFUSED/);
});

test('refuses to start with a wrong database password', async () => {
  const url = new URL(database.url);
  url.password = 'wrong';
  const line = await problem({ DATABASE_URL: url.href });
  expect(line).toMatch(/^the database refused the connection: /);
  expect(line).not.toContain('wrong@');
});

test('refuses to start with a port in use or an address of another machine', async () => {
  const occupier = createServer();
  await new Promise<void>((listening) => occupier.listen(0, '127.0.0.1', listening));
  const { port } = occupier.address() as AddressInfo;
  expect(await problem({ METRICS_PORT: String(port) })).toBe(`port ${port} is in use; set METRICS_PORT to another one`);
  await new Promise((closed) => occupier.close(closed));
  expect(await problem({ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' })).toMatch(
    /^invalid configuration: METRICS_HOST must be an address of this machine, not 192\.0\.2\.1: .*$/,
  );
});

test('neither role starts with another ENCRYPTION_KEY', async () => {
  await (await start({})).stop();
  for (const role of ['api', 'worker'] as const) {
    expect(await problem({ ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') }, role)).toMatch(
      /^signing key \S+ can't be decrypted: .* another ENCRYPTION_KEY: set that key$/,
    );
  }
});

test('accepted unsafe settings and unknown ones are logged as warnings', async () => {
  const own = await testDatabase(); // its signing key is encrypted with another key
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { formatters: { level: (level) => ({ level }) } },
    { write: (line) => lines.push(JSON.parse(line)) },
  );
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: own.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ACCEPT_UNSAFE_SETTINGS: 'BASE_URL,MAIL_FROM,SMTP_URL',
    WORKER_CONCURENCY: '20',
  };
  await (await start(settings, 'api', log)).stop();
  const warnings = lines.filter(({ msg }) => msg === 'unsafe setting accepted');
  expect(warnings.map(({ level, setting }) => [level, setting]).sort()).toEqual(
    ['BASE_URL', 'MAIL_FROM', 'SMTP_URL'].map((name) => ['warn', name]),
  );
  const unknown = { level: 'warn', setting: 'WORKER_CONCURENCY', similar: 'WORKER_CONCURRENCY' };
  expect(lines).toContainEqual(expect.objectContaining({ ...unknown, msg: 'unknown setting ignored' }));
  // Without TRUST_PROXY or a certificate, no request can be one over HTTPS.
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      msg: expect.stringMatching(/every request gets 403: set TRUST_PROXY .*TLS_CERT/),
    }),
  );
  await own.drop();
});
