/** Imports in the console: check, correct, import, review, and errors on the way. */
import { mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../../helpers/browser/console.ts';
import { checkLayouts } from '../../../helpers/browser/layouts.ts';
import { expectTexts } from '../../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { csv, people, requiredHeaders, runImport } from '../../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  worker = await testWorker(app);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await app?.close();
});

const here = (path = '') => `/${app.company_id}/imports${path}`;

/** A CSV file of people. @param rows each with name, email, position, and department */
function sheet(rows: (string | null)[][], headers: readonly string[] = requiredHeaders, name = 'march.csv') {
  return { name, mimeType: 'text/csv', buffer: csv([headers, ...rows]) };
}

function threeErrors(of: string) {
  return [
    ['Aiko Tanabe', `aiko@${of}.example`, 'Analyst', 'Fleet'],
    ['Bruno Reis', `bruno-${of}`, 'Analyst', 'Fleet'],
    ['Carla Melo', `carla@${of}.example`, 'Analyst', null],
    ['D', `davi@${of}.example`, 'Analyst', 'Fleet'],
  ];
}

async function expectRows(page: Page, table: string, expected: string[]): Promise<void> {
  const rows = page.getByRole('table', { name: table }).locator('tbody tr');
  const texts = () =>
    rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent).join(' | ')));
  await eventually(async () => expect(await texts()).toEqual(expected));
}

test('an admin corrects three errors shown at their cells, and imports the file', async () => {
  const { page, done } = await openConsole(app, browser, 'admin');
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Imports' }).click();
  await page.getByText('No imports yet').waitFor();
  const template = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Excel template' }).click();
  expect((await template).suggestedFilename()).toBe('collaborators-template.xlsx');

  await page.getByRole('link', { name: 'Import a file' }).click();
  await page.getByLabel('File of people').setInputFiles(sheet(threeErrors('fixed')));
  await page.getByRole('heading', { name: '3 errors to fix' }).waitFor();
  await expectRows(page, '3 errors to fix', [
    'B3 Email | bruno-fixed | Must be a valid email address, such as ana@company.example.',
    'D4 Department | empty | This field is required.',
    'A5 Name | D | Must have at least 2 characters.',
  ]);
  const report = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the file with its errors' }).click();
  expect(await readFile(await (await report).path(), 'utf8')).toContain('name: Must have at least 2 characters.');

  const corrected = threeErrors('fixed').map(([name, email, position, department]) => [
    `${name} ok`,
    email!.includes('@') ? email! : 'bruno@fixed.example',
    position!,
    department ?? 'Fleet',
  ]);
  await drop(page, 'march.csv', csv([requiredHeaders, ...corrected]));
  await page.getByText('No errors found.').waitFor();
  await page.getByRole('button', { name: 'Import 4 people' }).click();
  await page.getByRole('dialog').getByText('4 people will be added.').waitFor();
  await page.getByRole('button', { name: 'Import now' }).click();
  await page.getByText('All rows were imported.').waitFor();
  await page.getByRole('link', { name: 'Bruno Reis ok' }).waitFor();

  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link').click();
  await page.getByText('Discarded').waitFor(); // the previous check isn't needed anymore
  await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
  await page.getByText('No imports have this status').waitFor();
  expect(new URL(page.url()).search).toBe('?status=failed');
  const { body } = await app.admin.get('/v1/collaborators?email=bruno@fixed.example').expect(200);
  expect(body.data).toMatchObject([{ name: 'Bruno Reis ok' }]);
  await done();
});

/** Drops a file as from a desktop folder. */
async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const [text, file] = [JSON.stringify(String(content)), JSON.stringify(name)];
  const dataTransfer = await page.evaluateHandle(
    `(() => { const it = new DataTransfer(); it.items.add(new File([${text}], ${file})); return it; })()`,
  );
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer });
}

