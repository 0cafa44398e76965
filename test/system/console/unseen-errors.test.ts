/** Requests that fail once the user has left the screen that would show the error. */
import type { Browser, Page, Request } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { holdRequests } from '../../helpers/browser/slow-network.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addPerson } from '../../helpers/identity/people.ts';

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

const here = (path = '') => `/${app.company_id}${path}`;
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
