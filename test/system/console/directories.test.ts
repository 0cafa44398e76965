/** Directories in the console: connection, first people, errors by person, and roles by group. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { expectCount } from '../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addDirectory, directoryClient } from '../../helpers/resources/directories.ts';

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

test('an admin connects a directory, and sees its people, errors, and group roles', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/directories`);
  await page.getByText('No directory connected yet').waitFor();
  await page.getByRole('link', { name: 'Connect a directory' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Okta');
  await page.getByLabel('Invite them by email right away.').check();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Okta is ready to connect').waitFor();
  const url = (await page.getByRole('figure', { name: 'SCIM URL' }).locator('pre').textContent())!;
  const token = /cma_dt_[0-9A-Za-z]{49}/.exec((await page.locator('main').textContent())!)![0];
  expect(await axeViolations(page)).toEqual([]);

  const provider = directoryClient(app.base_url, url.split('/').at(-1)!, token);
  const { body: person } = await provider.post('/Users', { userName: 'ana@console.example' }).expect(201);
  await provider.post('/Users', { userName: 'nobody' }).expect(400);
  await provider.post('/Groups', { displayName: 'HR admins', members: [{ value: person.id }] }).expect(201);

  await page.getByRole('link', { name: 'Continue the setup' }).click();
  await page.getByText('1 person is assigned.').waitFor();
  await page.getByText('emails needs a value').waitFor();
  await page.getByText('Added: 2').waitFor();
  await page.getByLabel('HR admins').selectOption('manager');
  await page.getByRole('button', { name: 'Save the roles' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect((await app.admin.get(`/v1/collaborators/${person.id}`)).body.role).toBe('manager');
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'directory');

  await page.getByLabel('Default department').fill('People');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Disconnect the directory' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect the directory' }).click();
  await page.getByText('No directory connected yet').waitFor();
  await provider.get('/Users').expect(401);
  await done();
});

test('an admin maps an attribute to a custom field, and an invalid name is marked', async () => {
  const field = { key: 'cost_center', type: 'text', label: { default: 'Cost center' } };
  await app.admin.post('/v1/custom-fields', field).expect(201);
  const directory = await addDirectory(app);
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/directories/${directory.id}`);
  const input = page.getByLabel('Cost center');
  const save = page.getByRole('button', { name: 'Save the fields' });
  await input.fill('cost center');
  await save.click();
  await page.getByText('Must be the name of an attribute, such as userType.').first().waitFor();
  expect(await input.getAttribute('aria-invalid')).toBe('true');
  await input.fill('userType');
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
  await save.click();
  await stored;
  await page.getByText('Must be the name of an attribute').first().waitFor({ state: 'detached' });
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'field-mapping');
  const { body: person } = await directory
    .post('/Users', { userName: 'eva@console.example', userType: '4170' })
    .expect(201);
  const { body } = await app.admin.get(`/v1/collaborators/${person.id}`).expect(200);
  expect(body.custom_fields).toEqual({ cost_center: '4170' });
  await done();
});

test('shows managed fields as read-only, until the directory allows local changes', async () => {
  const field = { key: 'desk', type: 'text', label: { default: 'Desk' } };
  await app.admin.post('/v1/custom-fields', field).expect(201);
  const directory = await addDirectory(app, { name: 'Entra ID' });
  const mapping = [{ attribute: 'userType', custom_field: 'desk' }];
  await app.admin.patch(`/v1/directories/${directory.id}`, { field_mapping: mapping }).expect(200);
  const sent = { userName: 'bea@console.example', displayName: 'Bea Brito', title: 'Pilot', userType: 'D-17' };
  const { body: person } = await directory.post('/Users', { ...sent, active: false }).expect(201);
  const here = `/${app.company_id}/people/${person.id}`;
  const { page, done } = await openConsole(app, browser, 'admin', here);
  await page.getByText('Managed by Entra ID').waitFor();
  expect(await page.getByRole('button', { name: 'Activate' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.locator('form');
  await form.getByText('Pilot').waitFor();
  await form.getByText('D-17').waitFor();
  await expectCount(form.getByText('Managed by Entra ID'), 4); // name, email, position, and the custom field
  expect(await form.getByLabel('Position').count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'managed-fields');
  await form.getByLabel('Department').fill('Flight');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Flight').first().waitFor();

  await done();
  await openConsole(app, browser, 'admin', `/${app.company_id}/directories/${directory.id}`); // in the same page
  await page.getByLabel('Allow the change, until the provider sends the person again.').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await eventually(async () => {
    const { body } = await app.admin.get(`/v1/directories/${directory.id}`).expect(200);
    expect(body.on_local_change).toBe('allow');
  });
  await done();
  await openConsole(app, browser, 'admin', here);
  await page.getByRole('button', { name: 'Activate' }).waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await form.getByLabel('Position').fill('Captain');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Captain').first().waitFor();
  await done();
});

test('fits a phone in dark mode, in Portuguese and Spanish', async () => {
  const directory = await addDirectory(app);
  await directory.post('/Users', { userName: 'a-very-long-name-of-somebody-who-is-nobody' }).expect(400);
  await directory
    .post('/Groups', { displayName: 'Uma equipe com um nome comprido demais para um telefone' })
    .expect(201);
  for (const [locale, title] of [['pt-BR', 'Configuração']] as const) {
    const path = `/${app.company_id}/directories/${directory.id}`;
    const options = { locale, viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };
    const { page, done } = await openConsole(app, browser, 'admin', path, options);
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.locator('select').first().waitFor();
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    expect(await axeViolations(page)).toEqual([]);
    await takeScreenshot(page, `directory-${locale}`);
    await done();
  }
});
