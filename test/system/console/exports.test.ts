/** Exports in the console: request, progress, download, and deletion, within each role's reach. */
import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../helpers/browser/console.ts';
import { checkLayouts } from '../../helpers/browser/layouts.ts';
import { expectCount, expectVisibleTexts } from '../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { defineField, fieldsPath } from '../../helpers/resources/custom-fields.ts';
import { csvOf, exportPaths } from '../../helpers/resources/exports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp({ QUOTA_OPEN_EXPORTS: '1' });
  worker = await testWorker(app);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await app?.close();
});

beforeEach(async () => {
  await app.database.query('delete from exports');
});

const here = (path = '') => `/${app.company_id}/exports${path}`;

const createExport = async (client: TestClient, query = '') =>
  (await client.get(`${exportPaths.list}${query}`).expect(200)).body.id as string;

const writing = (id: string, done: number) =>
  app.database.query(
    `update exports set status = 'processing', due_at = now() + interval '1 hour', rows_total = 40000, rows_done = $2,
       completed_at = null, row_count = null, size = null where id = $1`,
    [id, done],
  );

const chosenIn = (columns: Locator) => columns.locator('.scope-choice label:has(:checked)');

async function saved(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).first().click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('an admin exports the listed people, downloads the file, and deletes the export', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByText('You have no exports').waitFor();
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByLabel('Search by name').fill('clara');
  await page.getByText('1 person').waitFor();
  await page.getByRole('link', { name: 'Export' }).last().click();
  await page.getByRole('heading', { name: 'New export' }).waitFor();
  await page.getByLabel('CSV').check();
  await page.waitForURL(/format=csv/);
  expect(new URL(page.url()).searchParams.get('search')).toBe('clara');
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByRole('listitem').getByText('Ready').waitFor();
  await page.getByText('Search: clara', { exact: true }).waitFor();
  const { name, bytes } = await saved(page);
  expect(name).toMatch(/^collaborators-.*\.csv$/);
  expect(csvOf(bytes).map(([first]) => first)).toEqual(['Name', 'Clara Sousa']);
  await page.getByText('in 23 hours').waitFor();
  await page.getByLabel('Status').selectOption('failed');
  await page.getByText('No exports have this status').waitFor();
  expect(new URL(page.url()).search).toBe('?status=failed');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText("can't be downloaded anymore").waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('You have no exports').waitFor();
  await done();
});

test('selects language and separators for another spreadsheet program, and keeps them in the URL', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/new'));
  await page.getByLabel('Language of the headers').waitFor();
  expect(await page.getByLabel('Between the cells').count()).toBe(0); // for a workbook
  await page.getByLabel('JSON').check();
  await page.getByLabel('Language of the headers').waitFor({ state: 'detached' });
  await page.getByLabel('CSV').check();
  expect(await page.getByLabel('Commas, with a decimal point').isChecked()).toBe(true);
  await page.getByLabel('Language of the headers').selectOption('Português');
  expect(await page.getByLabel('Semicolons, with a decimal comma').isChecked()).toBe(true);
  await page.getByLabel('Department').selectOption('Operations');
  await page.waitForURL(/department=Operations/);
  expect(page.url()).toContain('language=pt');
  await takeScreenshot(page, 'export-form');
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByRole('listitem').getByText('Ready').waitFor();
  const { name, bytes } = await saved(page);
  expect(name).toMatch(/^colaboradores-operations-.*\.csv$/);
  const [header, first] = bytes.toString().split('\r\n');
  expect(header).toMatch(/Nome;E-mail;Cargo;Departamento;/);
  expect(first).toMatch(/^[^;,]+;[^;]+@example\.com;[^;]+;Operations;/);
  await page.getByRole('link', { name: 'New export' }).click();
  await page.getByLabel('CSV').check();
  await page.getByLabel('Semicolons, with a decimal comma').check();
  await page.waitForURL(/delimiter=semicolon/);
  await done();
});

test('exports only the chosen columns, by keyboard, starting with those of the list', async () => {
  await defineField(app.admin, { key: 'shirt', type: 'text' });
  const list = `/${app.company_id}/people?search=clara&columns=department,manager,reports_count,custom_fields.shirt`;
  const { page, done } = await openConsole(app, browser, 'admin', list);
  await page.getByRole('link', { name: 'Export', exact: true }).click();
  await page.getByLabel('CSV').check();
  const columns = page.getByRole('group', { name: 'Columns' });
  const all = columns.getByLabel('All columns that you can see');
  expect(await all.isChecked()).toBe(true);
  await expectCount(columns.getByRole('checkbox'), 1);
  await tabTo(page, all);
  await page.keyboard.press('Space');
  await page.waitForURL(/fields=/);
  await expectVisibleTexts(chosenIn(columns), ['Name', 'Department', 'Manager', 'shirt']);
  await tabTo(page, columns.getByLabel('Phone'));
  await page.keyboard.press('Space');
  await tabTo(page, columns.getByLabel('Manager'));
  await page.keyboard.press('Space');
  await page.waitForURL((url) => !url.search.includes('manager_id'));
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Exports' }).click();
  await page.getByText('You have no exports').waitFor();
  await page.goBack();
  await columns.getByLabel('shirt').waitFor();
  await expectVisibleTexts(chosenIn(columns), ['Name', 'Department', 'Phone', 'shirt']);
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByRole('listitem').getByText('Ready').waitFor();
  const [header, clara, ...others] = csvOf((await saved(page)).bytes);
  expect(header).toEqual(['Name', 'Department', 'Phone', 'ID', 'shirt']);
  expect([clara![0], clara![3], others]).toEqual(['Clara Sousa', app.report.collaborator_id, []]);
  await page.goBack();
  await all.check();
  await page.waitForURL((url) => !url.search.includes('fields='));
  await done();
});

