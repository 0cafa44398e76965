/** Two admins change settings of the same directory or sign-in connection: each saves only their own changes. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addDirectory } from '../../helpers/resources/directories.ts';
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

test('a form opened before another admin’s change of the directory leaves that change in place', async () => {
  const directory = await addDirectory(app);
  const path = `/v1/directories/${directory.id}`;
  const here = `/${app.company_id}/directories/${directory.id}`;
  const { page, done } = await openConsole(app, browser, 'admin', here);
  const input = page.getByLabel('Default department');
  await input.fill('People');
  await app.admin.patch(path, { on_create: 'invite' }).expect(200);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await eventually(async () =>
    expect((await app.admin.get(path).expect(200)).body).toMatchObject({
      default_department: 'People',
      on_create: 'invite',
    }),
  );
  await page.getByLabel('Invite them by email right away.').and(page.locator(':checked')).waitFor();
  await page.getByRole('link', { name: 'Directories' }).first().click();
  await page.getByRole('heading', { name: 'Directories' }).waitFor(); // without a question about unsaved changes
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
    ['cost_center', 'Cost center'],
    ['desk', 'Desk'],
  ]) {
    await app.admin.post('/v1/custom-fields', { key, type: 'text', label: { default: name } }).expect(201);
  }
  const directory = await addDirectory(app);
  const path = `/v1/directories/${directory.id}`;
  const here = `/${app.company_id}/directories/${directory.id}`;
  const { page, done } = await openConsole(app, browser, 'admin', here);
  await page.getByLabel('Desk').fill('userType');
  const other = { attribute: 'costCenter', custom_field: 'cost_center' };
  await app.admin.patch(path, { field_mapping: [other] }).expect(200);
  await page.getByRole('button', { name: 'Save the fields' }).click();
  await eventually(async () =>
    expect((await app.admin.get(path).expect(200)).body.field_mapping).toEqual(
      expect.arrayContaining([other, { attribute: 'userType', custom_field: 'desk' }]),
    ),
  );
  await eventually(async () => expect(await page.getByLabel('Cost center').inputValue()).toBe('costCenter'));
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

test('after a conflict, the company form still shows why one’s own version can’t be saved', async () => {
  const { page, context, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/company`);
  await page.getByLabel('Name', { exact: true }).fill('Verde Norte');
  await app.admin.put('/v1/company', { name: 'Verde Sul' }).expect(200);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saveOwn = page.getByRole('button', { name: 'Save my version' });
  await saveOwn.waitFor();
  await context.setOffline(true);
  await saveOwn.click();
  await page.getByText("Can't reach the service").waitFor();
  await context.setOffline(false);
  await saveOwn.click();
  await page.getByText('Saved.').waitFor();
  await done();
});
