/**
 * Input is neither lost nor sent as something else: outages, changes by others, half-typed values, and requests
 * that fail once the user has left the screen that would show the error.
 */
import type { Browser, Page, Request } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { holdRequests } from '../../helpers/browser/slow-network.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addPerson } from '../../helpers/identity/people.ts';
import { addApp } from '../../helpers/resources/apps.ts';
import { clearFields, defineField } from '../../helpers/resources/custom-fields.ts';

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

afterEach(() => clearFields(app));

const here = (path: string) => `/${app.company_id}${path}`;
const saved = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;

/** Then the page reads everything again, as whenever somebody returns to its tab. */
async function comeBackLater(page: Page): Promise<void> {
  await page.clock.fastForward('06:00');
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
}

/** Deletes a part of a date: the input has no value then. */
async function deletePart(page: Page, label: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page.keyboard.press('Backspace');
}

test('an outage while a person is edited keeps the form', async () => {
  const id = await addPerson(app, 'Olga Outage');
  const { page, done } = await openConsole(app, browser, 'admin', here(`/people/${id}`));
  await page.clock.install();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Phone', { exact: true }).fill('+55 11 1111');
  const isRead = (url: URL) => ['/v1/permissions', `/v1/collaborators/${id}`].includes(url.pathname);
  const reply = { status: 429, headers: { 'retry-after': '60' }, json: { error: 'rate_limited', message: 'Busy.' } };
  await page.route(isRead, (route) => route.fulfill(reply));
  const refused = ['permissions', id].map((end) => page.waitForResponse((response) => response.url().endsWith(end)));
  await comeBackLater(page);
  await Promise.all(refused);
  await page.getByText('Busy.').waitFor();
  await page.unroute(isRead);
  expect(await page.getByLabel('Phone', { exact: true }).inputValue()).toBe('+55 11 1111');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('+55 11 1111').waitFor();
  await done();
});

