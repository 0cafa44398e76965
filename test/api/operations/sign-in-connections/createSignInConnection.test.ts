import { createSignInSettings, secretContext } from '../../../../src/product/sign-in-connections/sign-in-settings.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  await app.database.query('delete from sign_in_domains');
  await app.database.query('delete from sign_in_connections');
});

const fields = {
  name: '  Okta ',
  issuer: 'https://verdelog.okta.example',
  client_id: '0oa1',
  client_secret: 'only the provider knows',
  domains: ['Verdelog.example', 'verdelog.example'],
};
const create = (body: object) => app.admin.post('/v1/sign-in-connections', body);

test('creates a draft with the DNS record to publish, and encrypts the secret and never returns it', async () => {
  const { body, headers } = await create(fields).expect(201);
  expect(body).toEqual({
    id: expect.any(String),
    name: 'Okta',
    kind: 'oidc',
    issuer: fields.issuer,
    client_id: '0oa1',
    client_authentication: 'client_secret',
    client_keys: [],
    jwks_uri: `${app.base_url}/oauth/connections/${body.id}/jwks`,
    status: 'draft',
    sign_in: 'any',
    sign_in_by_role: { admin: null, manager: null, employee: null },
    trusts_provider: false,
    redirect_uri: `${app.base_url}/oauth/connections/${body.id}/callback`,
    backchannel_logout_uri: `${app.base_url}/oauth/connections/${body.id}/backchannel-logout`,
    saml: null,
    domains: [
      {
        domain: 'verdelog.example',
        record_name: '_collaborator-sign-in.verdelog.example',
        record_value: expect.stringMatching(/^cma-domain=[\w-]{22}$/),
        verified_at: null,
        checked_at: null,
      },
    ],
    people_count: 0,
    tested_at: null,
    created_by: app.admin.user_id,
    created_at: expect.stringMatching(/Z$/),
    updated_at: body.created_at,
  });
  expect((await app.admin.get(headers.location!).expect(200)).body).toEqual(body);
  const [{ sealed, text }] = (await app.database.query(
    'select client_secret_encrypted as sealed, c::text as text from sign_in_connections c',
  )) as [{ sealed: Buffer; text: string }];
  expect(text).not.toContain(fields.client_secret);
  expect(createSignInSettings(app.config).vault.open(sealed, secretContext(body.id))).toBe(fields.client_secret);
});

test('rejects what the contract doesn’t define, and URLs that webhooks reject', async () => {
  const { client_secret: _, ...withoutSecret } = fields;
  const issuers = ['https://10.0.0.7', 'https://localhost', 'https://169.254.169.254/latest', 'ftp://a.example', 'x'];
  const wrong: [object, string[]][] = [
    [{}, ['name']],
    [withoutSecret, ['client_secret']],
    [{ ...fields, kind: 'saml' }, ['client_id', 'client_secret', 'issuer', 'saml']],
    [{ ...fields, status: 'enabled' }, ['status']],
    [{ ...fields, domains: ['not a domain'] }, ['domains.0']],
    [{ ...fields, domains: ['10.0.0.1'] }, ['domains.0']],
    ...[...issuers, 'https://a.example/?tenant=1', 'https://a.example/#b'].map((issuer): [object, string[]] => [
      { ...fields, issuer },
      ['issuer'],
    ]),
  ];
  for (const [sent, names] of wrong) {
    const { body } = await create(sent).expect(400);
    expect([sent, Object.keys(body.details).sort()]).toEqual([sent, names]);
  }
  await create(fields).expect(201);
});

test('returns 409 beyond three per company, also for concurrent requests', async () => {
  const responses = await Promise.all(Array.from({ length: 5 }, () => create(fields)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
});

test('returns 403 to managers and employees', async () => {
  await app.manager.post('/v1/sign-in-connections', fields).expect(403);
  await app.employee.post('/v1/sign-in-connections', fields).expect(403);
});
