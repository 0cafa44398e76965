/** The console's frame: sign-in, sign-out, sessions, companies, languages, and load size. */
import type { Browser, Request } from 'playwright-core';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../helpers/browser/console.ts';
import { expectVisibleTexts } from '../../helpers/browser/locators.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

test('signs in, reloads without a prompt, stores no token beyond the tab, and signs out', async () => {
  const { page, context, problems } = await openConsole(app, browser, 'admin');
  await page.getByRole('heading', { level: 1, name: 'Verde Logística' }).waitFor();
  const url = page.url();
  expect(url).toBe(`${app.base_url}/console/${app.company_id}`);
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.toMatch(
    /eyJ[\w-]{20}|ref/,
  );
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Verde Logística' }).waitFor();
  expect(page.url()).toBe(url);
  await page.getByRole('button', { name: /Mariana Duarte/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.goto(url);
  await page.getByLabel('Email address').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('replaces a rejected token silently', async () => {
  const { page, context } = await openConsole(app, browser, 'admin', `/${app.company_id}/webhooks`);
  await page.getByText('No webhook endpoints yet').waitFor();
  let refused = 0;
  await page.route('**/v1/webhooks?*', async (route) => {
    const isFirst = refused === 0;
    refused += 1;
    if (!isFirst) return route.continue();
    return route.fulfill({ status: 401, json: { error: 'token_expired', message: 'The access token has expired.' } });
  });
  // The list is requested again automatically.
  await page.waitForResponse((response) => response.url().includes('/v1/webhooks?') && response.status() === 200);
  expect(refused).toBeGreaterThan(1);
  expect(await page.getByRole('alert').count()).toBe(0);
  await context.close();
});

test('retries a rate-limited sign-in once, silently, if the wait is short', async () => {
  const { page, context, problems } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  await page.getByText('No deliveries in this time range.').waitFor();
  const requests: Record<string, number> = {};
  for (const path of ['/oauth/token', '/auth/user', '/v1/permissions']) {
    await page.route(`**${path}`, (route) => {
      requests[path] = (requests[path] ?? 0) + 1;
      if (requests[path] > 1) return route.continue();
      const json = { error: 'rate_limited', message: 'Too many requests.' };
      return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json });
    });
  }
  await page.reload();
  await page.getByText('No deliveries in this time range.').waitFor();
  expect(requests).toEqual({ '/oauth/token': 2, '/auth/user': 2, '/v1/permissions': 2 });

  await page.unroute('**/oauth/token');
  const json = { error: 'rate_limited', error_description: 'Too many requests.' };
  await page.route('**/oauth/token', (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '3600' }, json }),
  );
  await page.reload();
  await page.getByText('Too many requests.').waitFor(); // doesn't wait for an hour
  expect(problems).toEqual([]);
  await context.close();
});

test('reports a sign-in that ended elsewhere, and returns to the same place after a new one', async () => {
  const { page, context } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  await page.getByText('No deliveries in this time range.').waitFor();
  const other = await context.newPage();
  await other.goto(`${app.base_url}/oauth/sign-out`);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText("You're signed out").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in again' }).first().click(),
  ]);
  await popup.locator('#password').fill('correct horse battery staple');
  await popup.locator('button.primary').click();
  await page.getByText('No webhook endpoints yet').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await context.close();
});

