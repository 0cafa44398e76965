/** Connected apps in the console: list, filters in the URL, and revocation. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../helpers/browser/console.ts';
import { checkLayouts } from '../../helpers/browser/layouts.ts';
import { expectCount } from '../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { addConnection } from '../../helpers/database/connections.ts';
import { addApp } from '../../helpers/resources/apps.ts';

let app: TestApp;
let browser: Browser;
/** An app of this company, and one of another. */
let planner: string;
let foreign: string;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
  planner = await addApp(app, { name: 'Shift planner' });
  foreign = await addApp({ ...app, company_id: app.outsider.company_id }, { name: 'Freight board' });
});

beforeEach(async () => {
  await app.database.query('delete from oauth_grants where client_id = any($1)', [[planner, foreign]]);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const here = (path = '') => `/${app.company_id}/connections${path}`;
const scopes = ['profile', 'offline_access', 'collaborators:read'];

test('an admin sees all connections, filters them, and revokes one by keyboard only', async () => {
  const employeeConnection = await addConnection(app, { client_id: planner, user_id: app.employee.user_id, scopes });
  await addConnection(app, { client_id: foreign, user_id: app.manager.user_id, scopes });
  await addConnection(app, { client_id: planner, installation_role: 'manager', scopes });
  const { page, done } = await openConsole(app, browser, 'admin', here());
  const rows = page.locator('tbody tr:not(.room)');
  const row = (text: string) => rows.filter({ hasText: text });
  await row('Tomás Rocha').getByText('this company').waitFor();
  await row('Rui Almeida').getByText('Nordwind Spedition').waitFor(); // made by another company
  await row('installed, as manager').getByText('Mariana Duarte').waitFor();
  await row('Tests').first().getByText('the operator of the service').waitFor();

  await page.getByRole('combobox', { name: 'App' }).selectOption('Shift planner');
  await page.getByText('2 connections').waitFor();
  await page.getByRole('combobox', { name: 'Authorized by' }).selectOption('Tomás Rocha');
  await page.getByText('1 connection', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe(`?client_id=${planner}&user_id=${app.employee.user_id}`);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('installed for the company');
  await page.getByText('No connections match these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();

  const link = row('Tomás Rocha').getByRole('link', { name: 'Shift planner' });
  await link.waitFor();
  await tabTo(page, link);
  await page.keyboard.press('Enter');
  await page.getByText('It acts for Tomás Rocha').waitFor();
  await page.getByText('See people and their profiles').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'End the connection' }));
  await page.keyboard.press('Enter');
  const window = page.getByRole('dialog', { name: 'End the connection to Shift planner' });
  await window.getByText("Shift planner loses access to Tomás Rocha's data").waitFor();
  await tabTo(page, window.getByRole('button', { name: 'End the connection' }));
  await page.keyboard.press('Enter');
  await row('Freight board').waitFor();
  await expectCount(row('Tomás Rocha'), 1); // the tests' own client
  await app.admin.get(`/v1/connections/${employeeConnection}`).expect(404);
  await done();
});

test('employees see and revoke their own connections, and the console’s own on request', async () => {
  await addConnection(app, { client_id: planner, user_id: app.employee.user_id, scopes });
  await addConnection(app, { client_id: planner, installation_role: 'admin', scopes });
  const { page, done } = await openConsole(app, browser, 'employee', here(`?client_id=${planner}`));
  await page.getByText('1 connection', { exact: true }).waitFor();
  await expectCount(page.getByRole('combobox'), 1); // no filter for other people
  await page.getByRole('link', { name: 'Shift planner' }).click();
  await page.getByRole('button', { name: 'End the connection' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the connection' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connected apps' }).waitFor();
  const { body } = await app.admin.get(`/v1/connections?client_id=${planner}`).expect(200);
  expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(['installation']);
  await page.evaluate(`history.pushState(null, '', '/console${here(`/${body.data[0].id}`)}')`);
  await page.getByText('Not found').waitFor();
  await page.getByText('Request ID').waitFor();

  await app.database.query("update oauth_grants set revoked_at = now() where user_id = $1 and client_id <> 'console'", [
    app.employee.user_id,
  ]);
  await done();
  await openConsole(app, browser, 'employee', here()); // in the same page
  await page.getByText('No connected apps yet').waitFor();
  await page.getByRole('combobox', { name: 'App' }).selectOption('This console');
  await page.getByRole('link', { name: 'Console' }).click();
  await page.getByRole('button', { name: 'End the connection' }).click();
  await page.getByRole('dialog').getByText('This is your own sign-in to the console').waitFor();
  await page.keyboard.press('Escape');
  await done();
});

test('every screen fits and passes axe, wide and on a phone', async () => {
  await addConnection(app, { client_id: planner, user_id: app.employee.user_id, scopes });
  await addConnection(app, { client_id: foreign, installation_role: 'manager', scopes });
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('link', { name: 'Freight board' }).waitFor();
  await checkLayouts(page, 'connections');
  await page.getByRole('link', { name: 'Freight board' }).click();
  await page.getByText('installed it for the company').waitFor();
  await checkLayouts(page, 'connection');
  await done();
});

test('a suspended app is on the admin’s home screen with the reason, and can be confirmed', async () => {
  const id = await addConnection(app, {
    client_id: planner,
    user_id: app.manager.user_id,
    installation_role: 'admin',
    scopes,
  });
  const role = (name: string) =>
    app.admin.post(`/v1/collaborators/${app.manager.collaborator_id}/role`, { role: name }).expect(200);
  await role('admin');
  await role('manager');
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  const card = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first();
  await card.getByText('Installed app, suspended').waitFor();
  await card.getByText('Rui Almeida installed it').waitFor();
  await tabTo(page, card.getByRole('link', { name: 'Shift planner' }));
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: /Waiting for confirmation/ });
  await panel.getByText('until another admin confirms it').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'suspended-app');
  await panel.getByRole('button', { name: 'Confirm the app' }).press('Enter');
  await panel.waitFor({ state: 'detached' });
  await page.locator('main:focus').waitFor();
  await page.getByText('Mariana Duarte installed it for the company').waitFor();
  expect((await app.admin.get(`/v1/connections/${id}`).expect(200)).body).toMatchObject({ suspended_at: null });
  await done();
});
