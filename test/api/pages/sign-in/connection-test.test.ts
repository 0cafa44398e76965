/** What admins see when they test a misconfigured connection. People who sign in with it see no details. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSignInSettings, secretContext } from '../../../../src/product/sign-in-connections/sign-in-settings.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import {
  chooseCompany,
  type IdentityProvider,
  identityProvider,
  redirectTargetOf,
} from '../../../helpers/identity/identity-provider.ts';
import { createBrowser } from '../../../helpers/identity/oauth.ts';
import { addSignInConnection } from '../../../helpers/resources/sign-in-connections.ts';
import { allowPrivate, beginSignIn, signIns, throughProvider } from './company-sign-in-people.ts';

let app: TestApp;
let idp: IdentityProvider;
beforeAll(async () => {
  app = await testApp(allowPrivate);
  idp = await identityProvider(app, { domains: ['verdelog.example'] });
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

const start = async (id: string) => {
  const { body } = await app.admin.post(`/v1/sign-in-connections/${id}/test`).expect(200);
  const browser = createBrowser(app.base_url);
  return { browser, page: await browser.open(body.url) };
};

test('a client secret that the provider refuses', async () => {
  const { vault } = createSignInSettings(app.config);
  const wrong = vault.seal('an expired secret', secretContext(idp.connection_id));
  await app.database.query('update sign_in_connections set client_secret_encrypted = $1', [wrong]);
  const { browser, page } = await start(idp.connection_id);
  const tested = await browser.open((await idp.signIn(redirectTargetOf(page))).href);
  expect([tested.status, tested.html]).toEqual([
    400,
    expect.stringContaining('refused the client ID or the client secret'),
  ]);
  const { page: refused } = await throughProvider(await signIns(app), idp);
  expect([refused.status, refused.html]).toEqual([400, expect.not.stringContaining('client secret')]);
});

describe('an issuer', () => {
  const server = createServer((req, res) => {
    const issuer = 'https://other.example';
    if (req.url?.startsWith('/other/'))
      res.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer }));
    else if (req.url?.startsWith('/html/')) res.setHeader('content-type', 'text/html').end('<html>');
    else res.writeHead(404).end();
  });
  let address: string;
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((closed) => server.close(closed)));

  test.each([
    ['that has no metadata', '/missing', 'unexpected HTTP status code'],
    ['that is a web page', '/html', 'content-type'],
    ['whose metadata names another', '/other', 'does not match the expected value'],
  ])('%s', async (_name, path, reason) => {
    const issuer = address + path;
    const domains = [`${path.slice(1)}.example`];
    const { page } = await start(await addSignInConnection(app, { status: 'enabled', issuer, domains }));
    expect([page.status, page.html]).toEqual([502, expect.stringContaining(reason)]);
    expect(page.html).toContain(`${issuer}/.well-known/openid-configuration`);
    const { url } = beginSignIn(await signIns(app));
    const { status, html } = await chooseCompany(createBrowser(app.base_url), url, `anybody@${domains[0]}`);
    expect([status, html]).toEqual([502, expect.stringContaining('tell an administrator')]);
    expect(html).not.toContain('Reason');
  });
});
