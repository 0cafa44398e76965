/** Unknown columns of an import: turned into custom fields after confirmation, and imported. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../../helpers/browser/console.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { fieldsPath } from '../../../helpers/resources/custom-fields.ts';
import { csv, range, requiredHeaders } from '../../../helpers/resources/imports.ts';
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

const file = (name: string, department: string) => {
  const rows = range(6).map((n) => [
    ...[`Person ${n}`, `${department.toLowerCase()}${n}@columns.example`, 'Driver', department],
    ...[n % 2 ? 'Small' : 'Extra large', `00${n}`],
  ]);
  return { name, mimeType: 'text/csv', buffer: csv([[...requiredHeaders, 'Shirt size', 'Badge'], ...rows]) };
};
const imports = (path = '') => `/${app.company_id}/imports${path}`;

test('creates a field from a column with a suggested type, and imports its values', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', imports('/new'));
  await page.getByLabel('File of people').setInputFiles(file('shirts.csv', 'Shirts'));
  const make = page.getByRole('button', { name: 'Create a field Shirt size' });
  await make.waitFor();
  await make.click();
  const dialog = page.getByRole('dialog', { name: 'Create a field from column Shirt size' });
  expect(await dialog.getByLabel('Type').inputValue()).toBe('choice');
  await dialog.getByText('Values: Extra large, Small').or(dialog.getByText('Values: Small, Extra large')).waitFor();
  await dialog.getByLabel('Label').fill('Size of the shirt');
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'make-field');
  await dialog.getByRole('button', { name: 'Create a field' }).click();
  await page.getByText('Shirt size is a field now.').waitFor();

  await page.getByRole('button', { name: 'Create a field Badge' }).click();
  const other = page.getByRole('dialog', { name: 'Create a field from column Badge' });
  expect(await other.getByLabel('Type').inputValue()).toBe('text');
  await other.getByRole('button', { name: 'Create a field' }).click();
  await page.getByText('Badge is a field now.').waitFor();
  await takeScreenshot(page, 'columns-made');

  const before = page.url();
  await page.getByRole('button', { name: 'Check the file again' }).click();
  await page.waitForURL((url) => url.href !== before);
  await page.getByText('No errors found.').waitFor();
  const field = page.getByLabel('Field of column E, Shirt size');
  await eventually(async () => expect(await field.inputValue()).toBe('custom_fields.shirt_size'));
  await page.getByRole('button', { name: 'Import 6 people' }).click();
  await page.getByRole('button', { name: 'Import now' }).click();
  await page.getByText('All rows were imported.').waitFor();
  const { body } = await app.admin.get('/v1/collaborators?email=shirts2@columns.example').expect(200);
  expect(body.data[0].custom_fields).toEqual({ shirt_size: 'extra_large', badge: '002' });
  const { body: created } = await app.admin.get(`${fieldsPath}/shirt_size`).expect(200);
  expect(created.label.default).toBe('Size of the shirt');
  await done();
});

test('shows an error at its input, and fits a phone', async () => {
  await app.admin.patch(`${fieldsPath}/badge`, { archived: true });
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };
  const { page, done } = await openConsole(app, browser, 'admin', imports('/new'), phone);
  await page.locator('input[type=file]').setInputFiles(file('badges.csv', 'Badges'));
  await page.getByRole('button', { name: 'Create a field Badge' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill(' ');
  await dialog.getByRole('button', { name: 'Create a field' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel('Label').getAttribute('aria-invalid')).toBe('true');
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await axeViolations(page)).toEqual([]);
  await done();
});
