/** Second factors in a real browser: passkeys of a virtual authenticator, keyboard use, widths, and color schemes. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { createInstallationLinks } from '../../../src/product/connections/installation-links.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { scanQrCode } from '../../helpers/browser/pictures.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { authorizationUrl, newVerifier } from '../../helpers/identity/oauth.ts';
import { freePort } from '../../helpers/network/free-port.ts';
import { type OAuthService, oauthService } from '../../identity/service.ts';

const password = 'correct horse battery staple';

let service: OAuthService;
let baseUrl: string;
let browser: Browser;
let app: Server;
let redirectUri: string;
let people = 0;

beforeAll(async () => {
  // A host name, because browsers create no passkeys for IP addresses.
  const port = await freePort();
  baseUrl = `http://localhost:${port}`;
  service = await oauthService({}, baseUrl, port);
  browser = await launchBrowser();
  app = createServer((_req, res) => res.end('back in the app'));
  await new Promise<void>((listening) => app.listen(0, '127.0.0.1', listening));
  redirectUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
});

afterAll(async () => {
  await browser?.close();
  app?.close();
  await service?.close();
});

async function newPerson(): Promise<string> {
  const email = `person-${++people}@example.com`;
  const details = { name: `Person ${people}`, email, password, position: 'Planner', department: 'Ops' };
  await createPerson(service.database.db, service.company_ids[0]!, details);
  return email;
}

function open(page: Page, more = ''): Promise<unknown> {
  const clientId = service.native.id;
  const verifier = newVerifier();
  return page.goto(
    authorizationUrl({
      base_url: baseUrl,
      client_id: clientId,
      redirect_uri: redirectUri,
      scopes: ['profile'],
      verifier,
    }) + more,
  );
}

async function typePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A virtual authenticator that always verifies the user. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function toFactors(page: Page): Promise<void> {
  await page.goto(`${baseUrl}/account/second-factor`);
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
}

const secretOn = async (page: Page) => (await page.locator('.steps code').textContent())!.replaceAll(' ', '');
const codeOf = (secret: string) => new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate();
const codeOn = async (page: Page) => codeOf(await secretOn(page));

function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().match(/status of 4(00|01)/)) return;
    problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return problems;
}

async function withPage(work: (page: Page, context: BrowserContext) => Promise<void>, options = {}): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems = problemsOf(page);
  await work(page, context);
  expect(problems).toEqual([]);
  await context.close();
}

test('a person creates a passkey, and signs in with it only', () =>
  withPage(async (page, context) => {
    await addAuthenticator(page);
    const email = await newPerson();
    await open(page);
    await typePassword(page, email);
    await page.getByRole('heading', { name: 'Allow' }).waitFor();
    await toFactors(page);
    await page.getByLabel('Name of this device').fill('Laptop');
    await page.getByRole('button', { name: 'Make a passkey on this device' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await expect(page.locator('.codes li').count()).resolves.toBe(10);
    await page.getByRole('button', { name: 'I’ve stored them' }).click();
    await page.getByText('Laptop', { exact: true }).waitFor();

    // Without the session, the browser still has the passkey, and may offer it before any button is pressed.
    await context.clearCookies();
    await open(page);
    const consent = page.getByRole('heading', { name: 'Allow' });
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.or(consent).first().waitFor();
    if (await button.isVisible()) await button.click().catch(() => {});
    await consent.waitFor();
    await page.getByText(email).waitFor();
  }));

test('a person sets up an authenticator app during sign-in, and signs in with its code, by keyboard only', () =>
  withPage(async (page, context) => {
    const email = await newPerson();
    await open(page, '&acr_values=2fa');
    await typePassword(page, email);
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    const secret = await secretOn(page);
    for (let n = 0; n < 20 && (await page.locator('#code:focus').count()) === 0; n++) await page.keyboard.press('Tab');
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByRole('button', { name: 'I’ve stored them' }).press('Enter');
    await page.getByRole('heading', { name: 'Allow' }).waitFor();
    // As half a minute later: the next code is valid.
    await service.database.query('update totp_factors set last_step = last_step - 10');

    await context.clearCookies();
    await open(page);
    await typePassword(page, email);
    await page.locator('#code:focus').waitFor();
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.locator('#code:focus').waitFor();
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Allow' }).waitFor();
  }));

/** Takes screenshots, and checks that the page fits and passes axe. */
function screenshotter(page: Page) {
  return async (name: string): Promise<void> => {
    const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect([name, wider]).toEqual([name, false]);
    await takeScreenshot(page, `${name}-phone`);
    expect([name, await axeViolations(page)]).toEqual([name, []]);
  };
}

/** An app that Ana installed, and the link that asks her whether it continues. */
async function installed(): Promise<string> {
  const { database, ana, confidential, company_ids: companyIds, config } = service;
  const installationId = randomUUID();
  const installation = { company_ids: [companyIds[1]], installation_role: 'admin', scopes: ['collaborators:read'] };
  await database.db.global
    .insertInto('oauth_grants')
    .values({ id: installationId, user_id: ana.user_id, client_id: confidential.id, ...installation })
    .execute();
  const linked = { company_id: companyIds[1], installation_id: installationId, user_id: ana.user_id };
  return `${baseUrl}/oauth/installation/${createInstallationLinks(config.encryption_keys).token(linked)}`;
}

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, locale: 'pt-BR' };

test('pages fit a phone, and pass axe', () =>
  withPage(async (page) => {
    const capture = screenshotter(page);
    const press = (value: string) => page.locator(`button[value="${value}"]`).first().click();
    const email = await newPerson();
    await open(page, `&acr_values=2fa&ui_locales=pt-BR`);
    await capture('1-sign-in');
    await page.locator('#email').fill(email);
    await page.locator('#password').fill(password);
    await press('login');
    await page.locator('.qr').waitFor();
    await expect(scanQrCode(page.locator('.qr'))).resolves.toBe(
      await page.locator('a[href^="otpauth:"]').getAttribute('href'),
    );
    await page.locator('#code').fill('000000');
    await press('confirm-app');
    await page.getByRole('alert').waitFor();
    await capture('2-set-up-failed');
    await page.locator('#code').fill(await codeOn(page));
    await press('confirm-app');
    await page.locator('.codes').waitFor();
    await capture('3-codes');
    const codes = await page.locator('.codes li').allInnerTexts();
    await press('continue');
    await page.locator('button[value="allow"]').waitFor();
    await page.goto(`${baseUrl}/account/second-factor`);
    await page.locator('#password').fill(password);
    await press('prove');
    await page.locator('#code').fill(codes[0]!);
    await press('prove-code');
    await page.locator('.factors').waitFor();
    await capture('4-factors');
  }, phone));

test('installation pages fit a phone, and pass axe', () =>
  withPage(async (page) => {
    const capture = screenshotter(page);
    const press = (value: string) => page.locator(`button[value="${value}"]`).first().click();
    const [clientId, verifier] = [service.confidential.id, newVerifier()];
    const scopes = ['profile', 'collaborators:read', 'salary:read'];
    const authorizeUrl = authorizationUrl({
      base_url: baseUrl,
      client_id: clientId,
      redirect_uri: redirectUri,
      scopes,
      verifier,
    });
    await page.goto(`${authorizeUrl}&installation=true&ui_locales=pt-BR`);
    await page.locator('#email').fill(service.ana.email);
    await page.locator('#password').fill(service.ana.password);
    await press('login');
    await page.locator('button[value="allow"]').waitFor();
    await capture('5-install');
    await page.goto(await installed());
    await capture('6-goes-on');
  }, phone));
