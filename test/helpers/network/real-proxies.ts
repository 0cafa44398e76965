/** Runs Caddy and nginx with the configuration that ships with the service, except for addresses and names. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCaddy, findNginx, shipped } from '../../../scripts/proof/proxies/proxies.ts';
import { eventually } from '../eventually.ts';
import { certificateAuthority } from './certificate.ts';
import { freePort } from './free-port.ts';

export interface RealProxy {
  ca: string;
  close(): Promise<void>;
}

/** Not `localhost`, which the console's client can't redirect to. For a name with this suffix, Caddy asks no public CA. */
export const proxiedHost = 'people.internal';

/** Connects clients by address, because DNS doesn't know the host. */
const connectionTo = (port: number) => ({
  host: '127.0.0.1',
  port,
  servername: proxiedHost,
  headers: { Host: `${proxiedHost}:${port}` },
});

/** The same, as a DNS lookup function. */
export const lookupProxy: LookupFunction = (_name, options, done) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

export type ProxyName = 'caddy' | 'nginx';

interface ProxyPorts {
  port: number;
  servicePort: number;
}

export function startRealProxy(name: ProxyName, settings: ProxyPorts): Promise<RealProxy> {
  return name === 'caddy' ? startCaddy(settings) : startNginx(settings);
}

/** Uses Caddy's internal CA, as for any name that isn't public. */
async function startCaddy({ port, servicePort }: ProxyPorts): Promise<RealProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'caddy-'));
  const site = withReplacements(await readFile(shipped.caddyfile, 'utf8'), [
    ['api-1:8080 api-2:8080', `127.0.0.1:${servicePort}`],
  ]);
  // Keep Caddy from redirecting port 80, and from adding its CA to the machine's trust store.
  const own = `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${await freePort()}\n}\n`;
  await writeFile(join(folder, 'Caddyfile'), own + site);
  const env = { ...process.env, DOMAIN: `${proxiedHost}:${port}`, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  const child = run((await findCaddy())!, args, env);
  const root = join(folder, 'caddy/pki/authorities/local/root.crt');
  return waitUntilReady(child, folder, port, () => readFile(root, 'utf8'));
}

async function startNginx({ port, servicePort }: ProxyPorts): Promise<RealProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
  const { ca, issue } = certificateAuthority();
  const { cert, key } = issue({ hosts: [proxiedHost] });
  const plainPort = await freePort();
  const site = withReplacements(await readFile(shipped.nginx, 'utf8'), [
    ['server 127.0.0.1:8080 ', `server 127.0.0.1:${servicePort} `],
    ['server 127.0.0.1:8081 ', `server 127.0.0.1:${servicePort} `],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    ['server_name people.example.com;', `server_name ${proxiedHost};`],
    ['/etc/nginx/tls/people.example.com.pem', join(folder, 'cert.pem')],
    ['/etc/nginx/tls/people.example.com.key', join(folder, 'key.pem')],
    ['proxy_set_header Host $host;', `proxy_set_header Host $host:${port};`],
  ]);
  const own = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `pid ${folder}/nginx.pid;`,
    'daemon off;',
    'error_log stderr;',
    'events {}',
    'http {',
    'access_log off;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`),
    site,
    '}',
  ];
  await Promise.all([
    writeFile(join(folder, 'cert.pem'), cert),
    writeFile(join(folder, 'key.pem'), key),
    writeFile(join(folder, 'nginx.conf'), own.join('\n')),
  ]);
  const { command } = (await findNginx())!;
  const child = run(command, ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], process.env);
  return waitUntilReady(child, folder, port, async () => ca);
}

/** @throws if the shipped configuration no longer contains one of the texts to replace */
function withReplacements(text: string, settings: [string, string][]): string {
  return settings.reduce((changed, [original, value]) => {
    if (!changed.includes(original)) throw new Error(`the shipped configuration does not say ${original}`);
    return changed.replaceAll(original, value);
  }, text);
}

type Child = ChildProcess & { output(): string };

function run(command: string, args: string[], env: NodeJS.ProcessEnv): Child {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr!.on('data', (text) => (output = (output + text).slice(-10_000)));
  return Object.assign(child, { output: () => output });
}

/** Waits until the proxy responds. */
async function waitUntilReady(
  child: Child,
  folder: string,
  port: number,
  readCa: () => Promise<string>,
): Promise<RealProxy> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ca = await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the proxy has ended: ${child.output()}`);
    const ca = await readCa();
    await new Promise<void>((resolve, reject) => {
      const probe = request({ ...connectionTo(port), path: '/healthz', ca, agent: false }, (response) => {
        response.resume();
        if (response.statusCode === 200) resolve();
        else reject(new Error(`the proxy responds with ${response.statusCode}: ${child.output()}`));
      });
      probe.once('error', reject).end();
    });
    return ca;
  });
  return {
    ca,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
