/** The console's frame: sign-in, sign-out, sessions, companies, languages, and load size. */
import type { Browser, Request } from 'playwright-core';
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
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  await page.getByText('No deliveries in this time range.').waitFor();
  let requests = 0;
  await page.route('**/v1/apps?*', (route) => {
    requests += 1;
    if (requests > 1) return route.continue();
    return route.fulfill({ status: 401, json: { error: 'token_expired', message: 'The access token has expired.' } });
  });
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await page.getByText('No apps registered yet').waitFor();
  expect(requests).toBe(2);
  await done();
});

test('retries a rate-limited sign-in once, silently, if the wait is short', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  await page.getByText('No deliveries in this time range.').waitFor();
  const json = { error: 'rate_limited', error_description: 'Too many requests.' };
  await page.route('**/oauth/token', (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '3600' }, json }),
  );
  await page.reload();
  await page.getByText('Too many requests.').waitFor(); // doesn't wait for an hour
  await page.unroute('**/oauth/token');
  const requests: Record<string, number> = {};
  for (const path of ['/oauth/token', '/auth/user', '/v1/permissions']) {
    await page.route(`**${path}`, (route) => {
      requests[path] = (requests[path] ?? 0) + 1;
      if (requests[path] > 1) return route.continue();
      const reply = { error: 'rate_limited', message: 'Too many requests.' };
      return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: reply });
    });
  }
  await page.reload();
  await page.getByText('No deliveries in this time range.').waitFor();
  expect(requests).toEqual({ '/oauth/token': 2, '/auth/user': 2, '/v1/permissions': 2 });
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

test('an unknown screen keeps the navigation, and an unknown company or id shows an error', async () => {
  const company = `/${app.company_id}`;
  for (const path of ['unknown', 'people/org/unknown']) {
    const { page, done } = await openConsole(app, browser, 'admin', `${company}/${path}`);
    await page.getByRole('main').getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Imports' }).click();
    await page.getByRole('heading', { name: 'Imports' }).waitFor();
    await done();
  }
  const { page: elsewhere, done: left } = await openConsole(app, browser, 'admin', `/${unknownId}/webhooks`);
  await elsewhere.getByRole('heading', { name: 'Page not found' }).waitFor();
  await left();
  for (const kind of ['people', 'imports', 'webhooks', 'apps', 'connections']) {
    const { page, done } = await openConsole(app, browser, 'admin', `${company}/${kind}/${unknownId}`);
    await page.getByText('Not found').waitFor();
    await done();
  }
});

const unknownId = '0199ba31-8d0e-7f52-b6c9-04a7e3d15f88';

test('uses the language of the browser, of which it loads only the catalog, or the one chosen by keyboard', async () => {
  const options = { locale: 'es-ES', viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };
  const { page, context, problems, finished } = await openConsole(app, browser, 'admin', `/${app.company_id}`, options);
  await page.getByText('Ha iniciado sesión como Mariana Duarte, administrador(a).').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  const labels = await page.locator('.bottom :is(a, button) > span').all();
  const areCut = labels.map((label) => label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  expect(await Promise.all(areCut)).toEqual([false, false, false, false, false]);
  expect(new Set(finished.map(pathOf).filter((path) => /assets\/(es|pt)-/.test(path))).size).toBe(1);
  const button = page.getByRole('button', { name: /Mariana Duarte/ });
  await tabTo(page, button);
  for (let time = 0; time < 2; time++) {
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    if (time === 0) expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('End');
    await page.getByRole('menuitem', { name: 'Cerrar sesión' }).and(page.locator('[data-highlighted]')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
  }
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'English' }).press('Enter');
  await page.getByText('You are signed in as Mariana Duarte, admin.').waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  expect(problems).toEqual([]);
  await context.close();
});

const pathOf = (request: Request) => new URL(request.url()).pathname;

test('the first load is at most 200 kB compressed, from its own origin', async () => {
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
  expect(problems).toEqual([]);
  await context.close();
});
