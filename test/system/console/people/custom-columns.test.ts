/** Custom fields in the list of people: columns, filters in the URL, and exports. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../../helpers/browser/console.ts';
import { addPerson } from '../../../helpers/identity/people.ts';
import { defineField, fieldsPath, oneOfEach, valueOfEach } from '../../../helpers/resources/custom-fields.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
  for (const field of oneOfEach) await defineField(app.admin, field);
  const values = [
    { ...valueOfEach, a_number: 7, a_date: '2026-01-31', a_boolean: true, a_choice: 's', a_multi_choice: ['s'] },
    { ...valueOfEach, a_number: 70, a_date: '2026-02-10', a_boolean: false, a_choice: 'm', a_multi_choice: ['m'] },
    { ...valueOfEach, a_number: 700, a_date: '2026-03-20', a_boolean: true, a_choice: 'm', a_multi_choice: ['s', 'l'] },
  ];
  for (const [at, each] of values.entries()) {
    const id = await addPerson(app, `Vera Value ${at + 1}`);
    await app.admin.patch(`/v1/collaborators/${id}`, { custom_fields: each }).expect(200);
  }
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const people = (search = '') => `/${app.company_id}/people${search}`;

test('selects, sorts, and remembers custom columns', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', people('?search=vera'));
  await page.getByText('3 people').waitFor();
  await page.getByText('Columns').first().click();
  for (const key of ['a_number', 'a_multi_choice', 'a_date']) await page.getByRole('checkbox', { name: key }).check();
  await page.getByText('20 Mar 2026').waitFor();
  await page.getByText('S, L').waitFor();
  await page.getByRole('button', { name: 'a_number', exact: true }).click();
  await page.getByRole('button', { name: 'a_number', exact: true }).click();
  await page.locator('tbody th').first().filter({ hasText: 'Vera Value 3' }).waitFor();
  expect(new URL(page.url()).searchParams.get('sort')).toBe('-custom_fields.a_number');
  await page.reload();
  await page.getByText('20 Mar 2026').waitFor();
  await page.locator('tbody th').first().filter({ hasText: 'Vera Value 3' }).waitFor();
  await done();
});

test('filters by choice, date, and number, keeps filters in the URL, and applies them to exports', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', people());
  const add = (key: string) => page.getByLabel('More filters').selectOption(key);
  await add('a_choice');
  await page.getByRole('combobox', { name: 'a_choice' }).selectOption('M');
  await page.getByText('2 people').waitFor();
  await add('a_date');
  await page.getByLabel('a_date: to').fill('2026-02-28');
  await page.getByLabel('a_date: to').press('Enter');
  await page.getByText('1 person').waitFor();
  await page.getByRole('link', { name: 'Vera Value 2' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await add('a_number');
  await page.getByLabel('a_number: from').fill('8');
  await page.getByLabel('a_number: from').press('Tab');
  await page.getByText('2 people').waitFor();
  await page.getByLabel('a_number: to').fill('99.5');
  await page.getByLabel('a_number: to').press('Enter');
  await page.getByText('1 person').waitFor();
  await page.reload();
  await page.getByText('1 person').waitFor();
  await page.getByRole('link', { name: 'Vera Value 2' }).waitFor();
  expect(await page.getByLabel('a_number: to').inputValue()).toBe('99.5');

  await page.getByRole('link', { name: 'Export', exact: true }).click();
  expect(await page.getByLabel('a_number: from').inputValue()).toBe('8');
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByText('1 person').first().waitFor();
  const { data } = (await app.admin.get('/v1/exports').expect(200)).body;
  expect([data[0].kind, data[0].row_count]).toEqual(['list', 1]);
  await done();
});

test('filters fit a phone', async () => {
  const search = `?custom_fields=${encodeURIComponent(JSON.stringify({ a_number: { gte: '1' }, a_choice: 'm' }))}`;
  const phone = { viewport: { width: 390, height: 844 } };
  const { page, done } = await openConsole(app, browser, 'admin', people(search), phone);
  await page.getByRole('link', { name: 'Vera Value 2' }).waitFor();
  await page.getByRole('button', { name: 'Filters (2)' }).click();
  await page.getByLabel('a_number: from').waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await axeViolations(page)).toEqual([]);
  await done();
});

test('a list that needs a field archived since offers to show everyone', async () => {
  await defineField(app.admin, { key: 'badge', type: 'choice', options: [{ key: 'a', label: { default: 'A' } }] });
  await app.admin.patch(`${fieldsPath}/badge`, { archived: true }).expect(200);
  const search = `?custom_fields=${encodeURIComponent('{"badge":"a"}')}&sort=custom_fields.badge`;
  const { page, done } = await openConsole(app, browser, 'admin', people(search));
  await page.getByRole('alert').getByText("The parameter custom_fields[badge] can't be used like this.").waitFor();
  await page.getByRole('button', { name: 'Show everyone' }).click();
  await page.getByRole('link', { name: 'Mariana Duarte' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await done();
});
