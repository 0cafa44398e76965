/** The console's frame: sign-in, sign-out, languages, load size, navigation, command menu, and shortcuts. */
import type { Browser, Page, Request } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../helpers/browser/console.ts';
import { expectCount, expectVisibleTexts } from '../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';

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
  const { page, context, problems, finished } = await openConsole(app, browser, 'admin', '', { locale: 'en-US' });
  await page.getByRole('heading', { level: 1, name: 'Verde Logística' }).waitFor();
  await page.getByText('No deliveries in this time range.').waitFor();
  await page.waitForLoadState('networkidle');
  await expectSmallLoad(finished);
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

/** Expects a first load of at most 200 kB, compressed. */
async function expectSmallLoad(finished: Request[]): Promise<void> {
  const assets = new Map<string, number>();
  for (const request of finished.filter((each) => pathOf(each).startsWith('/console/'))) {
    const { responseBodySize } = await request.sizes();
    // Signing in loads the page twice, the second time from the browser's cache.
    assets.set(pathOf(request), Math.max(responseBodySize, assets.get(pathOf(request)) ?? 0));
  }
  expect(assets.size).toBeGreaterThan(2);
  expect(Math.min(...assets.values())).toBeGreaterThan(0);
  expect([...assets.values()].reduce((all, size) => all + size, 0)).toBeLessThan(200_000);
}

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

/** Opens a screen in the page, after one that none of the expected texts are on. */
async function show(page: Page, path: string): Promise<void> {
  for (const each of ['/none', path]) {
    await page.evaluate(`history.pushState(null, '', '/console${each}')`);
    if (each === '/none') await page.locator('main > .alone').waitFor();
  }
}

test('an employee sees only their own record, and neither requests nor links what the role can’t see', async () => {
  const { page, finished, done } = await openConsole(app, browser, 'employee');
  const own = page.getByRole('region', { name: 'Your record' });
  await own.getByRole('link', { name: 'Tomás Rocha' }).waitFor();
  await expectCount(page.locator('main').getByRole('region'), 1);
  await expectVisibleTexts(page.getByRole('navigation', { name: 'Screens' }).getByRole('link'), [
    'Home',
    'My profile',
    'Exports',
    'Connected apps',
    'Company settings',
  ]);
  await page.keyboard.press('Control+k');
  await options(page).getByText('My profile').waitFor();
  const texts = await options(page).allInnerTexts();
  for (const other of ['Audit log', 'Add a person', 'Webhooks', 'Deleted people']) expect(texts).not.toContain(other);
  await page.keyboard.press('Escape');
  const screens = ['webhooks', 'events', 'audit', 'imports', 'imports/new', 'apps', 'fields'];
  for (const screen of screens) {
    await show(page, `/${app.company_id}/${screen}`);
    await page.getByText('Only admins can see this').waitFor();
  }
  await show(page, `/${app.company_id}/company`);
  await page.getByText('Require a recent sign-in for sensitive actions').waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  expect(await page.getByRole('textbox').count()).toBe(0);
  const refused = ['invitations', 'sign-in-summary', ...screens].map((each) => `/v1/${each}`);
  expect(finished.map(pathOf).filter((path) => refused.includes(path))).toEqual([]);
  await done();
});

test('an unknown screen keeps the navigation, and an unknown company or id shows an error', async () => {
  const company = `/${app.company_id}`;
  const { page, done } = await openConsole(app, browser, 'admin', company);
  for (const path of ['unknown', 'people/org/unknown']) {
    await show(page, `${company}/${path}`);
    await page.getByRole('main').getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Imports' }).click();
    await page.getByRole('heading', { name: 'Imports' }).waitFor();
  }
  await show(page, `/${unknownId}/webhooks`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  for (const kind of ['people', 'imports', 'webhooks', 'apps', 'connections']) {
    await show(page, `${company}/${kind}/${unknownId}`);
    await page.getByText('Not found').waitFor();
  }
  await done();
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

const field = (page: Page) => page.getByRole('combobox', { name: 'People, screens and actions' });
const options = (page: Page) => page.getByRole('dialog').getByRole('option');

test('finds a person, a screen, and an action by keyboard only, and lists recent ones first', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  await page.getByRole('heading', { name: 'Your record' }).waitFor();
  await page.keyboard.press('Control+k');
  await field(page).waitFor();
  await page.keyboard.type('clara');
  await page.getByRole('option', { name: /Clara Sousa/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'command-menu');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Clara Sousa' }).waitFor();

  await page.keyboard.press('Control+k');
  await field(page).waitFor();
  await page.keyboard.type('audit');
  await expectVisibleTexts(options(page), ['Audit log']);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();

  await page.keyboard.press('Control+k');
  await field(page).waitFor();
  await expectVisibleTexts(options(page).nth(0), ['Audit log']);
  await expectVisibleTexts(options(page).nth(1), [expect.stringContaining('Clara Sousa')]);
  await page.keyboard.type('no such thing');
  await page.getByText('Nothing found').waitFor();
  await page.keyboard.press('Escape');
  await field(page).waitFor({ state: 'detached' });
  await done();
});

test('remembers collapsed screen groups', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/people`);
  await page.getByRole('button', { name: 'Collapse' }).click();
  await page.getByRole('button', { name: 'Expand the menu' }).waitFor();
  await takeScreenshot(page, 'narrow');
  await page.reload();
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await page.getByRole('button', { name: 'Expand the menu' }).click();
  await done();
});

test('a phone has a tab bar with four screens and a menu for the rest', async () => {
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/people`, options);
  await page.getByRole('link', { name: 'Clara Sousa' }).waitFor();
  await expectVisibleTexts(page.getByRole('navigation', { name: 'Main screens' }).getByRole('link'), [
    'Home',
    'People',
    'Org chart',
    'My profile',
  ]);
  expect(await page.getByRole('combobox', { name: 'Department' }).isVisible()).toBe(false);
  await takeScreenshot(page, 'phone-people');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Department' }).waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  const sheet = page.getByRole('dialog', { name: 'Screens' });
  await sheet.getByRole('link', { name: 'Audit log' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'phone-sheet');
  await sheet.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await sheet.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await done();
});

test('shortcuts open screens and the search, but not while typing, and can be disabled', async () => {
  const { page, context, problems } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  await page.getByRole('heading', { name: 'Your record' }).waitFor();
  await page.keyboard.type('gp');
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  await page.getByRole('link', { name: 'Clara Sousa' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('gw?');
  await page.getByText('No one matches').waitFor();
  expect(new URL(page.url()).searchParams.get('search')).toBe('gw?');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Audit log').waitFor();
  await takeScreenshot(page, 'shortcuts');
  await help.getByLabel('Use shortcuts of single letters').uncheck();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.type('gw');
  await page.keyboard.press('Control+k');
  await field(page).waitFor(); // no screen was opened
  expect(page.url()).toContain('/people');
  expect(problems).toEqual([]);
  await context.close();
});
