/** The pages in a real browser: by keyboard only, and at phone width. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { addCollaborator } from '../../../src/product/collaborators/write/add-collaborator.ts';
import { counted } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { inviteNow } from '../../../src/product/invitations/send-invitation.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { authorizationUrl, newVerifier, type Tokens, tokenRequest } from '../../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from '../../identity/mailbox.ts';
import { type OAuthService, oauthService } from '../../identity/service.ts';

const scopes = ['profile', 'offline_access', 'collaborators:read', 'salary:read', 'webhooks:manage'];

const newPassword = 'a river runs past the mill';

let service: OAuthService;
let mailbox: Mailbox;
let browser: Browser;
let app: Server;
let redirectUri: string;

beforeAll(async () => {
  service = await oauthService({ APP_URL: 'https://app.example/' });
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
  await service?.close();
});

test('a person signs in and gives consent by keyboard only', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = problemsOf(page);
  const verifier = newVerifier();
  await page.goto(
    authorizationUrl({ ...service, client_id: service.native.id, redirect_uri: redirectUri, scopes, verifier }),
  );

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
  expect(location.origin + location.pathname).toBe(redirectUri);
  expect(location.searchParams.get('iss')).toBe(service.base_url);
  const code = location.searchParams.get('code')!;
  const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  const response = await tokenRequest(service.base_url, service.native, body);
  const { access_token: accessToken } = (await response.json()) as Tokens;
  await expect(service.verify(accessToken)).resolves.toMatchObject({ company_ids: [service.company_ids[1]] });
  expect(problems).toEqual([]);
  await context.close();
});

test('a person accepts an invitation, signs in, and gives consent', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = problemsOf(page);
  const email = 'ines@example.com';
  await page.goto(await invitationFor(email));
  await page.locator('#password:focus').waitFor();
  await page.keyboard.type('short');
  await page.keyboard.press('Enter');
  await expect(page.evaluate(`document.querySelector('#password').validity.tooShort`)).resolves.toBe(true);
  await page.getByLabel('New password').fill(newPassword);
  await page.getByLabel('Repeat the password').fill('something else');
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect(page.getByRole('alert').textContent()).resolves.toBe('The two passwords are not the same.');
  await page.getByLabel('New password').fill(newPassword);
  await page.getByLabel('Repeat the password').fill(newPassword);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.getByRole('heading', { name: 'Welcome to Verde Logística' }).waitFor();
  await expect(page.getByRole('link', { name: 'Continue' }).getAttribute('href')).resolves.toBe('https://app.example/');

  await open(page);
  await signIn(page, { email, password: newPassword });
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('back in the app').waitFor();
  expect(new URL(page.url()).searchParams.get('code')).toBeTruthy();
  expect(problems).toEqual([]);
  await context.close();
});

test('a person resets a forgotten password and continues where they left off', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = problemsOf(page);
  const email = 'mariana@example.com';
  await open(page);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();

  const tab = await context.newPage();
  await tab.goto(await mailbox.link(email, 'Choose a new password'));
  await tab.getByLabel('New password').fill(newPassword);
  await tab.getByLabel('Repeat the password').fill(newPassword);
  await tab.keyboard.press('Enter');
  await tab.getByRole('status').getByText('Your password was changed').waitFor();
  await signIn(tab, { email, password: newPassword });
  await tab.getByRole('button', { name: 'Allow' }).click();
  await tab.getByText('back in the app').waitFor();

  await page.goto(`${service.base_url}/oauth/sign-out`);
  await page.getByText('Mariana Duarte').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

/** The link from the email to a newly invited person. */
async function invitationFor(email: string): Promise<string> {
  const { database, mail, base_url: baseUrl, company_ids: companyIds } = service;
  const tenant = database.db.tenant(companyIds[0]);
  const person = { name: 'Inês Sá', email, position: 'Driver', department: 'Fleet' };
  const { id } = await counted(tenant, (tx) => addCollaborator(tx, { user_id: null }, person));
  await inviteNow(tenant, { user_id: null, role: null }, id, { mail, base_url: baseUrl });
  return mailbox.link(email, 'Verde Logística invited you');
}

test('pages fit a phone, with targets that are large enough', async () => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  const page = await context.newPage();
  const capture = async (name: string) => {
    await takeScreenshot(page, `${name}-phone-dark`);
    const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect(wider).toBe(false);
    const targets = page.locator('button, a, label.choice, input:not([type=hidden], [type=checkbox])');
    const heights = await targets.evaluateAll((all) => all.map((target) => target.getBoundingClientRect().height));
    expect([name, Math.min(...heights) >= 44]).toEqual([name, true]);
  };
  await open(page);
  await capture('1-sign-in');
  await page.getByLabel('Email address').fill(service.ana.email);
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await capture('2-sign-in-failed');
  await signIn(page);
  await capture('3-consent');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Verde Logística').check();
  await capture('4-consent-failed');
  await page.goto(`${service.base_url}/oauth/sign-out`);
  await capture('5-sign-out');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.goto(`${service.base_url}/oauth/authorize?client_id=unknown`);
  await capture('6-error');

  await page.goto(await invitationFor('ines-phone@example.com'));
  await capture('7-accept');
  await page.getByLabel('New password').fill('password1234567');
  await page.getByLabel('Repeat the password').fill('password1234567');
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.getByRole('alert').waitFor();
  await capture('8-accept-failed');
  await page.goto(`${service.base_url}/oauth/forgot`);
  await capture('9-forgot');
  await page.getByLabel('Email address').fill(service.ana.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  await page.goto(await mailbox.link(service.ana.email, 'Choose a new password'));
  await capture('10-reset');
  await context.close();
});

async function open(page: Page): Promise<void> {
  const verifier = newVerifier();
  await page.goto(
    authorizationUrl({ ...service, client_id: service.native.id, redirect_uri: redirectUri, scopes, verifier }),
  );
}

async function signIn(
  page: Page,
  { email, password }: { email: string; password: string } = service.ana,
): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Allow' }).waitFor();
}

function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const name = element.labels?.[0] ?? element;
    return name.innerText.trim().replace(/\\s+/g, ' ');
  })()`);
}

/** The focus outline of the element, or of the label around it. */
function outline(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const marked = element.closest('label') ?? element;
    return getComputedStyle(marked).outlineStyle;
  })()`);
}

/** Errors that the browser reports: policy violations, missing files, and failing scripts. */
function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().match(/status of 4(00|01|10)/)) return;
    problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return problems;
}
