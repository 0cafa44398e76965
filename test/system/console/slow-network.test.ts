/** The console on a slow network, used by somebody who clicks and types before a response arrives. */
import type { Browser, Locator } from 'playwright-core';
import { createPerson } from '../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, pickUp, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { expectCount, expectTexts } from '../../helpers/browser/locators.ts';
import { holdRequests } from '../../helpers/browser/slow-network.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addPerson } from '../../helpers/identity/people.ts';
import { clearFields, defineField, fieldsPath } from '../../helpers/resources/custom-fields.ts';
import { addDirectory } from '../../helpers/resources/directories.ts';

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
const hasFocus = (element: Locator) => element.evaluate((each) => each === each.ownerDocument.activeElement);

test('Enter pressed twice creates one app', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/apps/new'));
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Planner');
  await page.getByLabel('Redirect URI 1').fill('https://planner.example/callback');
  const { held, release } = await holdRequests(page);
  await name.focus();
  await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')]);
  await eventually(() => expect(held).not.toEqual([]));
  release();
  await page.getByRole('heading', { level: 1, name: 'Planner is registered' }).waitFor();
  expect(held).toEqual(['POST /v1/apps']);
  await done();
});

test('a double click sends one invitation, since a second one would invalidate the link of the first', async () => {
  const id = await addPerson(app, 'Ina Invited');
  const { page, done } = await openConsole(app, browser, 'admin', here(`/people/${id}`));
  await page.getByRole('button', { name: 'Invite' }).click();
  const { held, release } = await holdRequests(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Send invitation' }).dblclick();
  await eventually(() => expect(held).not.toEqual([]));
  release();
  await page.getByRole('button', { name: 'Resend invitation' }).waitFor();
  expect(held).toEqual([`POST /v1/collaborators/${id}/send-invitation`]);
  await done();
});

test('a dialog stays until its request ends, so that a new secret is always shown', async () => {
  const { id } = await addDirectory(app);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/directories/${id}`));
  await page.getByRole('button', { name: 'Rotate the secret' }).click();
  const { held, release } = await holdRequests(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
  await eventually(() => expect(held).toHaveLength(1));
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  release();
  await dialog.getByText('This is shown only once.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await done();
});

test('no roles are chosen until the saved ones are loaded, which would replace them', async () => {
  const directory = await addDirectory(app);
  for (const displayName of ['Drivers', 'Leads']) await directory.post('/Groups', { displayName }).expect(201);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/directories/${directory.id}`));
  await page.getByLabel('Leads').selectOption('manager');
  await page.getByRole('button', { name: 'Save the roles' }).click();
  let isSaved = false;
  const { held, release } = await holdRequests(page, (request) => {
    isSaved ||= request.method() === 'PATCH';
    return isSaved && request.method() === 'GET';
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await eventually(() => expect(held).toContain(`GET /v1/directories/${directory.id}`));
  await page.keyboard.press('Escape');
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  expect(await dialog.count()).toBe(1);
  release();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Leads').inputValue()).toBe('manager');
  await done();
});

test('a response that arrives after its screen was left leaves no other screen', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/people/new'));
  for (const [label, text] of [
    ['Name', 'Lara Late'],
    ['Email', 'lara@verdelog.example'],
    ['Position', 'Planner'],
    ['Department', 'Operations'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  const { held, release } = await holdRequests(page, (request) => request.url().endsWith('/v1/collaborators'));
  await page.getByRole('button', { name: 'Add the person' }).click();
  await eventually(() => expect(held).toEqual(['POST /v1/collaborators']));
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await page.getByRole('dialog', { name: 'Leave while saving?' }).getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('link', { name: 'Register an app' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Typed meanwhile');
  release();
  await page.getByText('Lara Late was added').first().waitFor();
  await page.getByLabel('Redirect URI 1').fill('https://planner.example/callback');
  await page.getByRole('button', { name: 'Register the app' }).click();
  await page.getByRole('heading', { level: 1, name: 'Typed meanwhile is registered' }).waitFor();
  await done();
});

test('nothing is typed into a form while it is saved, and the focus returns to its field', async () => {
  const id = await addPerson(app, 'Tina Typing');
  const { page, done } = await openConsole(app, browser, 'admin', here(`/people/${id}`));
  await page.getByRole('button', { name: 'Edit' }).click();
  const [email, phone] = ['Email', 'Phone'].map((label) => page.getByLabel(label, { exact: true }));
  await email!.fill('nobody');
  const { held, release } = await holdRequests(page);
  await email!.press('Enter');
  await eventually(() => expect(held).toHaveLength(1));
  const { x, y } = (await phone!.boundingBox())!;
  await page.mouse.click(x + 5, y + 5);
  await page.keyboard.type('+55 11 4444');
  expect(await phone!.inputValue()).toBe('');
  release();
  await page.getByRole('alert').waitFor();
  await eventually(async () => expect(await hasFocus(email!)).toBe(true));
  await email!.fill('tina.typing@verdelog.example');
  await phone!.fill('+55 11 5555');
  await page.keyboard.press('Enter');
  await page.getByText('+55 11 5555').waitFor();
  await done();
});

test('the form of one person is not shown for the next one', async () => {
  const [first, second] = [await addPerson(app, 'Anna First'), await addPerson(app, 'Berta Second')];
  const { page, done } = await openConsole(app, browser, 'admin', here(`/people/${second}`));
  await page.getByRole('heading', { level: 1, name: 'Berta Second' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'People, screens and actions' }).fill('anna');
  await page.getByRole('option', { name: /Anna First/ }).click();
  await page.waitForURL((url) => url.pathname.endsWith(first));
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Phone', { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Berta Second' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Berta Second');
  await done();
});

test('people found in one company are not offered in another', async () => {
  const [other] = await app.database.query<{ company_id: string }>(
    "select company_id from collaborators where email = 'jonas.petersen@example.com'",
  );
  const guest = { name: 'Rui Almeida', email: 'rui.almeida@example.com', position: 'Guest', department: 'Ops' };
  await createPerson(app.database.db, other!.company_id, { ...guest, password: 'correct horse battery staple' });
  const { page, context, problems } = await openConsole(app, browser, 'manager', here());
  const search = page.getByRole('combobox', { name: 'People, screens and actions' });
  const options = page.getByRole('dialog').getByRole('option');
  await page.getByRole('heading', { name: 'Your record' }).waitFor();
  await page.keyboard.press('Control+k');
  await search.fill('clara');
  await options.filter({ hasText: 'Clara Sousa' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Clara Sousa' }).waitFor();
  const companies = page.getByRole('combobox', { name: 'Company' });
  await companies.selectOption('Nordwind Spedition');
  await page.getByText('You are signed in as Rui Almeida, employee.').waitFor();
  await page.keyboard.press('Control+k');
  await options.first().waitFor();
  await expectCount(options.filter({ hasText: 'Clara Sousa' }), 0);
  await page.keyboard.press('Escape');
  await companies.selectOption(app.company_id);
  await page.getByText('You are signed in as Rui Almeida, manager.').waitFor();
  await page.keyboard.press('Control+k');
  await expectTexts(options.first().locator('span').first(), ['Clara Sousa']);
  expect(problems).toEqual([]);
  await context.close(); // this user has two companies now
});

test('a selection cleared while everyone is being selected stays cleared', async () => {
  for (const name of ['Sara Sousa', 'Simon Sousa']) await addPerson(app, name);
  const { page, done } = await openConsole(app, browser, 'admin', here('/people?search=sousa'));
  await page.getByRole('checkbox', { name: 'Select Sara Sousa' }).check();
  const isAll = (url: string) => new URL(url).searchParams.get('fields') === 'name,status';
  const { held, release } = await holdRequests(page, (request) => isAll(request.url()));
  await page.getByRole('button', { name: 'Select all 3' }).click();
  await eventually(() => expect(held).toHaveLength(1));
  await page.getByRole('button', { name: 'Clear selection' }).click();
  const response = page.waitForResponse((each) => isAll(each.url()));
  release();
  await (await response).finished();
  await page.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL(/sort=/);
  await page.getByRole('checkbox', { name: 'Select Simon Sousa' }).check();
  await page.getByText('1 person selected').waitFor();
  await done();
});

test('a field moved offline moves back, and two quick moves arrive in their order', async () => {
  for (const key of ['one', 'two', 'three']) await defineField(app.admin, { key, type: 'text' });
  const { page, context, done } = await openConsole(app, browser, 'admin', here('/fields'));
  const fields = page.getByRole('list', { name: /Active fields/ }).getByRole('link');
  const moveDown = async (name: string, to: number) => {
    await page.getByRole('button', { name: `Move ${name}` }).focus();
    await pickUp(page, `Picked up ${name}. Position ${to - 1} of 3.`);
    await page.keyboard.press('ArrowDown');
    await page.getByText(`${name} is at position ${to} of 3.`).waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
  };
  await expectTexts(fields, ['one', 'two', 'three']);
  await context.setOffline(true);
  await moveDown('one', 2);
  await page.getByText("Can't reach the service").first().waitFor();
  await expectTexts(fields, ['one', 'two', 'three']);
  await context.setOffline(false);
  const stored = async () => {
    const { body } = await app.admin.get(`${fieldsPath}?limit=100`).expect(200);
    return body.data.map(({ key }: { key: string }) => key);
  };
  const { held, release } = await holdRequests(page);
  await moveDown('one', 2);
  await expectTexts(fields, ['two', 'one', 'three']);
  await moveDown('one', 3);
  await expectTexts(fields, ['two', 'three', 'one']);
  expect(held).toHaveLength(1); // the other one waits: the network may change their order
  release();
  await eventually(async () => expect(await stored()).toEqual(['two', 'three', 'one']));
  expect(held).toHaveLength(2);
  await expectTexts(fields, ['two', 'three', 'one']);
  await done();
  await clearFields(app);
});

test('the heading of a new screen gets the focus once its data has loaded', async () => {
  const id = await addPerson(app, 'Frida Focus');
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/people?search=frida`);
  const { held, release } = await holdRequests(page, (request) => request.url().endsWith(`/v1/collaborators/${id}`));
  await page.getByRole('link', { name: 'Frida Focus' }).press('Enter');
  await eventually(() => expect(held).toHaveLength(1));
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor({ state: 'detached' });
  await eventually(async () => expect(await hasFocus(page.getByRole('main'))).toBe(true));
  release();
  const heading = page.getByRole('heading', { level: 1, name: 'Frida Focus' });
  await eventually(async () => expect(await hasFocus(heading)).toBe(true));
  await done();
});
