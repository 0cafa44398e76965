/** Threats of RFC 9700 that the other tests of this folder don't cover; docs/security.md lists them all. */
import supertest from 'supertest';
import { type TestApp, testApp } from '../helpers/app.ts';
import { authorizationUrl, createBrowser, newVerifier } from '../helpers/identity/oauth.ts';
import { type OAuthService, oauthService, redirectUri } from './service.ts';

let service: OAuthService;
let app: TestApp;
beforeAll(async () => {
  service = await oauthService();
  app = await testApp();
});
afterAll(async () => {
  await service.close();
  await app.close();
});

const authorizeUrl = () =>
  authorizationUrl({
    ...service,
    client_id: service.native.id,
    redirect_uri: redirectUri,
    scopes: ['profile'],
    verifier: newVerifier(),
  });

test('redirects after a form are 303, which never forwards the form (section 4.12)', async () => {
  const browser = createBrowser(service.base_url);
  const page = await browser.open(authorizeUrl());
  const { email, password } = service.ana;
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const response = await fetch(new URL(page.forms[0]!.action, service.base_url), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: service.base_url },
    body: new URLSearchParams({ ...page.forms[0]!.hidden, email, password, action: 'login' }),
  });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toMatch(/^(http:\/\/127\.0\.0\.1:\d+)?\/oauth\/authorize\/[\w-]+$/);
});

test('rejects tokens in URLs and forms, since URLs end up in histories and logs (section 4.3.2)', async () => {
  const { token, company_id: companyId } = app.admin;
  const query = await app.anon.get(`/v1/collaborators?access_token=${token}`).set('X-Company-Id', companyId);
  expect([query.status, query.body.error]).toEqual([401, 'unauthorized']);
  const post = app.anon.post('/v1/collaborators').set('X-Company-Id', companyId).type('form');
  const form = await post.send({ access_token: token });
  expect([form.status, form.body.error]).toEqual([401, 'unauthorized']);
});

test('forwarding headers never change the URLs that are returned', async () => {
  const forged = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'https',
    Forwarded: 'host=evil.example',
  };
  const metadata = await app.anon.get('/.well-known/oauth-authorization-server').set(forged).expect(200);
  expect(metadata.body.issuer).toBe(app.base_url);
  expect(metadata.text).not.toContain('evil');
  const template = await app.admin.get('/v1/collaborators/import-template').set(forged).expect(200);
  expect(template.body.url.startsWith(`${app.base_url}/files/`)).toBe(true);
  const contract = await app.anon.get('/openapi.json').set(forged).expect(200);
  expect(contract.text).not.toContain('evil');
  const challenge = await app.anon.get('/v1/collaborators').set(forged).expect(401);
  expect(JSON.stringify([challenge.headers, challenge.text])).not.toContain('evil');
});

test('a forged forwarded address doesn’t reset the limit', async () => {
  const limited = await oauthService({ SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN: '2' });
  try {
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) {
      const browser = createBrowser(limited.base_url);
      const start = authorizationUrl({
        ...limited,
        client_id: limited.native.id,
        redirect_uri: redirectUri,
        scopes: ['profile'],
        verifier: newVerifier(),
      });
      const page = await browser.open(start);
      const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
      const response = await supertest(limited.base_url)
        .post(page.forms[0]!.action)
        .set({
          Cookie: cookie,
          Origin: limited.base_url,
          'X-Forwarded-For': `203.0.113.${n}`,
          Forwarded: `for=203.0.113.${n}`,
        })
        .type('form')
        .send({ ...page.forms[0]!.hidden, email: `nobody${n}@example.com`, password: 'wrong', action: 'login' });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
  } finally {
    await limited.close();
  }
});
