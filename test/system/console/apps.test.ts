/** Apps in the console: register, change, rotate the secret, try, and delete. */
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../helpers/browser/console.ts';
import { checkLayouts } from '../../helpers/browser/layouts.ts';
import { expectTexts } from '../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { addApp } from '../../helpers/resources/apps.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
});

beforeEach(async () => {
  const { database } = app;
  await database.query(
    'delete from oauth_grants where client_id in (select id from oauth_clients where company_id is not null)',
  );
  await database.query('delete from oauth_clients where company_id is not null');
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const here = (path = '') => `/${app.company_id}/apps${path}`;
const appOf = async (id: string) => (await app.admin.get(`/v1/apps/${id}`).expect(200)).body;
const code = async (page: Page, title: string) =>
  (await page.getByRole('figure', { name: title }).locator('pre').textContent())!;

async function allow(page: Page): Promise<void> {
  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in and authorize' }).click(),
  ]);
  await window.locator('button.primary').click();
}

test('an admin registers an app, tries it, and exchanges its code with the shown commands', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByText('No apps registered yet').waitFor();
  await page.getByRole('link', { name: 'Register an app' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shift planner');
  await page.getByLabel('Redirect URI 1').fill('http://planner.example/callback');
  await page.getByRole('button', { name: 'Register the app' }).click();
  await page.getByText('Request ID').waitFor();
  expect(await page.getByLabel('Redirect URI 1').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Redirect URI 1').getAttribute('aria-describedby')).toBe('redirects-error');
  expect(await page.getByRole('alert').getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/^Redirect URIs: /),
  ]);
  await page.getByLabel('Redirect URI 1').fill('https://planner.example/callback');
  await page.getByRole('button', { name: 'Add a redirect URI' }).click();
  await page.getByLabel('Redirect URI 2').fill('http://127.0.0.1/callback');
  await page.getByLabel('See people and their profiles').uncheck();
  await page.getByRole('button', { name: 'Register the app' }).click();
  await page.getByText('This is shown only once.').waitFor();
  const [id, secret] = [await code(page, 'Client ID'), await code(page, 'Secret')];
  expect(secret).toMatch(/^cma_cs_/);
  const uris = ['https://planner.example/callback', 'http://127.0.0.1/callback'];
  expect(await appOf(id)).toMatchObject({ redirect_uris: uris, scopes: ['profile', 'offline_access'] });
  await takeScreenshot(page, 'app-made');

  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByRole('button', { name: 'Add this redirect URI' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add this redirect URI' }).click();
  await allow(page);
  await page.getByText('You authorized it').waitFor();
  await takeScreenshot(page, 'app-tried');
  const lines = await code(page, 'Exchange the code');
  expect(lines).not.toContain(secret);
  const env = { ...process.env, CLIENT_SECRET: secret };
  const cwd = await mkdtemp(join(tmpdir(), 'trial-'));
  const { stdout } = await promisify(execFile)('sh', ['-euc', lines], { env, cwd });
  expect(JSON.parse(stdout)).toMatchObject({ name: 'Mariana Duarte', scopes: ['profile'] });
  await page.getByRole('link', { name: 'See who authorized it' }).last().click();
  await page.getByRole('link', { name: 'Shift planner' }).waitFor();
  await done();
});

test('trying a public app uses its token once, never shows it, and leaves nothing behind', async () => {
  const uri = `${app.base_url}/console/try`;
  const id = await addApp(app, { name: 'Door tablet', secret_hash: null, scopes: ['profile'], redirect_uris: [uri] });
  const { page, context, done } = await openConsole(app, browser, 'admin', here(`/${id}/try`));
  const tokenResponse = page.waitForResponse((response) => response.url().endsWith('/oauth/token'));
  await allow(page);
  await page.getByText('The console revoked the access').waitFor();
  const { access_token: accessToken } = (await (await tokenResponse).json()) as { access_token: string };
  expect(JSON.parse(await code(page, 'GET /auth/user'))).toMatchObject({ name: 'Mariana Duarte', scopes: ['profile'] });
  expect(JSON.parse(await code(page, 'POST /oauth/token'))).toMatchObject({ access_token: '***', scope: 'profile' });
  expect(await page.content()).not.toContain(accessToken);
  await app.anon.get('/auth/user').set('Authorization', `Bearer ${accessToken}`).expect(401);
  expect((await app.admin.get(`/v1/connections?client_id=${id}`).expect(200)).body.data).toEqual([]);
  await takeScreenshot(page, 'app-tried-public');

  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in and authorize' }).click(),
  ]);
  await window.locator('button:not(.primary)[value]').last().click(); // denied
  await page.getByText('Authorization was denied').waitFor();
  await page.getByText('access_denied').waitFor();
  // Responses without a request are ignored.
  const other = await context.newPage();
  await other.goto(`${uri}?code=stolen&state=window.other`);
  await other.getByText('Continue in the console window.').waitFor();
  await other.close();
  await done();
});

