/** Console navigation: command menu, shortcuts, screen groups, and the phone’s tab bar. */
import type { Browser, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { expectVisibleTexts } from '../../helpers/browser/locators.ts';
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
  expect(await axeViolations(page)).toEqual([]);
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

test('employees find their own items, and nothing they can’t access', async () => {
  const { page, context } = await openConsole(app, browser, 'employee', `/${app.company_id}`);
  await page.getByRole('link', { name: 'My profile' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tomás Rocha' }).waitFor();
  await page.keyboard.press('Control+k');
  await field(page).waitFor();
  await options(page).getByText('My profile').waitFor();
  const texts = await options(page).allInnerTexts();
  for (const other of ['Audit log', 'Add a person', 'Webhooks', 'Deleted people']) expect(texts).not.toContain(other);
  await context.close();
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
  const { page, context, problems } = await openConsole(app, browser, 'admin', `/${app.company_id}/people`, options);
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
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'More' }).click();
  const sheet = page.getByRole('dialog', { name: 'Screens' });
  await sheet.getByRole('link', { name: 'Audit log' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'phone-sheet');
  await sheet.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await sheet.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(problems).toEqual([]);
  await context.close();
});
