/** Finds or downloads the proxies that tests put in front of the service: `make proof NAME=proxies`. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const tools = process.env.TOOLS_CACHE || join(project, '.data/tools');

/** The latest patch release of the version in `compose.yaml`. */
export const caddyVersion = 'v2.10.2';
const caddyFolder = join(tools, `caddy-${caddyVersion}`);
const nginxFolder = join(tools, 'nginx');

export const shipped = {
  caddyfile: join(project, 'deploy/compose/Caddyfile'),
  nginx: join(project, 'deploy/nginx/collaborator-api.conf'),
};

/** The Caddy version in production, such as `2.10`. */
export async function caddyOfCompose(): Promise<string> {
  const compose = await readFile(join(project, 'compose.yaml'), 'utf8');
  const [, line] = /\$\{CADDY_IMAGE:-caddy:([\d.]+)\}/.exec(compose) ?? [];
  if (!line) throw new Error('compose.yaml has no Caddy image');
  return line;
}

/** @returns the Caddy command of the right version; undefined if it is not installed */
export async function findCaddy(): Promise<string | undefined> {
  for (const command of [join(caddyFolder, 'caddy'), 'caddy']) {
    // Caddy installed with Go reports an unknown version.
    const output = (await versionOf(command, ['version'])) + (await versionOf(command, ['build-info']));
    if (output.includes(`${caddyVersion} `) || output.includes(`${caddyVersion}\t`)) return command;
  }
  return undefined;
}

/**
 * Builds the Go module, which takes some minutes the first time. @returns undefined without Go, or if the module is unavailable
 */
export async function fetchCaddy(): Promise<string | undefined> {
  await mkdir(caddyFolder, { recursive: true });
  try {
    execFileSync('go', ['install', `github.com/caddyserver/caddy/v2/cmd/caddy@${caddyVersion}`], {
      env: { ...process.env, GOBIN: caddyFolder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch {
    return undefined;
  }
  return findCaddy();
}

/** @returns the command and its version; undefined if it is not installed */
export async function findNginx(): Promise<{ command: string; version: string } | undefined> {
  for (const command of ['nginx', '/usr/sbin/nginx', join(nginxFolder, 'usr/sbin/nginx')]) {
    const [, version] = /nginx version: nginx\/(\S+)/.exec(await versionOf(command, ['-v'])) ?? [];
    if (version) return { command, version };
  }
  return undefined;
}

/** Unpacks Debian's package without installing or starting it. @returns undefined if that is unavailable */
export async function fetchNginx(): Promise<{ command: string; version: string } | undefined> {
  await mkdir(nginxFolder, { recursive: true });
  const options = { cwd: nginxFolder, stdio: 'ignore' } as const;
  try {
    execFileSync('apt-get', ['download', 'nginx'], options);
    for (const file of await readdir(nginxFolder)) {
      if (file.endsWith('.deb')) execFileSync('dpkg', ['-x', file, '.'], options);
    }
  } catch {
    return undefined;
  }
  return findNginx();
}

async function versionOf(command: string, args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(command, args).catch(() => ({ stdout: '', stderr: '' }));
  return stdout + stderr;
}
