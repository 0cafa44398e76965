/** People in the console: search, details, editing, and the view of each role. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../../helpers/browser/console.ts';
import { checkLayouts } from '../../../helpers/browser/layouts.ts';
import { expectCount, expectTexts } from '../../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addPerson } from '../../../helpers/identity/people.ts';
import { clearFields, defineField } from '../../../helpers/resources/custom-fields.ts';

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

const here = (path = '') => `/${app.company_id}/people${path}`;

const newPerson = (name: string, fields: Record<string, unknown> = {}) => addPerson(app, name, fields);

test('an admin searches as they type, sorts, and selects columns, which are loaded with the page of the list', async () => {
  await newPerson('Paula Prates', { position: 'Welder', salary: 51_000 });
  await newPerson('Pedro Prates', { position: 'Welder', location: 'Campinas' });
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('link', { name: 'Clara Sousa' }).waitFor();
  await page.getByLabel('Search by name').fill('weld');
  await page.getByText('2 people').waitFor();
  expect(new URL(page.url()).search).toBe('?search=weld');
  await page.getByRole('button', { name: 'Name' }).click();
  await page.getByRole('button', { name: 'Name' }).click();
  await page
    .getByRole('columnheader', { name: 'Name', exact: false })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor();
  await page.locator('tbody th').first().filter({ hasText: 'Pedro' }).waitFor();
  await page.getByText('Columns').first().click();
  await page.getByRole('checkbox', { name: 'Salary' }).check();
  await page.getByText('51,000.00').waitFor();
  await page.getByLabel('Search by name').fill('nobody of this name');
  await page.getByText('No one matches').waitFor();

  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByLabel('Search by name').fill('almeida');
  await page.getByText('Columns').first().click(); // closed when the focus left it
  await page.getByRole('checkbox', { name: 'Direct reports' }).check();
  const row = page.getByRole('row', { name: /Rui Almeida/ });
  await row.getByRole('cell', { name: '1', exact: true }).waitFor();
  expect(asked).not.toContain('/v1/org-chart');
  await done();
});

test('an admin saves a view, opens it later, and replaces, renames, and deletes it', async () => {
  await app.database.query('delete from saved_views');
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('combobox', { name: 'Status' }).selectOption('active');
  await page.getByRole('button', { name: 'Name' }).click();
  // Columns and their order, by keyboard.
  const chooser = page.getByText('Columns').first();
  await tabTo(page, chooser);
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('checkbox', { name: 'Location' }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('checkbox', { name: 'Email', exact: true }));
  await page.keyboard.press('Space');
  const moveUp = page.getByRole('button', { name: 'Move Email up' });
  await moveUp.waitFor();
  await tabTo(page, moveUp);
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Enter');
  expect(await moveUp.getAttribute('aria-disabled')).toBe('true');
  expect(await moveUp.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move Email up');
  const headers = page.locator('thead th');
  const chosen = [expect.anything(), 'Name ↑', 'Email', 'Position', 'Department', 'Status'];
  await expectTexts(headers, chosen);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'columns');
  await chooser.click();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Give the view a name.').waitFor();
  await dialog.getByLabel('Name').fill('Active people');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Active people' }).waitFor();
  await page.waitForURL((url) => url.searchParams.get('columns') === 'email,position,department,status');
  const address = new URL(page.url()).search;

  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'People' }).click();
  await page.getByRole('button', { name: 'Views', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Active people' }).press('Enter');
  await page.getByRole('button', { name: 'View: Active people' }).waitFor();
  expect(new URL(page.url()).search).toBe(address);
  await expectTexts(headers, chosen);
  await page.getByRole('combobox', { name: 'Department' }).selectOption('Operations');
  await page.getByRole('button', { name: 'Views', exact: true }).click(); // it is another view now
  await page.getByRole('menuitem', { name: 'Save this view …' }).click();
  await dialog.getByLabel('Name').fill('active PEOPLE');
  await page.getByText('You have a view of this name.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('button', { name: 'View: Active people' }).click();
  const { body } = await app.admin.get('/v1/saved-views').expect(200);
  expect(body.data).toMatchObject([{ name: 'Active people', filters: { department: 'Operations' } }]);

  await page.getByRole('menuitem', { name: 'Rename or delete views …' }).click();
  await page.getByRole('textbox', { name: 'Name of the view Active people' }).fill('Operations');
  await page.getByRole('button', { name: 'Rename Active people' }).click();
  await page.getByText('View “Operations” renamed', { exact: true }).waitFor();
  await takeScreenshot(page, 'manage-views');
  await page.getByRole('button', { name: 'Delete Operations' }).click();
  await page.getByText('You have no saved views anymore.').waitFor();
  expect((await app.admin.get('/v1/saved-views').expect(200)).body.data).toEqual([]);
  await done();
});

test('an admin adds a person, invites them, assigns a role, deletes them, and restores them', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/new'));
  await page.getByRole('button', { name: 'Add the person' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Name', { exact: true }).fill('Nina Prado');
  await page.getByLabel('Email', { exact: true }).fill('nina.prado@example.com');
  await page.getByLabel('Position').fill('Planner');
  await page.getByLabel('Department').fill('Operations');
  await page.getByLabel('Manager').fill('rui');
  await page.getByRole('option', { name: /Rui Almeida/ }).click();
  await page.getByRole('button', { name: 'Add the person' }).click();
  await page.getByRole('heading', { name: 'Nina Prado' }).waitFor();
  await page.getByRole('link', { name: 'Rui Almeida' }).waitFor();
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('invited, expires').waitFor();
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption('manager');
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.locator('#content').getByText('manager', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByLabel('Reason').fill('Parental leave');
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('Parental leave').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  const { body } = await app.admin.get('/v1/collaborators?email=nina.prado@example.com').expect(200);
  expect(body.data).toEqual([]);

  await page.getByText('Nina Prado was deleted', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Deleted people' }).click();
  await page.getByText('in 29 days').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'deleted-people');
  await page.getByRole('button', { name: 'Restore Nina Prado' }).press('Enter');
  await page.getByText('Nina Prado is back', { exact: true }).waitFor();
  await page.locator('main:focus').waitFor();
  await page.getByText('No one was deleted in the last 30 days').waitFor();
  await page.getByRole('link', { name: 'List' }).click();
  await page.getByRole('link', { name: 'Nina Prado' }).click();
  await page.getByRole('heading', { name: 'Nina Prado' }).waitFor();
  await page.locator('#content').getByText('manager', { exact: true }).waitFor();

  // The first admin has no invitation, but signs in.
  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link').first().click();
  await page.getByRole('link', { name: 'Mariana Duarte' }).click();
  await page.getByText('active,').waitFor();
  await page.getByRole('button', { name: 'Change role' }).waitFor();
  expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  await done();
});

test('marks required fields, suggests values, requires selecting a manager, and confirms before discarding', async () => {
  await newPerson('Iris Prado', { department: 'Field Operations' });
  const { page, done } = await openConsole(app, browser, 'admin', here('/new'));
  await page.getByText('Fields with * are required.').waitFor();
  await expectCount(page.locator('[aria-required=true]'), 4);
  await page.getByLabel('Name', { exact: true }).fill('Otto Prado');
  await page.getByLabel('Email', { exact: true }).fill('otto.prado@example.com');
  await page.getByLabel('Position').fill('Planner');
  await page.getByLabel('Department').fill('óper');
  await page.getByRole('option', { name: 'Field Operations' }).click();
  await eventually(async () => expect(await page.getByLabel('Department').inputValue()).toBe('Field Operations'));
  await page.getByRole('link', { name: 'Exports' }).click();
  const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
  await asked.waitFor();
  await page.keyboard.press('Escape');

  const manager = page.getByRole('combobox', { name: 'Manager' });
  await manager.fill('rui');
  await page.getByRole('option', { name: /Rui Almeida/ }).waitFor();
  await page.getByRole('button', { name: 'Add the person' }).click();
  await page.getByText('Choose a person from the list, or clear the field.').waitFor();
  expect(await manager.getAttribute('aria-invalid')).toBe('true');
  await manager.focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('.found .highlighted').waitFor();
  await page.keyboard.press('Enter'); // selects without submitting
  await eventually(async () => expect(await manager.inputValue()).toBe('Rui Almeida'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Otto Prado' }).waitFor();
  await page.getByRole('link', { name: 'Rui Almeida' }).waitFor();
  await page.getByText('Field Operations').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Position').fill('Welder');
  await page.getByRole('link', { name: 'Exports' }).click();
  await asked.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { name: 'Exports' }).waitFor();
  await done();
});

test('resolves concurrent edits by showing both versions', async () => {
  const id = await newPerson('Caio Conflito');
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}`));
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Phone', { exact: true }).fill('+55 11 1111');
  await page.getByLabel('Hire date').fill('2024-05-06');
  const change = { phone: '+55 22 2222', location: 'Campinas', manager_id: app.manager.collaborator_id };
  await app.admin.patch(`/v1/collaborators/${id}`, change).expect(200);
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('alert');
  await conflict.getByText('This changed while you were editing').waitFor();
  const row = conflict.getByRole('row', { name: 'Phone' });
  await expectTexts(row.getByRole('cell'), ['+55 22 2222', '+55 11 1111']);
  const cellsOf = (name: string) => conflict.getByRole('row', { name }).getByRole('cell');
  await expectTexts(cellsOf('Manager'), ['Rui Almeida', '–']);
  await expectTexts(cellsOf('Hire date'), ['–', '6 May 2024']);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'conflict');
  await page.getByRole('button', { name: 'Save my version' }).click();
  await page.getByText('+55 11 1111').waitFor();
  const { body } = await app.admin.get(`/v1/collaborators/${id}`).expect(200);
  expect(body).toMatchObject({ phone: '+55 11 1111', location: 'Campinas' }); // untouched fields keep the other edit
  await done();
});

test('employees see and edit only their own record', async () => {
  const { page, done } = await openConsole(app, browser, 'employee', here());
  await page.getByText('1 person').waitFor();
  expect(await page.getByRole('link', { name: 'Add a person' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Tomás Rocha' }).click();
  await page.getByRole('heading', { name: 'Tomás Rocha' }).waitFor();
  for (const act of ['Invite', 'Deactivate', 'Change role', 'Delete']) {
    expect([act, await page.getByRole('button', { name: act }).count()]).toEqual([act, 0]);
  }
  await page.getByRole('button', { name: 'Edit' }).click();
  await expectTexts(page.locator('form label'), ['Phone', "Contact's name", "Contact's phone", 'Relationship']);
  await page.getByLabel('Phone', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.getByLabel("Contact's name").fill('Marta Rocha');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Marta Rocha').waitFor();
  await page.getByRole('button', { name: 'Edit' }).and(page.locator(':focus')).waitFor();
  await done();
});

test('managers edit permitted fields of their team, without salaries', async () => {
  for (const write of ['admin', 'manager', 'employee'] as const) {
    await defineField(app.admin, { key: `by_${write}`, type: 'text', read: 'employee', write });
  }
  const { page, done } = await openConsole(app, browser, 'manager', here('/org'));
  await page.getByRole('link', { name: 'Clara Sousa' }).click();
  await page.getByText('hidden from you').first().waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  const fields = ['Position', 'Department', 'Location', 'Work schedule', 'Manager', 'Phone'];
  await expectTexts(page.locator('form label'), [...fields, 'by_manager', 'by_employee']);
  await page.getByLabel('Position').fill('Shift lead');
  await page.getByLabel('by_employee', { exact: true }).fill('Of a manager');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Shift lead').first().waitFor();
  await page.getByText('Of a manager').waitFor();
  await done();
  await clearFields(app);
});

test('every screen fits and passes axe, wide and on a phone', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('link', { name: 'Clara Sousa' }).waitFor();
  await checkLayouts(page, 'people');
  await page.getByRole('link', { name: 'Clara Sousa' }).click();
  await page.getByRole('heading', { name: 'Photo' }).waitFor();
  await checkLayouts(page, 'person');
  const screens = page.getByRole('navigation', { name: 'Screens' });
  await screens.getByRole('link', { name: 'Org chart' }).click();
  await page.getByRole('link', { name: 'Mariana Duarte' }).waitFor();
  await checkLayouts(page, 'org');
  await screens.getByRole('link', { name: 'People' }).click();
  await page.getByRole('link', { name: 'Add a person' }).click();
  await page.getByRole('button', { name: 'Add the person' }).waitFor();
  await checkLayouts(page, 'person-new');
  await done();
});