test('names custom fields by their labels, in filters and in what is omitted', async () => {
  const options = [{ key: 'size_m', label: { default: 'Medium' } }];
  const size = { key: 'size', label: { default: 'Jacket size' }, type: 'choice', options };
  const level = { key: 'level', label: { default: 'Pay level' }, type: 'number' };
  for (const field of [size, level]) await app.admin.post(fieldsPath, field).expect(201);
  const id = await createExport(app.admin, '?custom_fields[size]=size_m&custom_fields[level][gte]=1500');
  await app.database.query("update exports set omitted = '{salary,custom_fields.level}' where id = $1", [id]);
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByText('Jacket size: Medium · Pay level: from 1,500').waitFor();
  await page.getByText('Without: salaries, Pay level').waitFor();
  await done();
});

test('exports groups, one person, and all data about them', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/new'));
  await page.getByLabel('In groups').check();
  await page.getByLabel('One sheet for each').selectOption('Location');
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByText('In groups').waitFor();
  expect((await saved(page)).name).toMatch(/\.xlsx$/);

  await page.evaluate(`history.pushState(null, '', '/console/${app.company_id}/people/${app.report.collaborator_id}')`);
  await page.getByRole('main').getByRole('link', { name: 'Export', exact: true }).click();
  await page.getByLabel('One person', { exact: true }).waitFor();
  await page.locator('input[value="Clara Sousa"]').waitFor();
  expect(await page.getByLabel('One person', { exact: true }).isChecked()).toBe(true);
  await page.getByLabel('All data about one person').check();
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByText('All data about one person').waitFor();
  await page.getByText('clara-sousa.zip').waitFor();
  await page.getByRole('link', { name: 'Download' }).nth(1).waitFor(); // created by a worker
  expect((await saved(page)).bytes.subarray(0, 2).toString()).toBe('PK');
  await done();
});

test('follows the progress, rejects another export in the meantime, and cancels it by keyboard only', async () => {
  const id = await createExport(app.admin);
  await writing(id, 10_000);
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByText('10,000 of 40,000 people').waitFor();
  await takeScreenshot(page, 'export-progress');
  await writing(id, 30_000);
  await page.getByText('30,000 of 40,000 people').waitFor();
  await page.getByRole('link', { name: 'New export' }).click();
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByRole('alert').getByText('Request ID').waitFor();
  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link').click();
  await page.getByText('30,000 of 40,000 people').waitFor();
  const stop = page.getByRole('button', { name: 'Stop' });
  await tabTo(page, stop);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('You have no exports').waitFor();
  await app.admin.get(`/v1/exports/${id}`).expect(404);
  await done();
});

test('a manager exports their team, and sees what the file omits', async () => {
  const { page, done } = await openConsole(app, browser, 'manager', here('/new'));
  await page.getByLabel('List of people').waitFor();
  expect(await page.getByLabel('All data about one person').count()).toBe(0);
  await page.getByLabel('JSON').check();
  await page.waitForURL(/format=json/);
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByText('Without: salaries').waitFor();
  const people = JSON.parse(String((await saved(page)).bytes)) as { name: string }[];
  expect(people.map(({ name }) => name).sort()).toEqual(['Clara Sousa', 'Rui Almeida']);
  await done();
});

test('every screen fits and passes axe, wide and on a phone', async () => {
  const failed = await createExport(app.admin, '?format=json');
  await app.database.query("update exports set status = 'failed', failure_message = 'Too large.' where id = $1", [
    failed,
  ]);
  await createExport(app.admin);
  const waiting = await createExport(app.admin, '?format=csv');
  await writing(waiting, 26_500);
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.locator('progress').waitFor();
  await checkLayouts(page, 'exports');
  await page.evaluate(`history.pushState(null, '', '/console${here('/new?fields=id,name,hire_date')}')`);
  await page.locator('.scope-choice input').first().waitFor();
  await checkLayouts(page, 'export-columns');
  await done();
});
