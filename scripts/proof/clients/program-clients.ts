/** Client libraries: a short program for each, which prints the authorization URL and reads the redirect URL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { project, run } from '../sdk-check/client.ts';
import type { OAuthClient, World } from './client.ts';

const here = join(project, 'scripts/proof/clients');
const redirectUri = 'http://127.0.0.1:8765/callback';
const maxMs = 60_000;

export const requestsOauthlib: OAuthClient = pythonClient('requests-oauthlib', 'requests-oauthlib', '2.0.0', []);

export const authlib: OAuthClient = pythonClient('authlib', 'Authlib', '1.9.10', ['requests==2.34.2']);

function pythonClient(name: string, title: string, version: string, others: string[]): OAuthClient {
  return {
    name,
    generator: `${title} ${version} (Python)`,
    needs: ['python3'],
    async install(tools) {
      await run('python3', ['-m', 'venv', 'venv'], { cwd: tools });
      await run('venv/bin/pip', ['install', '-q', `${title}==${version}`, ...others], { cwd: tools });
    },
    check: (world, tools) =>
      signedIn(world, title, join(tools, 'venv/bin/python'), [join(here, `sign_in_${name.replace('-', '_')}.py`)]),
  };
}

const goVersion = 'v0.38.0';

export const goOauth2: OAuthClient = {
  name: 'go-oauth2',
  generator: `golang.org/x/oauth2 ${goVersion} (Go)`,
  needs: ['go'],
  async install(tools) {
    await run('cp', [join(here, 'go-oauth2.go'), join(tools, 'main.go')], { cwd: tools });
    await run('go', ['mod', 'init', 'example.com/client'], { cwd: tools });
    await run('go', ['get', `golang.org/x/oauth2@${goVersion}`], { cwd: tools });
    await run('go', ['build', '-o', 'client', '.'], { cwd: tools });
  },
  check: (world, tools) => signedIn(world, 'x/oauth2', join(tools, 'client'), []),
};

/**
 * Signs in twice: as a user, then as an installation of the app, which also requests a token with `client_credentials`.
 * @returns the program's other output lines
 */
async function signedIn(world: World, title: string, program: string, args: string[]): Promise<string[]> {
  const app = await world.addApp(title, redirectUri);
  const child = spawn(program, args, {
    env: {
      ...process.env,
      BASE_URL: world.base_url,
      CLIENT_ID: app.id,
      CLIENT_SECRET: app.secret,
      REDIRECT_URI: redirectUri,
      OAUTHLIB_INSECURE_TRANSPORT: '1', // the service has no TLS here
    },
    timeout: maxMs,
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close');
  const output: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^open (\S+)$/.exec(line) ?? [];
    if (url) child.stdin.write(`${redirectUri}?${await world.walk(new URL(url))}\n`);
    else output.push(line);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(errors.trim().slice(-600));
  const expected = [`signed in as ${world.email}`, 'refreshed', 'token without a person'];
  const missingLines = expected.filter((line) => !output.includes(line));
  if (missingLines.length > 0)
    throw new Error(`its output lacks ${missingLines.join(', ')}; it printed: ${output.join(', ')}`);
  return output;
}
