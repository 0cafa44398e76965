// Runs the workflows of openapi/workflows.arazzo.yaml against a new service. Exits with 0 only if all succeed.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exit } from '../../src/platform/process/exit.ts';
import { accounts } from '../run/demo/demo-company.ts';
import { withFreshService } from '../run/fresh-service.ts';
import { signIn } from '../run/sign-in.ts';
import { project } from './sdk-check/client.ts';

const redocly = join(project, 'node_modules/@redocly/cli/bin/cli.js');
const executionTimeoutMs = 120_000;

/** Called by other workflows, which provide its inputs. */
const skipped = ['read-rest'];

await withFreshService(process.env, 'workflows', async ({ base_url: baseUrl, client_id: clientId, password }) => {
  const { access_token: accessToken } = await signIn({
    base_url: baseUrl,
    client_id: clientId,
    email: accounts.admin,
    password,
  });
  const app = await allowedApp(baseUrl, accessToken, { email: accounts.admin, password });
  const receiver = createServer((_req, res) => res.writeHead(204).end());
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
  const input = JSON.stringify({
    access_token: accessToken,
    receiver_url: receiverUrl,
    run_id: randomBytes(4).toString('hex'),
    ...app,
  });
  const args = ['respect', 'openapi/workflows.arazzo.yaml', '--server', `api=${baseUrl}`, '--input', input];
  args.push('--execution-timeout', String(executionTimeoutMs), ...skipped.flatMap((name) => ['--skip', name]));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const respect = spawn(process.execPath, [redocly, ...args], { cwd: project, env, stdio: 'inherit' });
  [process.exitCode] = await once(respect, 'close');
  receiver.closeAllConnections();
  receiver.close();
});
exit();

/** A company app that a user has connected, which requires a browser sign-in. */
async function allowedApp(baseUrl: string, token: string, credentials: { email: string; password: string }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { companies } = (await (await fetch(`${baseUrl}/auth/user`, { headers })).json()) as {
    companies: { id: string }[];
  };
  const body = JSON.stringify({ name: 'Door tablet', kind: 'public', redirect_uris: ['http://127.0.0.1/callback'] });
  const ofCompany = { ...headers, 'x-company-id': companies[0]!.id };
  const response = await fetch(`${baseUrl}/v1/apps`, { method: 'POST', headers: ofCompany, body });
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  const { access_token: accessToken } = await signIn({
    base_url: baseUrl,
    client_id: clientId,
    scope: 'profile collaborators:read',
    ...credentials,
  });
  return { app_client_id: clientId, app_access_token: accessToken };
}