test('saves an app against the version that was read, and confirms changes that others will notice', async () => {
  const fields = {
    visibility: 'everyone',
    approved_at: '2026-01-01T00:00:00.000Z',
    scopes: ['profile', 'salary:read'],
  };
  const id = await addApp(app, fields);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}`));
  await page.getByText('approved for everyone', { exact: true }).waitFor();
  await page.getByLabel('Description').fill('Plans');
  await app.admin.put(`/v1/apps/${id}`, { description: 'Their words', website: 'https://planner.example' }).expect(200);
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('alert');
  const row = conflict.getByRole('row', { name: 'Description' });
  await row.waitFor();
  await expectTexts(row.getByRole('cell'), ['Their words', 'Plans']);
  await page.getByRole('button', { name: 'Save my version' }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await appOf(id)).toMatchObject({ description: 'Plans', website: 'https://planner.example' });

  await app.database.query('update oauth_clients set approved_at = now() where id = $1', [id]);
  await page.reload();
  await page.getByLabel('See salaries').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  const window = page.getByRole('dialog', { name: 'Others will notice this change' });
  await window.getByText("The operator's approval ends").waitFor();
  await window.getByRole('button', { name: 'Save' }).click();
  await page.getByText('waiting for approval', { exact: true }).waitFor();
  expect(await appOf(id)).toMatchObject({ scopes: ['profile'], approved_at: null });
  await done();
});

test('rotates the secret with a countdown for the old one, and deletes the app, by keyboard only', async () => {
  const id = await addApp(app);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}`));
  const press = async (name: string, within = page.locator('body')) => {
    const button = within.getByRole('button', { name });
    await button.waitFor();
    await tabTo(page, button);
    await page.keyboard.press('Enter');
  };
  const window = page.getByRole('dialog');
  await press('Rotate the secret');
  await press('Rotate', window);
  await window.getByText('This is shown only once.').waitFor();
  await press("I've stored it", window);
  await page.reload();
  await page.getByRole('timer').waitFor();
  expect(await page.getByRole('timer').textContent()).toMatch(/^2[34]:\d\d:\d\d$/);
  await page.getByLabel('Description').fill('Saved over another secret'); // not a conflict
  await press('Rotate the secret');
  await page.getByLabel('The secret may have leaked').press('Space');
  await press('Rotate', window);
  await window.getByText('All previous secrets were revoked.').waitFor();
  await press("I've stored it", window);
  await press('Save');
  await page.getByText('Saved.', { exact: true }).waitFor();
  expect(await page.getByRole('timer').count()).toBe(0);
  await press('Delete the app');
  await window.getByText('Shift planner loses all access').waitFor();
  await press('Delete the app', window);
  await page.getByText('No apps registered yet').waitFor();
  await app.admin.get(`/v1/apps/${id}`).expect(404);
  await done();
});

test('every screen fits and passes axe, wide and on a phone', async () => {
  await addApp(app, { name: 'Freight board', visibility: 'everyone', scopes: ['profile', 'collaborators:read'] });
  const id = await addApp(app, {
    redirect_uris: [`${app.base_url}/console/try`, 'https://planner.example/callback'],
  });
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('link', { name: 'Freight board' }).waitFor();
  await checkLayouts(page, 'apps');
  await page.getByRole('link', { name: 'Freight board' }).click();
  await page.getByRole('button', { name: 'Delete the app' }).waitFor();
  await checkLayouts(page, 'app');
  await page.evaluate(`history.pushState(null, '', '/console${here(`/${id}/try`)}')`);
  await page.getByRole('button', { name: 'Sign in and authorize' }).waitFor();
  await checkLayouts(page, 'app-try');
  await done();
});
