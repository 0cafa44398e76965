/** The pages in a real browser: by keyboard alone, at desktop and phone width, in both colour schemes. */
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../helpers/browser.ts';
import { authorizationUrl, newVerifier, type Tokens, tokenRequest } from '../helpers/oauth.ts';
import { type OAuthService, oauthService } from './service.ts';

const scopes = ['profile', 'offline_access', 'collaborators:read', 'salary:read', 'webhooks:manage'];

let service: OAuthService;
let browser: Browser;
let app: Server;
let redirect_uri: string;
let screenshots: string;

beforeAll(async () => {
  service = await oauthService();
  browser = await launchBrowser();
  app = createServer((_req, res) => res.end('back in the app'));
  await new Promise<void>((listening) => app.listen(0, '127.0.0.1', listening));
  redirect_uri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
  screenshots = process.env.SCREENSHOT_DIR ?? (await mkdtemp(join(tmpdir(), 'sign-in-')));
});

afterAll(async () => {
  await browser?.close();
  app?.close();
  await service?.close();
});

test('a person signs in and gives consent with the keyboard alone', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = problemsOf(page);
  const verifier = newVerifier();
  await page.goto(authorizationUrl({ ...service, client_id: service.native.id, redirect_uri, scopes, verifier }));

  await page.locator('#email:focus').waitFor();
  await page.keyboard.type(service.ana.email);
  await page.keyboard.press('Tab');
  await expect(focused(page)).resolves.toBe('Password');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  const alert = page.getByRole('alert');
  await alert.waitFor();
  await expect(page.title()).resolves.toMatch(/^Error: /);
  await expect(page.getByLabel('Email address').inputValue()).resolves.toBe(service.ana.email);
  await page.locator('#password:focus').waitFor();
  const described = await page.getByLabel('Password').getAttribute('aria-describedby');
  await expect(page.locator(`#${described}`).textContent()).resolves.toBe(await alert.textContent());
  await page.keyboard.type(service.ana.password);
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Allow Desk <App>' }).waitFor();
  await expect(page.getByRole('listitem').allInnerTexts()).resolves.toContain('See salaries');
  await expect(page.getByRole('group', { name: 'For these companies' }).count()).resolves.toBe(1);
  const stops: string[] = [];
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press('Tab');
    stops.push(await focused(page));
    expect(await outline(page)).not.toBe('none');
  }
  expect(stops).toEqual(['Not you?', 'Nordwind Spedition admin', 'Verde Logística employee', 'Allow', 'Deny']);
  for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await page.getByText('back in the app').waitFor();
  const location = new URL(page.url());
  expect(location.origin + location.pathname).toBe(redirect_uri);
  expect(location.searchParams.get('iss')).toBe(service.base_url);
  const code = location.searchParams.get('code')!;
  const body = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
  const answer = await tokenRequest(service.base_url, service.native, body);
  const { access_token } = (await answer.json()) as Tokens;
  await expect(service.verify(access_token)).resolves.toMatchObject({ company_ids: [service.company_ids[1]] });
  expect(problems).toEqual([]);
  await context.close();
});

test('denying takes the person back to the app', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = problemsOf(page);
  await open(page);
  await signIn(page);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('back in the app').waitFor();
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  expect(problems).toEqual([]);
  await context.close();
});

describe.each([
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
])('on a %s', (device, viewport) => {
  test.each(['light', 'dark'] as const)('pages fit and look right in %s', async (colorScheme) => {
    const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 2 });
    const page = await context.newPage();
    const look = async (name: string) => {
      const path = join(screenshots, `${name}-${device}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
      expect(wider).toBe(false);
      for (const target of await page
        .locator('button, label.choice, input:not([type=hidden], [type=checkbox])')
        .all()) {
        expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44);
      }
    };
    await open(page);
    await look('1-sign-in');
    await page.getByLabel('Email address').fill(service.ana.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await look('2-sign-in-failed');
    await signIn(page);
    await look('3-consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Verde Logística').check();
    await look('4-consent-failed');
    await page.goto(`${service.base_url}/oauth/authorize?client_id=unknown`);
    await look('5-error');
    await context.close();
  });
});

async function open(page: Page): Promise<void> {
  const verifier = newVerifier();
  await page.goto(authorizationUrl({ ...service, client_id: service.native.id, redirect_uri, scopes, verifier }));
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill(service.ana.email);
  await page.getByLabel('Password').fill(service.ana.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Allow' }).waitFor();
}

/** What a screen reader would call the element that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const name = element.labels?.[0] ?? element;
    return name.innerText.trim().replace(/\\s+/g, ' ');
  })()`);
}

/** The outline that shows where the focus is: of the element, or of the label around it. */
function outline(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const marked = element.closest('label') ?? element;
    return getComputedStyle(marked).outlineStyle;
  })()`);
}

/** Errors that the browser reports: refused by the content security policy, missing files, scripts that fail. */
function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().includes('status of 401')) return;
    if (!message.location().url.endsWith('/favicon.ico')) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return problems;
}
