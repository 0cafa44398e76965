/** Second factors in a real browser: its own passkeys, from a virtual authenticator, and the pages by keyboard, width and colour. */
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { launchBrowser } from '../../helpers/browser.ts';
import { freePort } from '../../helpers/free-port.ts';
import { authorizationUrl, newVerifier } from '../../helpers/oauth.ts';
import { type OAuthService, oauthService } from '../../identity/service.ts';

const password = 'correct horse battery staple';

let service: OAuthService;
let base_url: string;
let browser: Browser;
let app: Server;
let redirect_uri: string;
let screenshots: string;
let people = 0;

beforeAll(async () => {
  // By name, for no browser makes passkeys for an address.
  const port = await freePort();
  base_url = `http://localhost:${port}`;
  service = await oauthService({}, base_url, port);
  browser = await launchBrowser();
  app = createServer((_req, res) => res.end('back in the app'));
  await new Promise<void>((listening) => app.listen(0, '127.0.0.1', listening));
  redirect_uri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
  screenshots = process.env.SCREENSHOT_DIR ?? (await mkdtemp(join(tmpdir(), 'second-factor-')));
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
  const client_id = service.native.id;
  const verifier = newVerifier();
  return page.goto(authorizationUrl({ base_url, client_id, redirect_uri, scopes: ['profile'], verifier }) + more);
}

async function typePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A finger that is always right. */
async function withAuthenticator(page: Page): Promise<void> {
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
  await page.goto(`${base_url}/account/second-factor`);
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
}

async function codeOn(page: Page): Promise<string> {
  const secret = (await page.locator('.steps code').textContent())!.replaceAll(' ', '');
  return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate();
}

function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().match(/status of 4(00|01)/)) return;
    if (!message.location().url.endsWith('/favicon.ico')) problems.push(message.text());
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

test('a person makes a passkey, and signs in with it and nothing else', () =>
  withPage(async (page, context) => {
    await withAuthenticator(page);
    const email = await newPerson();
    await open(page);
    await typePassword(page, email);
    await page.getByRole('heading', { name: 'Allow' }).waitFor();
    await toFactors(page);
    await page.getByLabel('What you call this device').fill('Laptop');
    await page.getByRole('button', { name: 'Make a passkey on this device' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await expect(page.locator('.codes li').count()).resolves.toBe(10);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('Laptop', { exact: true }).waitFor();

    // Without the session the browser still has the passkey. It may offer it before anything is pressed.
    await context.clearCookies();
    await open(page);
    const consent = page.getByRole('heading', { name: 'Allow' });
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.or(consent).first().waitFor();
    if (await button.isVisible()) await button.click().catch(() => {});
    await consent.waitFor();
    await page.getByText(email).waitFor();
  }));

test('a person sets up an app while signing in, and signs in with its code, with the keyboard alone', () =>
  withPage(async (page, context) => {
    const email = await newPerson();
    await open(page, '&acr_values=2fa');
    await typePassword(page, email);
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(await codeOn(page));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const code = (await page.locator('.codes li code').first().textContent())!;
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('heading', { name: 'Allow' }).waitFor();

    await context.clearCookies();
    await open(page);
    await typePassword(page, email);
    await page.locator('#code:focus').waitFor();
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.locator('#code:focus').waitFor();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Allow' }).waitFor();
  }));

describe.each([
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
])('on a %s', (device, viewport) => {
  test.each([
    ['light', 'en'],
    ['dark', 'pt-BR'],
  ] as const)('pages fit in %s and %s', (colorScheme, lang) =>
    withPage(
      async (page) => {
        const look = async (name: string) => {
          const path = join(screenshots, `${name}-${device}-${colorScheme}.png`);
          await page.screenshot({ path, fullPage: true });
          const wider = await page.evaluate(
            'document.documentElement.scrollWidth > document.documentElement.clientWidth',
          );
          expect([name, wider]).toEqual([name, false]);
        };
        const press = (value: string) => page.locator(`button[value="${value}"]`).first().click();
        const email = await newPerson();
        await open(page, `&acr_values=2fa&ui_locales=${lang}`);
        await look('1-sign-in');
        await page.locator('#email').fill(email);
        await page.locator('#password').fill(password);
        await press('login');
        await page.locator('.qr').waitFor();
        await look('2-set-up');
        await page.locator('#code').fill('000000');
        await press('confirm-app');
        await page.getByRole('alert').waitFor();
        await look('3-set-up-failed');
        await page.locator('#code').fill(await codeOn(page));
        await press('confirm-app');
        await page.locator('.codes').waitFor();
        await look('4-codes');
        const codes = await page.locator('.codes li').allInnerTexts();
        await press('continue');
        await page.locator('button[value="allow"]').waitFor();
        await page.goto(`${base_url}/account/second-factor`);
        await look('5-proof');
        await page.locator('#code').fill(codes[0]!);
        await press('prove');
        await page.locator('.factors').waitFor();
        await look('6-factors');
      },
      { viewport, colorScheme, deviceScaleFactor: 2, locale: lang },
    ),
  );
});
