/** SAML in a real browser: an admin sets up a provider in the console, and a person signs in with it, across sites. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../../helpers/browser/console.ts';
import { checkLayouts } from '../../../helpers/browser/layouts.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { type SamlProvider, samlProvider } from '../../../helpers/identity/saml-provider.ts';
import { addDirectory, userUrn } from '../../../helpers/resources/directories.ts';

let app: TestApp;
let browser: Browser;
let idp: SamlProvider;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  idp = await samlProvider(app, { status: 'draft' });
  await app.database.query('delete from sign_in_connections');
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
  await idp?.close();
});

const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

test('an admin connects a provider with its metadata, tests it, chooses the subject attribute, and enables it', async () => {
  const directory = await addDirectory(app);
  const sub = randomUUID();
  const sent = { schemas: [userUrn], userName: 'ines@verdelog.example', externalId: sub, displayName: 'Inês Sá' };
  await directory.post('/Users', { ...sent, active: true }).expect(201);
  idp.person = { sub: 'ines@verdelog.example', format: emailFormat, attributes: { objectidentifier: sub } };

  const { page, context, problems } = await openConsole(app, browser, 'admin', `/${app.company_id}/sign-in/new`);
  await page.getByLabel('Name', { exact: true }).fill('Entra');
  await page.getByLabel('SAML 2.0').check();
  await page.getByLabel('By its metadata, as XML').check();
  await page.getByLabel('Metadata XML').fill('<a/>');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('This isn’t the metadata of an identity provider').first().waitFor();
  await checkLayouts(page, 'saml-new');
  await page.getByLabel('Metadata XML').fill(idp.metadata());
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('/acs').waitFor();
  await page.getByText('/metadata').first().waitFor();

  const test = async () => {
    await page.getByRole('button', { name: 'Start a test' }).click();
    const link = page.getByRole('link', { name: 'Open the test' });
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
    return tab;
  };
  const keyless = await test();
  await keyless.getByText('nothing in it identifies the person').waitFor();
  await keyless.getByText('objectidentifier').waitFor();
  await takeScreenshot(keyless, 'saml-keyless');
  await keyless.close();

  await page.getByLabel('Subject attribute').fill('objectidentifier');
  const isSaved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await isSaved;
  await page.reload();
  const tested = await test();
  await tested.getByText('These claims sign in Inês Sá').waitFor();
  await tested.close();
  await page.reload();
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('button', { name: 'Disable' }).waitFor();
  // The connection tests navigated to the provider.
  expect(problems.filter((each) => !each.startsWith(`asks ${idp.issuer}/sso?`))).toEqual([]);
  await context.close();
});

test('a person signs in: the provider posts from another site, and the cookie is still sent', async () => {
  const [connection] = await app.database.query<{ id: string }>('select id from sign_in_connections');
  await app.database.query(
    "insert into sign_in_domains (connection_id, company_id, domain, token, verified_at) values ($1, $2, 'verdelog.example', 't', now())",
    [connection!.id, app.company_id],
  );
  const own = await browser.newContext({ locale: 'en-GB' });
  const person = await own.newPage();
  await person.goto(`${app.base_url}/console`);
  await person.locator('#email').fill('ines@verdelog.example');
  await person.getByRole('button', { name: 'Sign in with your company' }).click();
  await person.waitForURL((url) => url.pathname.startsWith('/console/') && url.pathname !== '/console/callback');
  await person.getByRole('navigation', { name: 'Screens' }).waitFor();
  await own.close();
});