test('half-typed dates and numbers are asked for, and clear nothing', async () => {
  await defineField(app.admin, { key: 'badge_until', type: 'date' });
  const fields = { hire_date: '2020-02-03', salary: 4_200, custom_fields: { badge_until: '2027-04-05' } };
  const id = await addPerson(app, 'Hanna Half', fields);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/people/${id}`));
  await page.getByRole('button', { name: 'Edit' }).click();
  await deletePart(page, 'Hire date');
  await page.getByLabel('Salary').press('End');
  await page.keyboard.type('e');
  await deletePart(page, 'badge_until');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Complete this value, or clear the field.').nth(2).waitFor();
  expect(await page.getByLabel('Hire date').evaluate((input) => input === input.ownerDocument.activeElement)).toBe(
    true,
  );
  await takeScreenshot(page, 'half-typed');
  expect(await saved(id)).toMatchObject(fields);
  await page.getByLabel('Hire date').fill('2021-06-07');
  await page.getByLabel('Salary').fill('');
  await page.getByLabel('badge_until').fill('2028-08-09');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  const now = { hire_date: '2021-06-07', salary: null, custom_fields: { badge_until: '2028-08-09' } };
  expect(await saved(id)).toMatchObject(now);
  await done();
});

test('a half-typed date is not set for many people', async () => {
  await defineField(app.admin, { key: 'badge_until', type: 'date' });
  await addPerson(app, 'Mia Many', { custom_fields: { badge_until: '2027-04-05' } });
  const { page, done } = await openConsole(app, browser, 'admin', here('/people?search=Mia'));
  await page.getByRole('checkbox', { name: 'Select Mia Many' }).check();
  await page.getByRole('combobox', { name: 'Custom field' }).last().selectOption('badge_until');
  const window = page.getByRole('dialog');
  await window.getByLabel('badge_until').click();
  await page.keyboard.type('12');
  await window.getByRole('button', { name: 'Check' }).click();
  await window.getByText('Complete this value, or clear the field.').waitFor();
  expect(await window.getByText('will change').count()).toBe(0);
  await done();
});

test('notifications ask before changes are discarded, not once they are saved, and keep them when somebody else changes others', async () => {
  const id = await addPerson(app, 'Nils Notified');
  const { page, done } = await openConsole(app, browser, 'admin', here(`/people/${id}/notifications`));
  await page.clock.install();
  await page.getByLabel('text message').check();
  await app.admin.put(`/v1/collaborators/${id}/notifications`, { locale: 'es' }).expect(200);
  const read = page.waitForResponse((response) => response.url().endsWith('/notifications'));
  await comeBackLater(page);
  await read;
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel('text message').isChecked()).toBe(true);
  const { held, release } = await holdRequests(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await eventually(() => expect(held).toHaveLength(1));
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('dialog', { name: 'Leave while saving?' }).waitFor();
  release();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Saved.').waitFor();
  const { body } = await app.admin.get(`/v1/collaborators/${id}/notifications`).expect(200);
  expect(body).toMatchObject({ channels: { sms: true }, locale: 'es' });
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await done();
});

test.each<[what: string, path: () => Promise<string>, deletion: string, after: string]>([
  ['an app', async () => `/apps/${await addApp(app)}`, 'Delete the app', 'Apps'],
  ['a person', async () => `/people/${await addPerson(app, 'Della Deleted')}`, 'Delete', 'People'],
])('deleting %s asks nothing about changes to it that are not saved', async (what, path, deletion, after) => {
  const { page, done } = await openConsole(app, browser, 'admin', here(await path()));
  if (what === 'a person') await page.getByRole('button', { name: 'Edit' }).click();
  await page.locator('main form').getByRole('textbox').first().fill('Typed');
  await page.getByRole('button', { name: deletion, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: deletion, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: after }).waitFor();
  await done();
});

const isChange = (request: Request) => request.method() !== 'GET';
const openApps = (page: Page) => page.getByRole('link', { name: 'Apps', exact: true }).first().click();
const leaveWhileSaving = async (page: Page) => {
  await openApps(page);
  await page.getByRole('dialog', { name: 'Leave while saving?' }).getByRole('button', { name: 'Leave' }).click();
};

test('a photo that was not uploaded is reported on the next screen, with a way back', async () => {
  const id = await addPerson(app, 'Fiona Photo');
  const { page, done } = await openConsole(app, browser, 'admin', here(`/people/${id}`));
  const { held, release } = await holdRequests(page);
  const file = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no photo') };
  await page.getByLabel('New photo').setInputFiles(file);
  await eventually(() => expect(held).toEqual([`PUT /v1/collaborators/${id}/photo`]));
  await openApps(page);
  await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
  release();
  const message = page.locator('.toast', { hasText: 'Not completed: Fiona Photo' });
  await message.getByText(/JPEG, PNG/).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'unseen-error');
  await message.getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('heading', { level: 1, name: 'Fiona Photo' }).waitFor();
  await message.waitFor({ state: 'detached' });
  await done();
});

test('a conflict is reported, so that a change is not taken for saved', async () => {
  const fields = { name: 'Clashing', kind: 'public', redirect_uris: ['https://clashing.example/cb'] };
  const { client_id: clientId } = (await app.admin.post('/v1/apps', fields).expect(201)).body;
  const id = await addPerson(app, 'Connie Conflict');
  for (const { path, method = 'patch', change, place } of [
    { path: `/people/${id}`, change: `/v1/collaborators/${id}`, place: 'Connie Conflict › Edit' },
    { path: '/company', method: 'put' as const, change: '/v1/company', place: 'Verde Logística › Settings' },
    { path: `/apps/${clientId}`, method: 'put' as const, change: `/v1/apps/${clientId}`, place: 'Clashing › App' },
  ]) {
    const { page, done } = await openConsole(app, browser, 'admin', here(path));
    if (path.startsWith('/people')) await page.getByRole('button', { name: 'Edit' }).click();
    const name = page.getByLabel('Name', { exact: true });
    const before = await name.inputValue();
    await name.fill(`${before}, mine`);
    await app.admin[method](change, { name: `${before}, theirs` }).expect(200);
    const { held, release } = await holdRequests(page, isChange);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(() => expect(held).toEqual([`${method.toUpperCase()} ${change}`]));
    await leaveWhileSaving(page);
    release();
    const message = page.locator('.toast', { hasText: `Not completed: ${place}` });
    await message.getByRole('button', { name: 'Close' }).click();
    await message.waitFor({ state: 'detached' });
    await done();
  }
});

test('an error on the screen is not repeated', async () => {
  const id = await addPerson(app, 'Sissi Seen');
  const { page, done } = await openConsole(app, browser, 'admin', here(`/people/${id}`));
  const file = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no photo') };
  await page.getByLabel('New photo').setInputFiles(file);
  await page
    .getByRole('alert')
    .getByText(/JPEG, PNG/)
    .waitFor();
  await openApps(page);
  await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor();
  expect(await page.locator('.toast').count()).toBe(0);
  await done();
});

test('a session that ends while a person is edited keeps the form', async () => {
  const id = await addPerson(app, 'Edna Ended');
  const { page, context, problems } = await openConsole(app, browser, 'admin', here(`/people/${id}`));
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Phone', { exact: true }).fill('+55 11 2222');
  const other = await context.newPage();
  await other.goto(`${app.base_url}/oauth/sign-out`);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText("You're signed out").first().waitFor();
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('main').getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  expect(await popup.locator('#email').inputValue()).toBe('mariana.duarte@example.com');
  await popup.locator('#password').fill('correct horse battery staple');
  await Promise.all([popup.waitForEvent('close'), popup.locator('button.primary').click()]);
  await page.getByText("You're signed out").waitFor({ state: 'detached' });
  expect(await page.getByLabel('Phone', { exact: true }).inputValue()).toBe('+55 11 2222');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  expect(await saved(id)).toMatchObject({ phone: '+55 11 2222' });
  expect(problems).toEqual([]);
  await context.close();
});
