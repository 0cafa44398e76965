import { X509Certificate } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { selfSigned } from '../../../helpers/identity/saml-provider.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const read = async () => (await app.admin.get('/v1/company/sign-in-summary').expect(200)).body;
const summary = async () => ({ admins: (await read()).admins });

async function addFactor(userId: string): Promise<void> {
  await app.database.query(
    `insert into totp_factors (id, user_id, name, secret_encrypted, last_step) values ($1, $2, 'Phone', '', 0)`,
    [uuidv7(), userId],
  );
}

async function addPasskey(userId: string): Promise<void> {
  await app.database.query(
    `insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports)
     values ($1, $2, 'Key', $3::text::bytea, '', 0, '{}')`,
    [uuidv7(), userId, uuidv7()],
  );
}

test('counts active admins who can sign in, and those without a second factor', async () => {
  expect(await summary()).toEqual({ admins: { count: 1, without_second_factor: 1 } });
  await app.admin.post(`/v1/collaborators/${app.manager.collaborator_id}/role`, { role: 'admin' }).expect(200);
  expect(await summary()).toEqual({ admins: { count: 2, without_second_factor: 2 } });
  await addFactor(app.admin.user_id);
  await addPasskey(app.admin.user_id); // two factors of one person count once
  await addFactor(app.employee.user_id);
  await addFactor(app.outsider.user_id);
  expect(await summary()).toEqual({ admins: { count: 2, without_second_factor: 1 } });
  await addPasskey(app.manager.user_id);
  expect(await summary()).toEqual({ admins: { count: 2, without_second_factor: 0 } });
  await app.admin.post(`/v1/collaborators/${app.manager.collaborator_id}/deactivate`, {}).expect(200);
  expect(await summary()).toEqual({ admins: { count: 1, without_second_factor: 0 } });
});

test('lists enabled SAML connections of this company whose last certificate expires within 30 days', async () => {
  expect((await read()).expiring_certificates).toEqual([]);
  const certificate = async (days: number) => (await selfSigned(2_048, days)).certificate;
  const saml = { kind: 'saml', issuer: 'urn:idp', sso_url: 'https://idp.example/sso' } as const;
  const [over, soon, later] = [await certificate(-1), await certificate(29), await certificate(31)];
  const id = await addSignInConnection(app, { ...saml, status: 'enabled', certificates: [soon, over] });
  await addSignInConnection(app, { ...saml, status: 'enabled', certificates: [soon, later] });
  await addSignInConnection(app, { ...saml, status: 'draft', certificates: [soon] });
  await addSignInConnection(app, { ...saml, status: 'enabled', certificates: [soon] }, app.outsider.company_id);
  const { expiring_certificates: found } = await read();
  expect(found).toEqual([
    {
      connection_id: id,
      connection_name: 'Verdelog Okta',
      expires_at: new X509Certificate(soon).validToDate.toISOString(),
    },
  ]);
});

test('rejects unknown parameters', async () => {
  await app.admin.get('/v1/company/sign-in-summary?role=manager').expect(400);
});
