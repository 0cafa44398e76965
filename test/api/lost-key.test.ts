/** A new ENCRYPTION_KEY after the loss of the old one, with the statements of the documentation. */
import { readFile } from 'node:fs/promises';
import { type TestApp, testApp } from '../helpers/app.ts';
import { grantToken } from '../helpers/identity/tokens.ts';
import { addSignInConnection } from '../helpers/resources/sign-in-connections.ts';
import { addWebhook } from '../helpers/resources/webhooks.ts';

const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' };
let before: TestApp;
beforeAll(async () => {
  before = await testApp(settings);
});
afterAll(() => before.close());

test('the service starts with a new key, and everything that was encrypted can be set again', async () => {
  const { database, company_id: companyId } = before;
  const [withSecret, withKey] = await Promise.all(
    (['client_secret', 'private_key_jwt'] as const).map((method) =>
      addSignInConnection(before, { client_authentication: method }),
    ),
  );
  await addWebhook(before, { headers: { 'X-A': 'a' } });
  await before.admin.post(`/v1/sign-in-connections/${withKey}/rotate-key`).expect(200);
  const guide = await readFile(new URL('../../docs/operations/secrets.md', import.meta.url), 'utf8');
  const [, statements] = /<<'SQL'\n(.*?)\nSQL\n/s.exec(guide)!;
  await database.query(statements!);

  const shared = { ...database, drop: async () => {} };
  const after = await testApp({ ...settings, ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') }, shared);
  try {
    const issued = { user_id: before.admin.user_id, company_ids: [companyId] };
    const token = await grantToken(after.database.db, after.config, after.base_url, issued);
    const send = async (method: string, path: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'x-company-id': companyId,
        'content-type': 'application/json',
      };
      const response = await fetch(after.base_url + path, { method, headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as { data?: unknown[] } };
    };
    expect((await send('GET', '/v1/collaborators')).body.data).toHaveLength(4);
    expect(await send('GET', '/v1/webhooks')).toMatchObject({ status: 200, body: { data: [] } });
    const webhook = { url: 'http://127.0.0.1:9009/', events: ['*'], headers: { 'X-A': 'b' } };
    expect((await send('POST', '/v1/webhooks', webhook)).status).toBe(201);
    const connection = `/v1/sign-in-connections/${withSecret}`;
    expect((await send('PATCH', connection, { client_secret: 'another secret' })).status).toBe(200);
    expect((await send('POST', `/v1/sign-in-connections/${withKey}/rotate-key`)).status).toBe(200);
    expect((await send('GET', '/v1/sign-in-connections')).status).toBe(200);
  } finally {
    await after.close();
  }
});