test('updates existing people, adds others, and invites them', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/new'));
  await page.getByLabel('Update existing people and add the others').check();
  await page.getByLabel('Match by').selectOption('Email');
  await page.getByLabel('Email an invitation').check();
  const rows = [
    ['Clara Sousa', 'clara.sousa@example.com', 'Shift lead', 'Field'],
    ['Ivo Reis', 'ivo@upsert.example', 'Driver', 'Field'],
  ];
  await page.getByLabel('File of people').setInputFiles(sheet(rows));
  await page.getByText('1 to be changed').waitFor();
  await page.getByRole('button', { name: 'Import 2 people' }).click();
  await page.getByText('Everyone who is added gets an email.').waitFor();
  await app.admin.patch(`/v1/collaborators/${app.report.collaborator_id}`, { location: 'Campinas' }).expect(200);
  await page.getByRole('button', { name: 'Import now' }).click();
  await page.getByText('have changed since it was checked').waitFor();
  await page.getByRole('button', { name: 'Check the file again' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Import 2 people' }).click();
  await page.getByRole('button', { name: 'Import now' }).click();
  await page.getByText('All rows were imported.').waitFor();
  await page.getByRole('link', { name: 'Ivo Reis' }).waitFor();
  await page.getByRole('link', { name: 'Clara Sousa' }).click();
  await page.getByText('Shift lead').first().waitFor();
  await done();
});

test('asks about ambiguous values with both readings, answered by keyboard', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/new'));
  const rows = [['Gil Dias', 'gil@dates.example', 'Driver', 'Field', '03/02/2026', '68.400']];
  const file = sheet(rows, [...requiredHeaders, 'hire_date', 'salary'], 'dates.csv');
  await page.getByLabel('File of people').setInputFiles(file);
  const questions = page.getByRole('form', { name: '2 questions about this file' });
  await questions.getByText('03/02/2026 in row 2').waitFor();
  expect(await page.getByText('Failed').count()).toBe(0);
  await page.getByText('Waiting for your input').waitFor();
  await expectTexts(questions.locator('label'), [
    'The day is first · 03/02/2026 = 2026-02-03',
    'The month is first · 03/02/2026 = 2026-03-02',
    'The comma is before the decimals · 68.400 = 68400',
    'The point is before the decimals · 68.400 = 68.4',
  ]);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'questions');
  await questions.getByLabel('The day is first').focus();
  await page.keyboard.press('Space');
  await questions.getByLabel('The comma is before').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.locator('main:focus').waitFor();
  await page.getByText('No errors found.').waitFor();
  await expectRows(page, 'First rows, as they were read', [
    '2 | Gil Dias | gil@dates.example | Driver | Field | 2026-02-03 | 68400',
  ]);
  await done();
});

test('maps columns with the same file, and after a reload by selecting the file again', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/new'));
  const headers = ['Name', 'Email', 'Positon', 'Team', 'Start', 'Badge'];
  const rows = [
    ['Ema Dias', 'ema@columns.example', 'Driver', 'Field', '03/02/24', '17'],
    ['Fabio Lima', 'fabio@columns.example', 'Driver', 'Field', '04/02/24', '18'],
  ];
  const file = sheet(rows, headers, 'old.csv');
  await page.getByLabel('File of people').setInputFiles(file);
  await page.getByText('Columns that match no field are ignored: “Start”, “Badge”').waitFor();
  await page.getByText('03/02/24 · 04/02/24').waitFor();
  expect(await page.getByLabel('Field of column F, Badge').inputValue()).toBe('-');
  await takeScreenshot(page, 'columns');
  await page.getByLabel('Field of column E, Start').selectOption('Hire date');
  await page.getByRole('button', { name: 'Check the file again' }).click();
  await page.getByLabel('The day is first').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No errors found.').waitFor();
  await page.reload();
  await page.getByLabel('Field of column F, Badge').selectOption('Employee number');
  await page.getByLabel('Choose the file again').setInputFiles(file); // earlier choices and answers are kept
  await page.getByRole('cell', { name: '17', exact: true }).waitFor();
  await page.getByText('No errors found.').waitFor();
  await page.getByText('Column C: “Positon” is similar to a field name').waitFor();
  await takeScreenshot(page, 'guess');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Nothing was written. Drop the file again').waitFor();
  await done();
});

