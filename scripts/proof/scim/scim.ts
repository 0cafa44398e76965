// Tests SCIM with a third-party tester, and pushes PEOPLE=10000 twice over five connections: `make proof NAME=scim`. Downloads
// (scim2-tester, with pip) are kept in .data/tools, or TOOLS_CACHE.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exit } from '../../../src/platform/process/exit.ts';
import { accounts } from '../../run/demo/demo-company.ts';
import { withFreshService } from '../../run/fresh-service.ts';
import { signIn } from '../../run/sign-in.ts';
import { cache } from '../sdk-check/client.ts';
import { pushTwice } from './push.ts';

const tools = ['scim2-tester==0.5.2', 'scim2-client==0.13.2', 'scim2-models==0.12.3', 'httpx2==2.16.2'];
const people = Number(process.env.PEOPLE ?? 10_000);
const program = fileURLToPath(new URL('check_server.py', import.meta.url));

await withFreshService(process.env, 'scim', async ({ base_url: baseUrl, client_id: clientId, password }) => {
  const scope = 'profile directories:manage';
  const credentials = { base_url: baseUrl, client_id: clientId, email: accounts.admin, password, scope };
  const { access_token: token } = await signIn(credentials);
  const tester = await connect(baseUrl, token, 'Tester');
  const isClean = await checkServer(tester.scim_url, tester.token);
  const provider = await connect(baseUrl, token, 'Ten thousand');
  const isSteady = people === 0 || (await pushTwice(provider.scim_url, provider.token, people));
  process.exitCode = isClean && isSteady ? 0 : 1;
});
exit();

interface Directory {
  scim_url: string;
  token: string;
}

async function connect(baseUrl: string, token: string, name: string): Promise<Directory> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const known = (await (await fetch(`${baseUrl}/auth/user`, { headers })).json()) as { companies: { id: string }[] };
  const ofCompany = { ...headers, 'x-company-id': known.companies[0]!.id };
  const body = JSON.stringify({ name });
  const response = await fetch(`${baseUrl}/v1/directories`, { method: 'POST', headers: ofCompany, body });
  if (response.status !== 201) throw new Error(`no directory: ${response.status} ${await response.text()}`);
  return (await response.json()) as Directory;
}

async function checkServer(url: string, token: string): Promise<boolean> {
  const python = join(cache, 'scim/bin/python');
  if (!existsSync(python)) {
    await run('python3', ['-m', 'venv', join(cache, 'scim')]);
    await run(python, ['-m', 'pip', 'install', '--quiet', ...tools]);
  }
  const [code] = await once(spawn(python, [program, url, token], { stdio: 'inherit' }), 'close');
  return code === 0;
}

async function run(command: string, args: string[]): Promise<void> {
  const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'close');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}
