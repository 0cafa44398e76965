// Signs in and gets tokens with third-party OAuth and OpenID Connect clients, configured by their own documentation, against a
// new service: `make proof NAME=clients`. Downloads are kept in .data/tools, or TOOLS_CACHE.
//
//   node scripts/proof/clients/clients.ts [name …]
import { join } from 'node:path';
import { accounts } from '../../run/demo/demo-company.ts';
import { withFreshService } from '../../run/fresh-service.ts';
import { signIn, walkPages } from '../../run/sign-in.ts';
import { cache, missing, needsCommand } from '../sdk-check/client.ts';
import { install } from '../sdk-check/install.ts';
import { authJs, oauth2Proxy } from './browser-clients.ts';
import type { OAuthClient, World } from './client.ts';
import { inspector } from './inspector.ts';
import { authlib, goOauth2, requestsOauthlib } from './program-clients.ts';

const all: OAuthClient[] = [requestsOauthlib, authlib, goOauth2, authJs, oauth2Proxy, inspector];
const names = process.argv.slice(2);
const selected = all.filter(({ name }) => names.length === 0 || names.includes(name));

await withFreshService(process.env, 'clients', async (service) => {
  const person = { email: accounts.admin, password: service.password };
  const { access_token: token } = await signIn({ ...person, base_url: service.base_url, client_id: service.client_id });
  const world: World = {
    base_url: service.base_url,
    email: person.email,
    token,
    addApp: (name, redirectUri) => addApp(service.base_url, token, name, redirectUri),
    walk: (url) => walkPages(url, person),
  };
  let failed = 0;
  for (const client of selected) {
    const missingTool = await missing({ needs: client.needs.map(needsCommand) });
    const result = missingTool ? `left out: this machine has no ${missingTool}` : await tryClient(client, world);
    if (!missingTool && !result.startsWith('works')) failed += 1;
    console.log(`${client.generator.padEnd(40)} ${result}`);
  }
  console.log(`${selected.length - failed} of ${selected.length} passed.`);
  process.exitCode = failed === 0 ? 0 : 1;
});

async function tryClient(client: OAuthClient, world: World): Promise<string> {
  const tools = join(cache, 'clients', client.name);
  try {
    await install(client, tools);
    return `works: ${(await client.check(world, tools)).join('; ')}`;
  } catch (error) {
    return `FAILED: ${(error as Error).message}`;
  }
}

async function addApp(baseUrl: string, token: string, name: string, redirectUri: string) {
  const userResponse = await fetch(`${baseUrl}/auth/user`, { headers: { Authorization: `Bearer ${token}` } });
  const { companies } = (await userResponse.json()) as { companies: { id: string }[] };
  const response = await fetch(`${baseUrl}/v1/apps`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'X-Company-Id': companies[0]!.id,
    },
    body: JSON.stringify({ name, kind: 'confidential', redirect_uris: [redirectUri] }),
  });
  if (response.status !== 201) throw new Error(`no app: ${response.status} ${await response.text()}`);
  const { client_id: id, client_secret: secret } = (await response.json()) as Record<string, string>;
  return { id: id!, secret: secret! };
}
