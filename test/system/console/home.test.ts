/** The console's home screen: tasks, delivery health, and one's own record. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../helpers/browser/console.ts';
import { expectCount, expectVisibleTexts } from '../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { addPerson } from '../../helpers/identity/people.ts';
import { selfSigned } from '../../helpers/identity/saml-provider.ts';
import { startImport } from '../../helpers/resources/imports.ts';
import { addSignInConnection } from '../../helpers/resources/sign-in-connections.ts';
import { addDelivery, addWebhook } from '../../helpers/resources/webhooks.ts';

const hourMs = 3_600_000;
let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
  const month = 30 * 24 * hourMs;
  const dayAgo = (months: number) => new Date(Date.now() - months * month).toISOString().slice(0, 10);
  const dates = [
    ['Ana Leal', { hire_date: '2019-05-06', termination_date: dayAgo(4) }],
    ['Davi Reis', { hire_date: '2020-02-03' }],
    ['Lia Brito', { hire_date: dayAgo(6), department: 'Customer Service' }],
    ['Ivo Pinto', { hire_date: dayAgo(6), department: 'Customer Service' }],
    ['Eva Matos', { hire_date: dayAgo(3), department: 'Warehouse' }],
    ['Nuno Vaz', { hire_date: dayAgo(8), termination_date: dayAgo(1) }],
  ] as const;
  for (const [name, fields] of dates) await addPerson(app, name, fields);
  await createTasks();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const here = () => `/${app.company_id}`;
const endedUrl = 'https://hooks.example.com/ended';

test('a manager sees their record, team, and tasks, which they can’t snooze', async () => {
  const { page, done } = await openConsole(app, browser, 'manager', here());
  const team = page.getByRole('region', { name: 'Your team' });
  await team.getByRole('link', { name: 'Clara Sousa' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Deliveries' }).count()).toBe(0);
  const needs = page.getByRole('region', { name: 'Needs attention' });
  await needs.getByRole('link', { name: 'Clara Sousa' }).waitFor();
  expect(await needs.getByRole('button', { name: /Snooze/ }).count()).toBe(0);
  await tabTo(page, team.getByRole('link', { name: 'Clara Sousa' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Clara Sousa' }).waitFor();
  await done();
});

test('an admin is warned of a provider’s certificate, and finds the connection', async () => {
  const { certificate } = await selfSigned(2_048, 20);
  const saml = { kind: 'saml', status: 'enabled', issuer: 'urn:idp', sso_url: 'https://idp.example/sso' } as const;
  const id = await addSignInConnection(app, { ...saml, certificates: [certificate] });
  const { page, done } = await openConsole(app, browser, 'admin', here());
  const needs = page.getByRole('region', { name: 'Needs attention' });
  await needs.getByText('Its last certificate expires soon').waitFor();
  await needs.getByRole('link', { name: 'Verdelog Okta' }).click();
  await page.getByText('The last certificate of the provider expires soon').waitFor();
  await done();
  await app.database.query('delete from sign_in_connections where id = $1', [id]);
});

test('an admin sees open tasks, and opens them by keyboard only', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  const needs = page.getByRole('region', { name: 'Needs attention' });
  await needs.getByText('The only admin signs in without a second factor.').waitFor();
  const items = needs.getByRole('listitem');
  await expectCount(items, 5);
  const cards = await items.allInnerTexts();
  expect(cards.map((text) => text.split(/\n| · /)[0])).toEqual([
    'Webhook endpoint, disabled',
    'Webhook endpoint, failing',
    'Import, failed',
    'Invitation, not accepted yet', // without the one that expires next week
    'Admin sign-in',
  ]);
  expect(await needs.getByRole('link', { name: 'march.csv' }).getAttribute('href')).toContain(`${here()}/imports/`);
  expect(cards[2]).toMatch(/march\.csv[\s\S]*The file is damaged\./);
  expect(cards[3]).toMatch(/Sent to clara\.sousa@example\.com\. It expires in/);
  const chart = page.getByRole('region', { name: 'Deliveries' });
  await chart.scrollIntoViewIfNeeded();
  await chart.getByRole('img', { name: '8 deliveries, 3 failed' }).locator('canvas').waitFor();
  await tabTo(page, chart.getByText('Show as a table'));
  await page.keyboard.press('Enter');
  const figures = chart.getByRole('row').nth(1).getByRole('cell');
  await expectVisibleTexts(figures, ['4', '2', '1', '0']);
  await chart.getByRole('combobox').selectOption('Last 7 days');
  await chart.getByRole('img', { name: '9 deliveries, 3 failed' }).waitFor();
  await tabTo(page, needs.getByRole('link', { name: endedUrl }));
  await page.keyboard.press('Enter');
  await page.getByText('The endpoint kept failing').waitFor();
  await done();
});

test('an admin snoozes an item by keyboard; it is listed, and can be shown again', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  const needs = page.getByRole('region', { name: 'Needs attention' });
  const card = needs.getByRole('link', { name: 'march.csv' });
  await card.waitFor();
  await tabTo(page, needs.getByRole('button', { name: 'Snooze march.csv' }));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'For a day' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menuitem', { name: 'For a week' }).and(page.locator('[data-highlighted]')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('“march.csv” snoozed for 7 days', { exact: true }).waitFor();
  await card.waitFor({ state: 'detached' });
  // The badges of the menu count what is left.
  const menu = page.getByRole('navigation', { name: 'Screens' });
  await menu.getByRole('link', { name: 'Imports', exact: true }).waitFor();
  await menu.getByRole('link', { name: /^Webhooks.*2 need attention/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await menu.getByRole('link', { name: 'Home' }).click();
  await needs.getByText('1 snoozed item').click();
  expect(await axeViolations(page)).toEqual([]);
  await needs.getByRole('button', { name: 'Show again march.csv' }).click();
  await card.waitFor();
  expect(await needs.getByText('snoozed item').count()).toBe(0);
  await done();
});

test('an admin sees the headcount by month and department, as charts and as a table', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  const panel = page.getByRole('region', { name: 'Headcount' });
  await panel.getByRole('img', { name: 'Chart of the headcount by month.' }).locator('canvas').waitFor();
  await panel.getByRole('img', { name: 'Chart of joiners and leavers by month.' }).locator('canvas').waitFor();
  const { body } = await app.admin.get('/v1/headcount').expect(200);
  await panel.getByText(`${body.headcount} people`, { exact: true }).waitFor();
  await tabTo(page, panel.getByText('Show months as a table'));
  await page.keyboard.press('Enter');
  const { month, headcount, joiners, leavers } = body.months.at(-1);
  const latest = panel.getByRole('row').nth(1);
  await expectVisibleTexts(latest.getByRole('cell'), [headcount, joiners, leavers].map(String));
  const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  expect(await latest.getByRole('rowheader').textContent()).toBe(name.format(new Date(`${month}-01`)));
  const departments = panel.getByRole('list', { name: 'By department' });
  await expectCount(departments.getByRole('listitem'), body.departments.length);
  await tabTo(page, departments.getByRole('link', { name: 'Operations' }));
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('department') === 'Operations');
  await done();
});

test('home takes at most eight requests, and what is below is asked for when it is scrolled to', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', '/none');
  const requestedPaths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) requestedPaths.push(pathname);
  });
  // The part above may load last, and move everything down.
  await page.route('**/v1/imports?*', async (route) => {
    await sleep(700);
    await route.continue();
  });
  await page.evaluate(`history.pushState(null, '', '/console${here()}')`);
  await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'march.csv' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(requestedPaths.slice(8)).toEqual([]);
  expect(new Set(requestedPaths).size).toBe(requestedPaths.length);
  await page.getByRole('region', { name: 'Deliveries' }).scrollIntoViewIfNeeded();
  await page.getByRole('region', { name: 'Deliveries' }).locator('canvas').waitFor();
  await page.getByRole('region', { name: 'Your record' }).scrollIntoViewIfNeeded();
  await page.getByRole('region', { name: 'Your record' }).getByRole('link', { name: 'Mariana Duarte' }).waitFor();
  expect(requestedPaths).toContain('/v1/webhooks/delivery-counts');
  await done();
});

