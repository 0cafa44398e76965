/** The account pages, and linking an account to the company's provider, in a real browser: layout, accessibility, and keyboard use. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { type IdentityProvider, identityProvider } from '../../helpers/identity/identity-provider.ts';
import { authorizationUrl, newVerifier } from '../../helpers/identity/oauth.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import { type Mailbox, openMailbox } from '../../identity/mailbox.ts';
import { type OAuthService, oauthService } from '../../identity/service.ts';

const password = 'correct horse battery staple';
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

let service: OAuthService;
let baseUrl: string;
let browser: Browser;
let app: Server;
let redirectUri: string;
let idp: IdentityProvider;
let mailbox: Mailbox;

beforeAll(async () => {
  // By host name, because browsers create no passkeys for IP addresses.
  const port = await freePort();
  baseUrl = `http://localhost:${port}`;
  service = await oauthService({ WEBHOOK_ALLOW_PRIVATE: 'true' }, baseUrl, port);
  idp = await identityProvider({ ...service, company_id: service.company_ids[0]! }, { domains: ['example.com'] });
  mailbox = await openMailbox(service);
  browser = await launchBrowser();
  app = createServer((_req, res) => res.end('back in the app'));
  await new Promise<void>((listening) => app.listen(0, '127.0.0.1', listening));
  redirectUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
});

afterAll(async () => {
  await browser?.close();
  app?.close();
  await mailbox?.close();
  await idp?.close();
  await service?.close();
});

/** @returns the address */
async function newPerson(email: string): Promise<string> {
  const details = { name: 'Inês Sá', email, password, position: 'Planner', department: 'Ops' };
  await createPerson(service.database.db, service.company_ids[0]!, details);
  idp.person = { sub: email, email, email_verified: true };
  return email;
}

/** Signs in up to the page that links the account. */
async function arrive(page: Page, email: string): Promise<void> {
  const authorization = { base_url: baseUrl, client_id: service.native.id, redirect_uri: redirectUri };
  const url = authorizationUrl({ ...authorization, scopes: ['profile'], verifier: newVerifier() });
  await page.goto(`${url}&ui_locales=en`);
  await page.locator('#email').fill(email);
  await page.locator('button[value=provider]').click();
  await page.waitForURL(`${baseUrl}/oauth/link-account/**`);
}

test('links with the account’s passkey, continues to the app, and sends an email', async () => {
  const email = 'ines@example.com';
  await newPerson(email);
  const context = await browser.newContext({ locale: 'en-GB', ...phone });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
  await page.goto(`${baseUrl}/account/second-factor`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Make a passkey on this device' }).click();
  await page.getByText('recovery codes').first().waitFor();
  await context.clearCookies();

  // Otherwise the sign-in page would use the passkey on its own.
  const lay = (enabled: boolean) =>
    session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  await lay(false);
  await arrive(page, email);
  await page.getByText('signed you in as ines@example.com').waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'link-account');
  await lay(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('back in the app').waitFor();
  expect(await mailbox.subjects(email)).toContainEqual(
    expect.stringMatching(/^You now sign in to .* with Verdelog Okta$/),
  );
  await context.close();
});

test('links with the password, by keyboard only', async () => {
  const email = 'rui@example.com';
  await newPerson(email);
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await arrive(page, email);
  await page.keyboard.type('a wrong password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'doesn’t match an account' }).waitFor();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await page.getByText('back in the app').waitFor();
  await context.close();
});

const press = (page: Page, value: string) => page.locator(`button[value="${value}"]`).first().click();

async function signIn(page: Page, email: string, path: string): Promise<void> {
  await page.goto(service.base_url + path);
  await page.locator('#email').fill(email);
  await page.locator('#password').fill(password);
  await press(page, 'login');
  await page.waitForURL(service.base_url + path);
}

test('a person signs in, reauthenticates, and changes their name by keyboard only', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${service.base_url}/account/name`);
  await page.locator('#email:focus').waitFor();
  await page.keyboard.type(await newPerson('rita@example.com'));
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByText(', confirm your identity').waitFor();
  await page.locator('#password:focus').waitFor();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.locator('#name:focus').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Somebody Else');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your name was changed' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Somebody Else').waitFor();
  await context.close();
});

test('pages fit a phone, and pass axe', async () => {
  const context = await browser.newContext({ ...phone, locale: 'pt-BR' });
  const page = await context.newPage();
  const capture = async (name: string) => {
    await takeScreenshot(page, `${name}-phone-pt-BR`);
    const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect([name, wider]).toEqual([name, false]);
    expect([name, await axeViolations(page)]).toEqual([name, []]);
    const targets = page.locator('button, a, input:not([type=hidden])').filter({ visible: true });
    const heights = await targets.evaluateAll((all) => all.map((target) => target.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  };
  const goto = (path: string) => page.goto(service.base_url + path);
  await signIn(page, await newPerson('luis@example.com'), '/account');
  await capture('1-account');
  await goto('/account/address');
  await page.locator('#password').fill('wrong');
  await press(page, 'prove');
  await page.getByRole('alert').waitFor();
  await capture('2-proof-failed');
  await page.locator('#password').fill(password);
  await press(page, 'prove');
  await page.locator('#email').waitFor();
  await capture('3-address');
  for (const [name, path] of [
    ['4-devices', '/account/devices'],
    ['5-apps', '/account/apps'],
    ['6-companies', '/account/companies'],
  ] as const) {
    await goto(path);
    await capture(name);
  }
  await press(page, 'leave');
  await page.locator('button[value="leave-now"]').waitFor();
  await capture('7-leave');
  await context.close();
});