test('shows why a file can’t be imported', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/new'));
  const pick = page.getByLabel('File of people');
  await pick.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('\x89PNG\r\n\x1a\n\0\0') });
  const refused = page.getByRole('alert');
  await refused.getByText('Request ID').waitFor();
  const large = join(await mkdtemp(join(tmpdir(), 'large-')), 'large.csv');
  await writeFile(large, '');
  await truncate(large, 21_000_000);
  await pick.setInputFiles(large);
  await page.getByText('large.csv is 21 MB.').waitFor();

  await pick.setInputFiles(sheet([], ['Ana', 'ana@headless.example', 'Driver'], 'headless.csv'));
  await page.getByText('The file has no headers: row 1 has “Ana”').waitFor();
  await page.goBack();
  await page.getByLabel('All rows or none').check();
  await pick.setInputFiles(sheet(threeErrors('none'), requiredHeaders, 'none.csv'));
  await page.getByText('Nothing was imported: some rows have errors').waitFor();
  await page.locator('code').getByText('bruno-none').waitFor();
  await done();
});

test('follows the progress, and cancels by keyboard only', async () => {
  const { id } = await runImport(app.admin, { file: people([1]), dry_run: true });
  const going = (done: number) =>
    app.database.query(
      `update imports set status = 'processing', dry_run = false, due_at = now() + interval '1 hour', is_held = true,
         completed_at = null, rows_total = 400, rows_checked = 400, position = $2, created_count = $2 where id = $1`,
      [id, done],
    );
  await going(100);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}`));
  await page.getByText('100 of 400 rows').waitFor();
  await takeScreenshot(page, 'progress');
  await going(300);
  await page.getByText('300 of 400 rows').waitFor();
  const stop = page.getByRole('button', { name: 'Stop the import' });
  await tabTo(page, stop);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Rows that were already written stay.').waitFor();
  await page.locator('main:focus').waitFor();
  await done();
});

test('every screen fits and passes axe, wide and on a phone', async () => {
  const faulty = csv([requiredHeaders, ...threeErrors('layout')]);
  await runImport(app.admin, { file: faulty, filename: 'new-hires-march.csv', dry_run: true });
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('link', { name: 'new-hires-march.csv' }).waitFor();
  await checkLayouts(page, 'imports');
  await page.getByRole('link', { name: 'new-hires-march.csv' }).click();
  await page.getByText('D4', { exact: true }).waitFor();
  await checkLayouts(page, 'import-checked');
  await page.evaluate(`history.pushState(null, '', '/console${here('/new')}')`);
  await page.getByLabel('File of people').waitFor();
  await checkLayouts(page, 'import-new');
  await done();
});

test('undoes an import, and shows who is deleted and who stays before and after', async () => {
  const { id } = await runImport(app.admin, { file: people([71, 72, 73]), filename: 'wrong.csv' });
  const { body: found } = await app.admin.get('/v1/collaborators?email=person72@example.com').expect(200);
  await app.admin.patch(`/v1/collaborators/${found.data[0].id}`, { phone: '1' }).expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}`));
  const panel = page.getByRole('region', { name: 'Undo this import' });
  await panel.getByRole('link', { name: 'Person 72' }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await takeScreenshot(page, 'undo-phone');
  await panel.getByRole('button', { name: 'Undo the import' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Undo the import' });
  await dialog.getByText('2 people will be deleted.').waitFor();
  await expectTexts(dialog.getByRole('listitem'), [
    '1 · changed since the import',
    'Person 72 changed since the import',
  ]);
  await dialog.getByRole('button', { name: 'Delete 2 people' }).click();
  await page.getByRole('heading', { name: 'This import was undone' }).waitFor();
  await page.getByText('2 people were deleted.').waitFor();
  await takeScreenshot(page, 'undone');
  const { body: remaining } = await app.admin.get('/v1/collaborators?search=Person 7').expect(200);
  expect(remaining.data.map(({ name }: { name: string }) => name)).toEqual(['Person 72']);
  await done();
});
