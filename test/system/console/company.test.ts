/** Company settings in the console: name and policies, and step-up. */
import type { Browser, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../helpers/browser/console.ts';
import { checkLayouts } from '../../helpers/browser/layouts.ts';
import { expectCount } from '../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { age } from '../../identity/service.ts';

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

const here = () => `/${app.company_id}/company`;
const rules = async () => (await app.admin.get('/v1/company').expect(200)).body;
const saved = (page: Page) => page.getByText('Saved.', { exact: true }).waitFor();
/** Backdates the browser's sign-in by two hours; the console gets tokens for it at the next load. */
const later = () => age(app, 'Session', 7_200);

test('an admin changes the company and its policies after a summary of the effects, with links to affected people', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('region', { name: 'People by department' }).getByRole('link').first().waitFor();
  await checkLayouts(page, 'company');
  await page.getByLabel('Name', { exact: true }).fill('Verde Logística e Filhos');
  await page.getByLabel('Email language').selectOption('pt-BR');
  await page.getByRole('button', { name: 'Save' }).click();
  await saved(page); // no confirmation, because it affects nobody
  await page.getByRole('banner').getByText('Verde Logística e Filhos').waitFor();

  await page.getByLabel('Time zone').fill('America/Nowhere');
  await page.getByLabel('Sign in again after').selectOption('8 hours');
  await page.getByLabel('Everything that people authorize').uncheck();
  await page.getByLabel('See people and their profiles').check();
  await page.getByRole('button', { name: 'Save' }).click();
  const window = page.getByRole('dialog', { name: "Change the company's rules?" });
  await window.getByText('Days start and end in another time zone').waitFor();
  await expectCount(window.getByRole('listitem'), 3);
  await window.getByRole('button', { name: 'Save' }).click();
  await window.getByText('Request ID').waitFor();
  await window.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel('Time zone').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Time zone').fill('America/Manaus');
  await page.getByRole('button', { name: 'Save' }).click();
  await window.getByRole('button', { name: 'Save' }).click();
  await saved(page);
  const policy = { session_max_age: 28_800, allowed_scopes: ['collaborators:read'] };
  expect(await rules()).toMatchObject({ time_zone: 'America/Manaus', locale: 'pt-BR', policy });

  await page.getByRole('region', { name: 'People by department' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  expect(new URL(page.url()).search).toMatch(/^\?department=./);
  await done();
});

test('step-up opens a window, and the action continues afterwards, by keyboard only, if the same user has signed in', async () => {
  await app.admin.put('/v1/company', { policy: { step_up: true } }).expect(200);
  const { page, context, problems } = await openConsole(app, browser, 'admin', here());
  await later();
  await page.reload();
  await page.getByLabel('Name', { exact: true }).fill('Verde Oeste');
  await tabTo(page, page.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign in again to do this' });
  await dialog.getByText('asks for a sign-in of the last 15 minutes').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'step-up');
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('Sign in again to do this').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Verde Oeste');
  expect((await rules()).name).not.toBe('Verde Oeste');

  await page.getByLabel('Time zone').fill('America/Belem');
  await page.getByRole('button', { name: 'Save' }).click();
  // On top of another dialog.
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor();
  await tabTo(page, dialog.getByRole('button', { name: 'Sign in again' }));
  const opened = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const window = await opened;
  await window.locator('#password').fill('correct horse battery staple');
  await window.keyboard.press('Enter');
  await saved(page);
  expect(await rules()).toMatchObject({ name: 'Verde Oeste', time_zone: 'America/Belem' });
  expect(window.isClosed()).toBe(true);
  expect(await page.evaluate('JSON.stringify([sessionStorage, localStorage])')).not.toMatch(/token|verifier|eyJ/);
  expect(problems).toEqual([]);

  // A closed window, and another user who signs in there.
  await later();
  await page.reload();
  await page.getByLabel('Name', { exact: true }).fill('Verde Leste');
  await page.getByRole('button', { name: 'Save' }).click();
  const act = dialog.getByRole('button', { name: 'Sign in again' });
  const [first] = await Promise.all([page.waitForEvent('popup'), act.click()]);
  await first.locator('#password').waitFor();
  await first.close();
  await act.waitFor();
  const [second] = await Promise.all([page.waitForEvent('popup'), act.click()]);
  await second.locator('#email').fill('rui.almeida@example.com');
  await second.locator('#password').fill('correct horse battery staple');
  await second.locator('button.primary').click();
  await page.getByText('You are signed in as Rui Almeida, manager.').waitFor();
  expect((await rules()).name).not.toBe('Verde Leste');
  await app.admin.put('/v1/company', { policy: { step_up: false } }).expect(200);
  await context.close();
});
