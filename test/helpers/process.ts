/** Runs the service as a separate process, as operators do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { poolerSettings } from './database/pooler.ts';
import { testSettings } from './settings.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const children: ChildProcess[] = [];
const folders = new Set<string>();

/** Runs main.ts with exactly these settings. @param root the sources to start, if not this checkout's */
export function startProcess(settings: Record<string, string>, args = ['api'], root = checkout) {
  const { PATH, NODE_COMPILE_CACHE } = process.env; // the compile cache saves a third of the startup time
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    ...testSettings,
    LOG_LEVEL: 'info',
    PORT: '0',
    DATA_DIR: folderOf(settings.DATABASE_URL),
    ...settings,
    ...poolerSettings(settings.DATABASE_URL),
  };
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), ...args], { env });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const lines = () =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const ready = async (withinMs = 240_000): Promise<string> => {
    for (const deadline = Date.now() + withinMs; Date.now() < deadline; await sleep(20)) {
      const line = lines().find(({ msg }) => msg === 'ready');
      if (line) return line.base_url;
      if (child.exitCode !== null) break;
    }
    throw new Error(`not ready: ${err}`);
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { child, ended, ready, lines, kill, stdout: () => out, stderr: () => err };
}

function folderOf(databaseUrl = ''): string {
  const folder = join(tmpdir(), `collaborator-api-test-${process.pid}-${databaseUrl.replace(/^.*\//, '')}`);
  folders.add(folder);
  return folder;
}

export function killProcesses(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
