/** A whole session of an assistant, message by message, from registration to revocation. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { assistantRedirectUri, connectAssistant } from '../../helpers/identity/assistant.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** Records each request: method, path, JSON-RPC method, and response status. */
function recorder() {
  const conversation: string[] = [];
  const send: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const response = await fetch(input, init);
    const message = typeof init?.body === 'string' && pathname === '/mcp' ? JSON.parse(init.body) : undefined;
    const about = message ? ` ${message.params?.name ?? message.method}` : '';
    conversation.push(`${init?.method ?? 'GET'} ${pathname}${about} ${response.status}`);
    return response;
  };
  return { conversation, send };
}

test('an assistant registers, signs in, searches, proposes, writes, and gets 401 after its connection is revoked', async () => {
  const { conversation, send } = recorder();
  await app.admin.put('/v1/company', { policy: { assistants: 'write' } }).expect(200);
  const registration = { name: 'Helper', kind: 'public', redirect_uris: [assistantRedirectUri] };
  const { body: registered } = await app.admin.post('/v1/apps', registration).expect(201);
  const scope = 'profile collaborators:read collaborators:write history:read';
  const { client, call } = await connectAssistant(app, scope, { client_id: registered.client_id, fetch: send });

  await client.listTools();
  const name = (await app.admin.get(`/v1/collaborators/${app.report.collaborator_id}`)).body.name as string;
  const found = await call('find_people', { search: name, limit: 5 });
  const person = found.data.data.find(({ id }) => id === app.report.collaborator_id)!;

  // Proposal: reads the permissions and the current state. Nothing has changed yet.
  const may = await call('what_may_i_do');
  expect(may.text).toContain('update_person');
  const { data: before } = await call('get_person', { id: person.id });
  const isUnchanged = await app.admin.get(`/v1/collaborators/${person.id}`).expect(200);
  expect(isUnchanged.body.position).toBe(before.position);

  const change = { id: person.id, position: 'Shift lead', idempotency_key: 'the change that was agreed' };
  const { data: after } = await call('update_person', change);
  expect(after).toMatchObject({ ...before, position: 'Shift lead', updated_at: expect.any(String) });
  const { text: history } = await call('person_history', { id: person.id, limit: 1 });
  expect(history).toContain('Shift lead');

  const { body: connections } = await app.admin.get('/v1/connections').expect(200);
  const { id } = connections.data.find((one: { app: { name: string } }) => one.app.name === 'Helper');
  await app.admin.delete(`/v1/connections/${id}`).expect(200);
  const transcript = [...conversation];
  await eventually(() => expect(client.listTools()).rejects.toThrow());
  expect(conversation.find((line) => line.startsWith('POST /mcp tools/list 401'))).toBeDefined();

  expect(transcript).toEqual([
    'POST /mcp initialize 401',
    'GET /.well-known/oauth-protected-resource/mcp 200',
    'GET /.well-known/oauth-authorization-server 200',
    'GET /.well-known/oauth-protected-resource/mcp 200',
    'GET /.well-known/oauth-authorization-server 200',
    'POST /oauth/token 200',
    'POST /mcp initialize 200',
    'POST /mcp notifications/initialized 202',
    'GET /mcp 405', // the client asks for a stream, and there is none
    'POST /mcp tools/list 200',
    'POST /mcp find_people 200',
    'POST /mcp what_may_i_do 200',
    'POST /mcp get_person 200',
    'POST /mcp update_person 200',
    'POST /mcp person_history 200',
  ]);
  // Entries are written in batches, after the responses.
  await eventually(async () => {
    const { body: audit } = await app.admin.get('/v1/audit?action=tool.called&limit=20').expect(200);
    const called = audit.data.map(({ details }: { details: { tool: string; effect: string } }) => details);
    expect(called.map(({ tool, effect }: { tool: string; effect: string }) => `${tool} ${effect}`).reverse()).toEqual([
      'find_people read',
      'what_may_i_do read',
      'get_person read',
      'update_person write',
      'person_history read',
    ]);
  });
});
