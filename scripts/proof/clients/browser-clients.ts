/** Server-side clients that a browser signs in to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../test/helpers/network/free-port.ts';
import { project, run } from '../sdk-check/client.ts';
import type { OAuthClient, World } from './client.ts';

const maxStartMs = 20_000;

/** A minimal browser for one site, with cookies. */
function createVisitor(site: string) {
  const cookies = new Map<string, string>();
  return async (path: string, form?: Record<string, string>) => {
    const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; '), origin: site };
    const body = form ? new URLSearchParams(form) : null;
    const response = await fetch(new URL(path, site), {
      method: form ? 'POST' : 'GET',
      headers,
      body,
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
  };
}

/** From the client's redirect to our sign-in and back. */
async function completeRedirect(
  world: World,
  visit: ReturnType<typeof createVisitor>,
  location: string,
): Promise<void> {
  const url = new URL(location);
  const callback = await visit(`${url.searchParams.get('redirect_uri')}?${await world.walk(url)}`);
  if (callback.status !== 302)
    throw new Error(`it rejected its callback: ${callback.status} ${callback.text.slice(0, 400)}`);
}

/** Echoes the email header of the request. */
async function startUpstream(): Promise<Server> {
  const server = createServer((req, res) => res.end(req.headers['x-forwarded-email'] ?? 'nobody'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Runs a server during `work`. */
async function withServer<T>(command: string, args: string[], url: string, work: () => Promise<T>): Promise<T> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const ended = once(child, 'close');
  try {
    for (const endMs = performance.now() + maxStartMs; ; await sleep(100)) {
      if (await fetch(url, { redirect: 'manual' }).catch(() => undefined)) break;
      if (child.exitCode !== null || performance.now() > endMs) throw new Error('it did not start');
    }
    return await work();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${output.slice(-1_500)}`);
  } finally {
    child.kill();
    await ended;
  }
}

const proxyVersion = 'v7.15.6';

export const oauth2Proxy: OAuthClient = {
  name: 'oauth2-proxy',
  generator: `oauth2-proxy ${proxyVersion}`,
  needs: ['go'],
  async install(tools) {
    await run('go', ['mod', 'init', 'example.com/client'], { cwd: tools });
    await run('go', ['get', '-tool', `github.com/oauth2-proxy/oauth2-proxy/v7@${proxyVersion}`], { cwd: tools });
    await run('go', ['build', '-o', 'oauth2-proxy', 'github.com/oauth2-proxy/oauth2-proxy/v7'], { cwd: tools });
  },
  async check(world, tools) {
    const [upstream, port] = [await startUpstream(), await freePort()];
    const site = `http://127.0.0.1:${port}`;
    const app = await world.addApp('oauth2-proxy', `${site}/oauth2/callback`);
    const settings = {
      provider: 'oidc',
      'oidc-issuer-url': world.base_url,
      'client-id': app.id,
      'client-secret': app.secret,
      'code-challenge-method': 'S256',
      'redirect-url': `${site}/oauth2/callback`,
      'http-address': `127.0.0.1:${port}`,
      upstream: `http://127.0.0.1:${portOf(upstream)}/`,
      'email-domain': '*',
      'cookie-secret': 'a'.repeat(32),
      'cookie-secure': 'false', // no TLS here
      'insecure-oidc-allow-unverified-email': 'true', // emails of the demo company are unverified
    };
    const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    try {
      return await withServer(join(tools, 'oauth2-proxy'), args, `${site}/ping`, async () => {
        const visit = createVisitor(site);
        await completeRedirect(world, visit, (await visit('/oauth2/start?rd=/')).location);
        const { text } = await visit('/');
        if (text !== world.email) throw new Error(`the response is ${text}`);
        return [`signed in as ${text}`];
      });
    } finally {
      upstream.close();
    }
  },
};

const authJsVersion = '0.41.3';

export const authJs: OAuthClient = {
  name: 'auth-js',
  generator: `Auth.js (@auth/core) ${authJsVersion}`,
  needs: ['npm'],
  async install(tools) {
    await run('npm', ['init', '-y'], { cwd: tools });
    await run('npm', ['install', '--no-audit', '--no-fund', `@auth/core@${authJsVersion}`], { cwd: tools });
    await run('cp', [join(project, 'scripts/proof/clients/auth-js.mjs'), 'server.mjs'], { cwd: tools });
  },
  async check(world, tools) {
    const port = await freePort();
    const site = `http://127.0.0.1:${port}`;
    const app = await world.addApp('Auth.js', `${site}/auth/callback/ours`);
    const args = [join(tools, 'server.mjs'), String(port), world.base_url, app.id, app.secret];
    return withServer(process.execPath, args, `${site}/auth/csrf`, async () => {
      const visit = createVisitor(site);
      const { csrfToken } = JSON.parse((await visit('/auth/csrf')).text);
      await completeRedirect(world, visit, (await visit('/auth/signin/ours', { csrfToken })).location);
      const { user } = JSON.parse((await visit('/auth/session')).text) ?? {};
      if (user?.email !== world.email) throw new Error(`the session belongs to ${JSON.stringify(user)}`);
      return [`signed in as ${user.email}`];
    });
  },
};
