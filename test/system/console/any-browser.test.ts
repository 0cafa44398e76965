/** The console in unusually configured browsers, behind proxies that drop headers, after a deployment, and with a crashing screen. */
import type { Browser, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { expectTexts } from '../../helpers/browser/locators.ts';
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

test('behind a proxy that drops ETags, saves a person without an empty If-Match', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  const ifMatchHeaders: (string | undefined)[] = [];
  await page.route('**/v1/**', async (route) => {
    const request = route.request();
    if (['PATCH', 'PUT'].includes(request.method())) ifMatchHeaders.push(request.headers()['if-match']);
    const reply = await route.fetch();
    const { etag: _, ...headers } = reply.headers();
    await route.fulfill({ response: reply, headers });
  });
  const id = app.employee.collaborator_id;
  await page.evaluate(`history.pushState(null, '', '/console/${app.company_id}/people/${id}')`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Location', { exact: true }).fill('Setúbal');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  expect(ifMatchHeaders).toEqual([undefined]);
  expect((await app.admin.get(`/v1/collaborators/${id}`)).body.location).toBe('Setúbal');
  await done();
});

/** As in Chromium on Linux with LANG=pt_BR.UTF-8@euro, and invalid values, with a date in each. */
const unusualLanguages: [string[], string][] = [
  [['pt_BR.UTF-8@euro', 'pt'], '2 de mar. de 2026'],
  [['', 'x', '*', 'en-'], '2026'],
];

test('renders a person with unusual languages, and all screens without site storage', async () => {
  const id = app.report.collaborator_id;
  await app.admin.patch(`/v1/collaborators/${id}`, { hire_date: '2026-03-02' }).expect(200);
  const { page, context, problems } = await openConsole(app, browser, 'admin', '');
  for (const [languages, date] of unusualLanguages) {
    await context.addInitScript((tags) => {
      Object.defineProperty(Navigator.prototype, 'languages', { get: () => tags });
      Object.defineProperty(Navigator.prototype, 'language', { get: () => tags[0] ?? '' });
    }, languages);
    await page.goto(`${app.base_url}/console/${app.company_id}/people/${id}`);
    await page.getByText(date).first().waitFor();
    expect([languages, problems]).toEqual([languages, []]);
  }
  await context.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get: () => {
        throw new DOMException('The document is sandboxed.', 'SecurityError');
      },
    });
  });
  await page.goto(`${app.base_url}/console/${app.company_id}/people`);
  await page.getByRole('link', { name: 'Clara Sousa' }).waitFor();
  await page.locator('nav').getByRole('link').first().click();
  await page.locator('canvas').first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});

const remove = (page: Page, names: string) => page.route(new RegExp(`/assets/(${names})-`), (route) => route.abort());

test('without files of a deployment that is gone, changes are saved, menus offer to reload, and typed text stays until then', async () => {
  const person = `/${app.company_id}/people/${app.employee.collaborator_id}`;
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const, locale: 'en-US' };
  const { page, context } = await openConsole(app, browser, 'admin', person, options);
  await remove(page, 'toast-list|headcount-charts|command-menu|account-menu');
  await page.getByRole('button', { name: 'Edit' }).click();
  const position = page.getByLabel('Position');
  await position.fill('Dispatcher');
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/toast-list-'));
  await page.getByRole('button', { name: 'Save' }).click();
  await lost;
  await page.getByText('Dispatcher').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByText('Something went wrong in the console').count()).toBe(0);
  await page.getByRole('link', { name: 'Home' }).first().click();
  const headcount = page.getByRole('region', { name: 'Headcount' });
  await headcount.scrollIntoViewIfNeeded();
  await headcount.getByText("The chart didn't load.").waitFor();

  await page.goBack();
  await page.getByRole('button', { name: 'Edit' }).click();
  await position.fill('Night shift');
  const offer = page.getByRole('dialog', { name: 'Reload to continue' });
  for (const name of [/account, language, sign out/, /Search or go to/]) {
    await page.getByRole('button', { name }).press('Enter');
    await offer.waitFor();
    await takeScreenshot(page, 'reload');
    await page.keyboard.press('Escape');
    await offer.waitFor({ state: 'detached' });
  }
  expect(await position.inputValue()).toBe('Night shift');
  await page.keyboard.press('Control+k');
  await offer.waitFor();
  await page.unrouteAll();
  page.once('dialog', (unsaved) => unsaved.accept());
  await offer.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search or go to' }).waitFor();
  await context.close();
});

describe('a crashing screen', () => {
  /** An impossible response that makes a screen crash while rendering. */
  const breakApps = (page: Page) => page.route('**/v1/apps?*', (route) => route.fulfill({ json: { data: [null] } }));

  test('keeps the rest, shows the error, and recovers by reloading, going home, or opening another screen', async () => {
    const { page, context } = await openConsole(app, browser, 'admin', '');
    await page.getByRole('heading', { level: 1, name: 'Verde Logística' }).waitFor();
    await breakApps(page);
    await page.getByRole('link', { name: 'Apps', exact: true }).first().click();
    const alert = page.getByRole('alert');
    await expectTexts(alert.locator('p'), [
      'Something went wrong in the console',
      'Reload the page and try again. If it happens again, send the details to support.',
    ]);
    await page.getByRole('link', { name: 'People' }).first().waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await page.getByText('Details', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy the details' }).click();
    const details = await page.evaluate('navigator.clipboard.readText()');
    for (const part of ['TypeError', `/console/${app.company_id}/apps`, 'Chrome/', 'en-GB']) {
      expect(details).toContain(part);
    }
    expect(details).not.toMatch(/eyJ[\w-]{20}/);
    expect(await page.locator('pre').filter({ hasText: 'TypeError' }).textContent()).toBe(details);

    await page.getByRole('link', { name: 'People' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    expect(await alert.count()).toBe(0);

    await page.getByRole('link', { name: 'Apps', exact: true }).first().click();
    await alert.getByText('Something went wrong in the console').waitFor();
    await page.unroute('**/v1/apps?*');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
    expect(await alert.count()).toBe(0);

    // In the frame.
    await page.route('**/v1/permissions', (route) => route.fulfill({ json: { permissions: 1, role: { a: 1 } } }));
    await page.route('**/auth/user', async (route) => {
      const reply = await route.fetch();
      const user = await reply.json();
      await route.fulfill({ json: { ...user, name: { no: 'text' } } });
    });
    await page.reload();
    await page.getByText('Something went wrong in the console').first().waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByText('You are signed in as Mariana Duarte').waitFor();
    await context.close();
  });
});
