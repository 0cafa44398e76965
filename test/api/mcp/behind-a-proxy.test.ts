/** MCP through a TLS-terminating proxy that forwards the client address, and messages that lead to no request. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';

const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7', 'user-agent': 'assistant/1' };

/** A tool call as sent. */
function send({ base_url: baseUrl, admin }: TestApp, name: string, sent: object, headers: object = {}) {
  return fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'x-company-id': admin.company_id,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } }),
  });
}

test('a tool’s request inherits HTTPS and the client address from the assistant’s', async () => {
  const app = await testApp({ REQUIRE_HTTPS: 'true', TRUST_PROXY: 'loopback' });
  const policy = app.admin
    .put('/v1/company')
    .set(proxied)
    .send({ policy: { assistants: 'write' } });
  await policy.expect(200);
  const change = { id: app.report.collaborator_id, position: 'Shift lead' };
  // A policy change applies within a second.
  await eventually(async () => {
    const response = await send(app, 'update_person', change, proxied);
    expect(await response.json()).toMatchObject({
      result: { structuredContent: { data: { position: 'Shift lead' } } },
    });
  });
  const { body } = await app.admin.get('/v1/audit?action=patchCollaborator').set(proxied).expect(200);
  expect(body.data[0]).toMatchObject({ ip: '203.0.113.7', user_agent: 'assistant/1' });
  await app.close();
});

test('calls of unknown tools count toward the limit', async () => {
  const app = await testApp({ RATE_LIMIT_REQUESTS_PER_MIN: '3' });
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await send(app, 'nothing', {})).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  await app.close();
});
