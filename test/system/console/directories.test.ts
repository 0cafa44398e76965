/** Directories in the console: connection, first people, errors by person, roles by group, and changes by two admins at once. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { checkLayouts } from '../../helpers/browser/layouts.ts';
import { expectCount } from '../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addDirectory, directoryClient } from '../../helpers/resources/directories.ts';
import { addSignInConnection } from '../../helpers/resources/sign-in-connections.ts';

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

  const provider = directoryClient(app.base_url, url.split('/').at(-1)!, token);
  const { body: person } = await provider.post('/Users', { userName: 'ana@console.example' }).expect(201);
  await provider.post('/Users', { userName: 'a-very-long-name-of-somebody-who-is-nobody' }).expect(400);
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
  await checkLayouts(page, 'directory');

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

test('choices of roles outlast other changes of the directory, and are added to those of another admin', async () => {
  const directory = await addDirectory(app);
  const path = `/v1/directories/${directory.id}`;
  const [drivers, leads] = await Promise.all(
    ['Drivers', 'Leads'].map(
      async (displayName) => (await directory.post('/Groups', { displayName }).expect(201)).body,
    ),
  );
  const here = `/${app.company_id}/directories/${directory.id}`;
  const { page, done } = await openConsole(app, browser, 'admin', here);
  await page.getByLabel('Leads').selectOption('manager');
  await app.admin.patch(path, { role_mapping: [{ group_id: drivers.id, role: 'manager' }] }).expect(200);
  await page.getByLabel('Default department').fill('People');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByLabel('Drivers').locator('option:checked', { hasText: 'Manager' }).waitFor({ state: 'attached' });
  expect(await page.getByLabel('Leads').inputValue()).toBe('manager');
  await app.admin.patch(path, { role_mapping: [{ group_id: drivers.id, role: 'admin' }] }).expect(200);
  await page.getByRole('button', { name: 'Save the roles' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const { body } = await app.admin.get(path).expect(200);
  expect(new Map(body.role_mapping.map((each: Record<string, string>) => [each.group_id, each.role]))).toEqual(
    new Map([
      [drivers.id, 'admin'],
      [leads.id, 'manager'],
    ]),
  );
  await page.getByLabel('Drivers').locator('option:checked', { hasText: 'Admin' }).waitFor({ state: 'attached' });
  expect(await page.getByRole('button', { name: 'Save the roles' }).isDisabled()).toBe(true);
  await done();
});

test('mapping an attribute keeps the attribute that another admin mapped', async () => {
  for (const [key, name] of [
    ['team_code', 'Team code'],
    ['locker', 'Locker'],
  ]) {
    await app.admin.post('/v1/custom-fields', { key, type: 'text', label: { default: name } }).expect(201);
  }
  const directory = await addDirectory(app);
  const path = `/v1/directories/${directory.id}`;
  const here = `/${app.company_id}/directories/${directory.id}`;
  const { page, done } = await openConsole(app, browser, 'admin', here);
  await page.getByLabel('Locker').fill('userType');
  const other = { attribute: 'costCenter', custom_field: 'team_code' };
  await app.admin.patch(path, { field_mapping: [other] }).expect(200);
  await page.getByRole('button', { name: 'Save the fields' }).click();
  await eventually(async () =>
    expect((await app.admin.get(path).expect(200)).body.field_mapping).toEqual(
      expect.arrayContaining([other, { attribute: 'userType', custom_field: 'locker' }]),
    ),
  );
  await eventually(async () => expect(await page.getByLabel('Team code').inputValue()).toBe('costCenter'));
  await done();
});

test('a form opened before another admin’s change of the connection leaves that change in place', async () => {
  const id = await addSignInConnection(app, { status: 'draft' });
  const path = `/v1/sign-in-connections/${id}`;
  await app.admin.patch(path, { domains: ['old.example'] }).expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/sign-in/${id}`);
  await page.getByLabel('Email domains').fill('new.example');
  await page.getByLabel('Managers', { exact: true }).selectOption('any');
  const byOther = { name: 'Entra', trusts_provider: true, sign_in_by_role: { employee: 'connection' } };
  await app.admin.patch(path, { ...byOther, domains: ['old.example', 'other.example'] }).expect(200);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Entra' }).waitFor();
  const body = await eventually(async () => {
    const { body: saved } = await app.admin.get(path).expect(200);
    expect(saved).toMatchObject({
      name: 'Entra',
      trusts_provider: true,
      sign_in_by_role: { admin: null, manager: 'any', employee: 'connection' },
    });
    return saved;
  });
  expect(body.domains.map((each: { domain: string }) => each.domain).sort()).toEqual(['new.example', 'other.example']);
  await eventually(async () => expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Entra'));
  expect((await page.getByLabel('Email domains').inputValue()).split('\n').sort()).toEqual([
    'new.example',
    'other.example',
  ]);
  await done();
});
