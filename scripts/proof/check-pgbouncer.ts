// Runs tests through pgbouncer in transaction mode: `make proof NAME=pgbouncer [TESTS=test/api/operations]`.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CliError } from '../../packages/cli/src/terminal/failure.ts';
import { interruptible } from '../../packages/cli/src/terminal/interrupt.ts';
import { exit } from '../../src/platform/process/exit.ts';
import { applicationRole } from '../../src/platform/schema/privileges.ts';
import { freePort } from '../../test/helpers/network/free-port.ts';
import { ownPostgres } from '../run/own-postgres.ts';
import { runJest } from './run-jest.ts';

const tests =
  process.argv.length > 2
    ? process.argv.slice(2)
    : ['test/api/operations', 'test/system/db/snapshot', 'test/system/main'];
const binary = process.env.PGBOUNCER ?? 'pgbouncer';

try {
  console.log(execFileSync(binary, ['--version'], { encoding: 'utf8' }).split('\n')[0]);
} catch {
  console.error(`${binary} is not installed; install it (apt-get install pgbouncer), or set PGBOUNCER to its path`);
  exit(1);
}

const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
const postgres = await ownPostgres(join(folder, 'postgres'), { fsync: 'off', synchronous_commit: 'off' });
const password = randomBytes(12).toString('hex');
const port = await freePort();
const pgbouncer = await startPooler(port);
try {
  await letLogIn(applicationRole);
  await listening(port);
  const env = {
    ...process.env,
    DATABASE_URL: postgres.url,
    TEST_POOLER: `postgres://${applicationRole}:${password}@127.0.0.1:${port}`,
  };
  process.exitCode = await interruptible((signal) => runJest(tests, { env, prints: true, signal }));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = error instanceof CliError ? error.exitCode : 1;
} finally {
  pgbouncer.kill('SIGINT');
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Behind a pooler, the service rejects a superuser. Tests grant this role the application's privileges. */
async function letLogIn(role: string): Promise<void> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`create role ${role} login password '${password}'`);
  await client.end();
}

/** Only four connections per database, so that clients do switch between them. */
async function startPooler(port: number) {
  const { hostname, port: serverPort } = new URL(postgres.url);
  const file = join(folder, 'pgbouncer.ini');
  const limits = "set statement_timeout = '15s'; set idle_in_transaction_session_timeout = '15s'";
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${applicationRole} password=${password} connect_query='${limits.replaceAll("'", "''")}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
server_login_retry = 1
max_client_conn = 1000
ignore_startup_parameters = extra_float_digits
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
`,
  );
  await chmod(folder, 0o755);
  await chmod(file, 0o644);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  return spawn(binary, ['-q', ...user, file], { stdio: ['ignore', 'inherit', 'inherit'] });
}

async function listening(port: number): Promise<void> {
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; await sleep(50)) {
    const accepted = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false));
      socket.once('connect', () => socket.end());
    });
    if (accepted) return;
  }
  throw new Error('pgbouncer is not listening');
}
