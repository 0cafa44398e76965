/** An open page of the console after a deployment: the files that it hasn't loaded yet are gone. */
import type { Browser, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
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

const remove = (page: Page, names: string) => page.route(new RegExp(`/assets/(${names})-`), (route) => route.abort());

test('a saved change stays visible if the message about it can’t load, and home says which charts couldn’t', async () => {
  const person = `/${app.company_id}/people/${app.employee.collaborator_id}`;
  const { page, context } = await openConsole(app, browser, 'admin', person);
  await page.getByRole('button', { name: 'Edit' }).click();
  await remove(page, 'toast-list|headcount-charts');
  await page.getByLabel('Position').fill('Dispatcher');
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/toast-list-'));
  await page.getByRole('button', { name: 'Save' }).click();
  await lost;
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.getByText('Dispatcher').first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByText('Something went wrong in the console').count()).toBe(0);
  await page.getByRole('link', { name: 'Home' }).first().click();
  const headcount = page.getByRole('region', { name: 'Headcount' });
  await headcount.scrollIntoViewIfNeeded();
  await headcount.getByText("The chart didn't load.").waitFor();
  await context.close();
});

test('a menu that can’t load offers to reload, typed text stays until then, and reloading brings the menu back', async () => {
  const person = `/${app.company_id}/people/${app.employee.collaborator_id}`;
  const options = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };
  const { page, context } = await openConsole(app, browser, 'admin', person, options);
  await remove(page, 'command-menu|account-menu');
  await page.getByRole('button', { name: 'Edit' }).click();
  const position = page.getByLabel('Position');
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
  expect(await axeViolations(page)).toEqual([]);
  await page.unrouteAll();
  page.once('dialog', (unsaved) => unsaved.accept());
  await offer.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Search or go to' }).waitFor();
  await context.close();
});
