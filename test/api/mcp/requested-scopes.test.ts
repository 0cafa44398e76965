/** The scopes that the official client requests by itself: those in the metadata of `/mcp`. */
import { tools } from '../../../src/api/mcp/tools.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { assistantRedirectUri, connectAssistant } from '../../helpers/identity/assistant.ts';
import { authorizationUrl, createBrowser, newVerifier } from '../../helpers/identity/oauth.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.admin.put('/v1/company', { policy: { assistants: 'write' } }).expect(200);
});
afterAll(() => app.close());

async function register(scopes: string[] | null): Promise<string> {
  const registration = { name: 'Helper', kind: 'public', redirect_uris: [assistantRedirectUri], scopes };
  return (await app.admin.post('/v1/apps', registration).expect(201)).body.client_id;
}

test('are those of the tools, and to stay connected', async () => {
  const { client, tokens } = await connectAssistant(app, undefined, { client_id: await register(null) });
  const scopes = new Set(['offline_access', ...tools.flatMap((tool) => tool.scopes)]);
  expect(new Set(tokens.scope.split(' '))).toEqual(scopes);
  expect((await client.listTools()).tools).toHaveLength(tools.length);
});

test('are reduced to those of the app', async () => {
  const clientId = await register(['collaborators:read', 'salary:read', 'offline_access']);
  const { client, tokens } = await connectAssistant(app, undefined, { client_id: clientId });
  expect(tokens.scope.split(' ').sort()).toEqual(['collaborators:read', 'offline_access']);
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('update_person');
});

test.each([
  ['a scope that does not exist', 'collaborators:read admin', '/mcp'],
  ['a scope that the app may not have, for another resource', 'collaborators:read salary:read', ''],
  ['nothing that the app may have', 'salary:read', '/mcp'],
])('are refused: %s', async (_name, scope, path) => {
  const request = { base_url: app.base_url, redirect_uri: assistantRedirectUri, verifier: newVerifier() };
  const clientId = await register(['collaborators:read']);
  const url = new URL(authorizationUrl({ ...request, client_id: clientId, scopes: scope.split(' ') }));
  url.searchParams.set('resource', app.base_url + path);
  const { location } = await createBrowser(app.base_url).open(url.href);
  expect(location?.searchParams.get('error')).toBe('invalid_scope');
});