test('switches between two companies, and doesn’t show one of someone else', async () => {
  const [other] = await app.database.query<{ company_id: string }>(
    "select company_id from collaborators where email = 'jonas.petersen@example.com'",
  );
  const person = { name: 'Rui Almeida', email: 'rui.almeida@example.com', position: 'Guest', department: 'Ops' };
  await createPerson(app.database.db, other!.company_id, { ...person, password: 'correct horse battery staple' });
  const { page, done } = await openConsole(app, browser, 'manager', `/${app.company_id}`);
  await page.getByText('You are signed in as Rui Almeida, manager.').waitFor();
  await page.getByRole('combobox', { name: 'Company' }).selectOption('Nordwind Spedition');
  await page.getByText('You are signed in as Rui Almeida, employee.').waitFor();
  expect(page.url()).toContain(other!.company_id);
  await page.goto(`${app.base_url}/console/7c9e6679-7425-40de-944b-e07fc1f90ae7/webhooks`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await done();
});

test('neither requests nor links what the role can’t see, and its URL explains why', async () => {
  for (const screen of ['webhooks', 'events', 'audit', 'imports', 'imports/new', 'apps', 'fields']) {
    const { page, finished, done } = await openConsole(app, browser, 'employee', `/${app.company_id}/${screen}`);
    await page.getByText('Only admins can see this').waitFor();
    await expectVisibleTexts(page.getByRole('navigation', { name: 'Screens' }).getByRole('link'), [
      'Home',
      'My profile',
      'Exports',
      'Connected apps',
      'Company settings',
    ]);
    expect(finished.map(pathOf).filter((path) => path === `/v1/${screen}`)).toEqual([]);
    await done();
  }
});

test('an unknown screen keeps the navigation, and an unknown id shows an error', async () => {
  const company = `/${app.company_id}`;
  for (const path of ['unknown', 'people/org/unknown']) {
    const { page, done } = await openConsole(app, browser, 'admin', `${company}/${path}`);
    await page.getByRole('main').getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Imports' }).click();
    await page.getByRole('heading', { name: 'Imports' }).waitFor();
    await done();
  }
  for (const kind of ['people', 'imports', 'webhooks', 'apps', 'connections']) {
    const { page, done } = await openConsole(app, browser, 'admin', `${company}/${kind}/${unknownId}`);
    await page.getByText('Not found').waitFor();
    await done();
  }
});

const unknownId = '0199ba31-8d0e-7f52-b6c9-04a7e3d15f88';

test('uses the language of the browser, of which it loads only the catalog, or the chosen one', async () => {
  const options = { locale: 'es-ES', viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };
  const plain = await browser.newContext(options);
  const signIn = await plain.newPage();
  await signIn.goto(`${app.base_url}/console/${app.company_id}`);
  await signIn.locator('#email').waitFor();
  expect(await signIn.locator('html').getAttribute('lang')).toBe('es');
  await plain.close();
  const { page, context, problems, finished } = await openConsole(app, browser, 'admin', `/${app.company_id}`, options);
  await page.getByText('Ha iniciado sesión como Mariana Duarte, administrador(a).').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  const labels = await page.locator('.bottom :is(a, button) > span').all();
  const areCut = labels.map((label) => label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  expect(await Promise.all(areCut)).toEqual([false, false, false, false, false]);
  expect(new Set(finished.map(pathOf).filter((path) => /assets\/(es|pt)-/.test(path))).size).toBe(1);
  await page.getByRole('button', { name: /Mariana Duarte/ }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await page.getByText('You are signed in as Mariana Duarte, admin.').waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  expect(problems).toEqual([]);
  await context.close();
});

const pathOf = (request: Request) => new URL(request.url()).pathname;

test('the first load is at most 200 kB compressed, from its own origin, under a strict policy', async () => {
  const options = { locale: 'en-US' }; // in a new browser context
  const { page, context, problems, finished } = await openConsole(app, browser, 'admin', `/${app.company_id}`, options);
  await page.getByText('No deliveries in this time range.').waitFor();
  await page.waitForLoadState('networkidle');
  const assets = new Map<string, number>();
  for (const request of finished.filter((each) => pathOf(each).startsWith('/console/'))) {
    const { responseBodySize } = await request.sizes();
    // Signing in loads the page twice, the second time from the browser's cache.
    assets.set(pathOf(request), Math.max(responseBodySize, assets.get(pathOf(request)) ?? 0));
  }
  const bytes = [...assets.values()].reduce((all, size) => all + size, 0);
  expect(assets.size).toBeGreaterThan(2);
  expect(Math.min(...assets.values())).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(200_000);
  const { headers } = await app.anon.get('/console');
  expect(headers['content-security-policy']).toMatch(/script-src 'self';/);
  expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|http/);
  expect(problems).toEqual([]);
  await context.close();
});

test('the account menu opens and closes by keyboard on a phone, and returns the focus', async () => {
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const { page, done } = await openConsole(app, browser, 'employee', `/${app.company_id}`, options);
  const button = page.getByRole('button', { name: /account, language, sign out/ });
  await tabTo(page, button);
  for (let time = 0; time < 2; time++) {
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    if (time === 0) expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('End');
    await page.getByRole('menuitem', { name: 'Sign out' }).and(page.locator('[data-highlighted]')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
  }
  await done();
});