test('home fits a phone in dark mode, in Portuguese', async () => {
  const options = { viewport: { width: 360, height: 844 }, colorScheme: 'dark', locale: 'pt-BR' } as const;
  const { page, done } = await openConsole(app, browser, 'admin', here(), options);
  const people = page.getByRole('region', { name: 'Quadro de pessoal' });
  await people.scrollIntoViewIfNeeded();
  await people.locator('canvas').nth(1).waitFor();
  await page.getByText('Mostrar os meses como tabela').click();
  const chart = page.getByRole('region', { name: 'Entregas' });
  await chart.scrollIntoViewIfNeeded();
  await chart.locator('canvas').waitFor();
  await page.getByText('Mostrar como tabela', { exact: true }).click();
  await page.keyboard.press('End');
  await page.getByText('Mariana Duarte').first().waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await takeScreenshot(page, 'home-360-dark');
  await done();
});

/** Creates one of each task for an admin, and deliveries of today and previous days. */
async function createTasks(): Promise<void> {
  const deactivated = { deactivated_at: new Date().toISOString(), deactivation_reason: 'server_error' };
  await addWebhook(app, { url: endedUrl, status: 'deactivated', ...deactivated });
  const byHand = { ...deactivated, deactivation_reason: 'manual' };
  await addWebhook(app, { url: 'https://hooks.example.com/paused', status: 'deactivated', ...byHand });
  const failing = await addWebhook(app, { url: 'https://hooks.example.com/failing', consecutive_failures: 2 });
  await invite(app.report.collaborator_id, 30);
  await invite(app.employee.collaborator_id, 24 * 7);
  await addFailedImport('march.csv', 1);
  await addFailedImport('of-last-month.csv', 24 * 30);
  await addFailedImport('fixed.csv', 2);
  await addCompletedImport('fixed.csv'); // isn't a card anymore
  const createdAt = (hours: number) =>
    new Date(Math.floor(Date.now() / hourMs) * hourMs - hours * hourMs).toISOString();
  const statuses = ['succeeded', 'succeeded', 'succeeded', 'succeeded', 'failed', 'failed', 'pending'];
  for (const status of statuses) await addDelivery(app, failing, { status, created_at: createdAt(0) });
  await addDelivery(app, failing, { status: 'failed', created_at: createdAt(5) });
  await addDelivery(app, failing, { created_at: createdAt(50) });
}

async function invite(collaboratorId: string, inHours: number): Promise<void> {
  await app.database.query(
    `insert into invitations (company_id, id, collaborator_id, token_hash, expires_at)
     values ($1, $2, $3, sha256($4::text::bytea), $5)`,
    [app.company_id, uuidv7(), collaboratorId, uuidv7(), new Date(Date.now() + inHours * hourMs).toISOString()],
  );
}

async function addCompletedImport(filename: string): Promise<void> {
  const id = await startImport(app.admin, { filename });
  await app.database.query(
    `update imports set status = 'completed', dry_run = false, due_at = null, completed_at = now() where id = $1`,
    [id],
  );
}

async function addFailedImport(filename: string, agoHours: number): Promise<void> {
  const id = await startImport(app.admin, { filename });
  const completedAt = new Date(Date.now() - agoHours * hourMs).toISOString();
  await app.database.query(
    `update imports set status = 'failed', dry_run = false, failure_reason = 'file_unreadable', failure_message = 'The file is damaged. recursos.humanos.de.sao.paulo@transportes.example',
       due_at = null, completed_at = $1 where id = $2`,
    [completedAt, id],
  );
}
