// Starts servers under test as deployed, each in its own process, and stops them by process id, at the latest when this one ends.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeExit } from '../../run/before-exit.ts';

const children = new Map<string, ChildProcess>();
/** They are local only, and send no email. */
const ACCEPT_UNSAFE_SETTINGS = 'BASE_URL,MAIL_FROM,REQUIRE_HTTPS,SMTP_URL,WEBHOOK_ALLOW_PRIVATE';

/** Limits that would reject the load. */
const unlimited = Object.fromEntries(
  ['REQUESTS', 'WRITES', 'UPLOADS', 'HEAVY'].map((name) => [`RATE_LIMIT_${name}_PER_MIN`, '1000000000']),
);

/** @returns the base URL from the first output line that has one; an opaque name for a worker */
export async function startServer(args: string[], env: Record<string, string>): Promise<string> {
  const ENCRYPTION_KEY = randomBytes(32).toString('base64');
  const settings = { ENCRYPTION_KEY, REQUIRE_HTTPS: 'false', PORT: '0', ACCEPT_UNSAFE_SETTINGS, ...unlimited, ...env };
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const unready = String(child.pid);
  track(unready, child);
  for await (const line of createInterface({ input: child.stdout })) {
    const baseUrl = /"base_url":"([^"]+)"/.exec(line)?.[1] ?? (/"msg":"ready"/.test(line) ? unready : undefined);
    if (!baseUrl) continue;
    children.delete(unready);
    children.set(baseUrl, child);
    child.stdout.resume(); // read and discard the logs, as a log collector would read them
    return baseUrl;
  }
  throw new Error(`${args.join(' ')} did not start`);
}

/** Starts a program without waiting until it is ready. @returns the name of its process */
export function startProgram(path: string, args: readonly string[], env: Record<string, string>): string {
  const child = spawn(path, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  const name = String(child.pid);
  track(name, child);
  return name;
}

function track(name: string, child: ChildProcess): void {
  children.set(name, child);
  beforeExit(stopServers);
}

export function startWorkerProcess(env: Record<string, string>): string {
  const settings = { NODE_ENV: 'production', ...deployed(), REQUIRE_HTTPS: 'false', ACCEPT_UNSAFE_SETTINGS, ...env };
  return startProgram(process.execPath, ['src/main.ts', 'worker'], settings);
}

/** Memory settings and compiled code of the deployment, from the Dockerfile. */
export function deployed(): Record<string, string> {
  const variables = dockerfile.matchAll(/\b(NODE_OPTIONS|MALLOC_\w+)=(\S+)/g);
  return withCompiledCode(Object.fromEntries([...variables].map(([, name, value]) => [name!, value!])));
}

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compiled = new Map<string, string>();

/** Adds code compiled with these settings. Without it, processes also keep Node's library that removes types. */
export function withCompiledCode(settings: Record<string, string>): Record<string, string> {
  const { NODE_OPTIONS = '' } = settings;
  const NODE_COMPILE_CACHE = compiled.get(NODE_OPTIONS) ?? compile(settings);
  compiled.set(NODE_OPTIONS, NODE_COMPILE_CACHE);
  return { ...settings, NODE_COMPILE_CACHE };
}

/** Loads all modules of the service and of the benchmarks' own servers. @returns the folder of the compiled code */
function compile(settings: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'collaborator-api-compiled-'));
  beforeExit(() => rmSync(folder, { recursive: true, force: true }));
  const [, ofService] = /--input-type=module\W+-e "(.+)"/.exec(dockerfile)!;
  const peers = ['bare', 'express-validator', 'fastify', 'profiled', 'receiver', 'watched'];
  const own = peers.map((name) => `await import('./scripts/bench/peers/${name}.ts');`);
  const text = `${ofService}; ${own.join(' ')} process.exit();`;
  const { PATH } = process.env;
  const servers = { ISSUER: 'http://127.0.0.1', PROFILE_PORT: '0', WATCH_PORT: '0' };
  const env = { ...settings, ...servers, PATH, NODE_ENV: 'production', NODE_COMPILE_CACHE: folder };
  execFileSync(process.execPath, ['--input-type=module', '-e', text], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}

export function stopServers(): void {
  for (const child of children.values()) child.kill('SIGKILL');
  children.clear();
}

/** Kills it with SIGKILL. @param baseUrl returned by `startServer` */
export function stopServer(baseUrl: string): void {
  children.get(baseUrl)?.kill('SIGKILL');
  children.delete(baseUrl);
}

/** Shuts it down gracefully, as an orchestrator does. */
export async function endServer(baseUrl: string): Promise<void> {
  const child = children.get(baseUrl)!;
  children.delete(baseUrl);
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** CPU time of a server so far, in microseconds; undefined where unavailable (Linux only). */
export function cpuTime(baseUrl: string): number | undefined {
  const path = `/proc/${children.get(baseUrl)!.pid}/stat`;
  if (!existsSync(path)) return undefined;
  const fields = readFileSync(path, 'latin1').split(') ').at(-1)!.split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]); // utime and stime, in ticks of 10 ms
  return ticks * 10_000;
}

/** Resets `peakMemory`: see proc(5) on clear_refs. */
export function resetPeakMemory(baseUrl: string): void {
  const path = `/proc/${children.get(baseUrl)!.pid}/clear_refs`;
  if (existsSync(path)) writeFileSync(path, '5');
}

/** Peak memory of a server, in MB; undefined where unavailable. */
export function peakMemory(baseUrl: string): number | undefined {
  return memoryOf(baseUrl, /VmHWM:\s+(\d+)/);
}

/** Current memory of a server, in MB; undefined where unavailable. */
export function memory(baseUrl: string): number | undefined {
  return memoryOf(baseUrl, /VmRSS:\s+(\d+)/);
}

function memoryOf(baseUrl: string, line: RegExp): number | undefined {
  const path = `/proc/${children.get(baseUrl)!.pid}/status`;
  if (!existsSync(path)) return undefined;
  return Math.round(Number(line.exec(readFileSync(path, 'latin1'))![1]) / 1024);
}
