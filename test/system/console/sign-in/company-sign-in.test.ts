/** Sign-in providers in the console: complete setup and a sign-in, in a real browser. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../../helpers/browser/console.ts';
import { checkLayouts } from '../../../helpers/browser/layouts.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { type IdentityProvider, identityProvider } from '../../../helpers/identity/identity-provider.ts';
import { type TxtServer, txtServer } from '../../../helpers/network/dns.ts';
import { addDirectory, userUrn } from '../../../helpers/resources/directories.ts';

let app: TestApp;
let browser: Browser;
let dns: TxtServer;
let idp: IdentityProvider;

beforeAll(async () => {
  await requireBuiltConsole();
  dns = await txtServer();
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true', DNS_SERVERS: dns.address });
  idp = await identityProvider(app, { status: 'draft' });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
  await idp?.close();
  await dns?.close();
});

test('an admin tests it, verifies a domain, and enables it, then a person signs in', async () => {
  const directory = await addDirectory(app);
  const sub = randomUUID();
  const sent = { schemas: [userUrn], userName: 'ines@verdelog.example', externalId: sub, displayName: 'Inês Sá' };
  await directory.post('/Users', { ...sent, active: true }).expect(201);
  idp.person = { sub, email: 'ines@verdelog.example', groups: ['logistics'] };
  const path = `/${app.company_id}/sign-in/${idp.connection_id}`;
  await app.database.query('update sign_in_connections set tested_at = null');
  const { page, context, problems, done } = await openConsole(app, browser, 'admin', path);
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByText('Test the connection before you enable it').waitFor();

  await page.getByRole('button', { name: 'Start a test' }).click();
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Open the test' }).click(),
  ]);
  await tab.getByText('These claims sign in Inês Sá').waitFor();
  await tab.getByText('["logistics"]').waitFor();
  expect(await axeViolations(tab)).toEqual([]);
  await takeScreenshot(tab, 'sign-in-test');
  await tab.close();

  await page.getByLabel('Email domains').fill('verdelog.example');
  await page.getByLabel('Addresses of your domains go straight to the provider').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not checked yet').waitFor();
  await page.getByRole('button', { name: 'Check the domains' }).click();
  await page.getByText('Record not found').waitFor();
  const [record] = await app.database.query<{ token: string }>('select token from sign_in_domains');
  dns.records.set('_collaborator-sign-in.verdelog.example', [`cma-domain=${record!.token}`]);
  await page.getByRole('button', { name: 'Check the domains' }).click();
  await page.getByText('Verified', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('button', { name: 'Disable' }).waitFor();
  await checkLayouts(page, 'sign-in');
  problems.length = 0; // the test of the connection has asked the provider
  await done();

  const own = await browser.newContext({ locale: 'en-GB' });
  const person = await own.newPage();
  await person.goto(`${app.base_url}/console`);
  expect(await axeViolations(person)).toEqual([]);
  await takeScreenshot(person, 'sign-in-page');
  await person.locator('#email').fill('ines@verdelog.example');
  await person.getByRole('button', { name: 'Sign in with your company' }).click();
  await person.waitForURL((url) => url.pathname.startsWith('/console/') && url.pathname !== '/console/callback');
  await person.getByRole('navigation', { name: 'Screens' }).waitFor();
  await person.goto(`${app.base_url}/account`);
  await person.getByText('Your company manages your sign-in').waitFor();
  await own.close();
});

test('an admin sets the policy of a role, and changes to a key', async () => {
  const path = `/${app.company_id}/sign-in/${idp.connection_id}`;
  const { page, done } = await openConsole(app, browser, 'admin', path);
  await page.getByLabel('Managers', { exact: true }).selectOption('any');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByText('/jwks').waitFor();
  await page.getByText(/signs from/).waitFor();
  await page.getByLabel('A key of this connection').check();
  expect(await page.getByLabel('Client secret', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const settings = async () => (await app.admin.get(`/v1/sign-in-connections/${idp.connection_id}`).expect(200)).body;
  await eventually(async () =>
    expect(await settings()).toMatchObject({
      client_authentication: 'private_key_jwt',
      sign_in_by_role: { admin: null, manager: 'any', employee: null },
    }),
  );
  await done();
});
