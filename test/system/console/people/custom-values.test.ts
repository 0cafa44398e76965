/** Custom field values in the console: person form, bulk edit, columns, filters, exports, and step-up. */
import type { Browser, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../../helpers/browser/console.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { addPerson } from '../../../helpers/identity/people.ts';
import {
  clearFields,
  defineField,
  fieldsPath,
  oneOfEach,
  valueOfEach,
} from '../../../helpers/resources/custom-fields.ts';
import { age } from '../../../identity/service.ts';

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

const people = (path = '') => `/${app.company_id}/people${path}`;
const valuesOf = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body.custom_fields;

const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };

async function fillEach(page: Page): Promise<void> {
  for (const [key, value] of Object.entries(valueOfEach)) {
    const input = page.getByLabel(key, { exact: true });
    if (key === 'a_multi_choice') {
      for (const option of value as string[]) {
        await page.getByRole('group', { name: key }).getByLabel(option.toUpperCase(), { exact: true }).check();
      }
    } else if (key === 'a_choice' || key === 'a_boolean') await input.selectOption(String(value));
    else await input.fill(String(value));
  }
}

test('adds a person with a value of each type, and marks a missing one', async () => {
  for (const field of oneOfEach) await defineField(app.admin, { ...field, required: true });
  const { page, done } = await openConsole(app, browser, 'admin', people('/new'));
  await page.getByLabel('Name', { exact: true }).fill('Nina Nova');
  await page.getByLabel('Email', { exact: true }).fill('nina.nova@example.com');
  await page.getByLabel('Position').fill('Driver');
  await page.getByLabel('Department').fill('Fleet');
  await fillEach(page);
  await page.getByLabel('a_number', { exact: true }).fill('many');
  await page.getByLabel('a_url', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Add the person' }).click();
  await page.getByRole('alert').waitFor();
  await page.locator('[aria-invalid=true]').first().and(page.locator(':focus')).waitFor();
  for (const [key, message] of [
    ['a_number', 'Must be a number.'],
    ['a_url', 'This field is required.'],
  ] as const) {
    const input = page.getByLabel(key, { exact: true });
    expect(await input.getAttribute('aria-invalid')).toBe('true');
    const errorText = page.locator(`[id="${(await input.getAttribute('aria-describedby'))!.split(' ').at(-1)}"]`);
    expect(await errorText.textContent()).toBe(message);
  }
  expect(await page.getByLabel('a_text', { exact: true }).getAttribute('aria-required')).toBe('true');
  await fillEach(page);
  await takeScreenshot(page, 'new-person-fields');
  await page.getByRole('button', { name: 'Add the person' }).click();
  await page.getByRole('heading', { name: 'Nina Nova' }).waitFor();
  await page.getByText('28 Feb 2026').waitFor();
  const id = page.url().split('/').at(-1)!;
  expect(await valuesOf(id)).toEqual(valueOfEach);
  await done();
});

test('clears cleared values and keeps the rest', async () => {
  const id = app.report.collaborator_id;
  for (const field of oneOfEach) await defineField(app.admin, field);
  await app.admin.patch(`/v1/collaborators/${id}`, { custom_fields: valueOfEach }).expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', people(`/${id}`));
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('a_number', { exact: true }).fill('13');
  await page.getByLabel('a_date', { exact: true }).fill('');
  await page.getByRole('group', { name: 'a_multi_choice' }).getByLabel('S', { exact: true }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  expect(await valuesOf(id)).toEqual({ ...valueOfEach, a_number: 13, a_date: null, a_multi_choice: ['l'] });

  const [entry] = (await app.admin.get(`/v1/collaborators/${id}/history`).expect(200)).body.data;
  expect(entry.changes.map(({ field }: { field: string }) => field).sort()).toEqual(
    ['a_date', 'a_multi_choice', 'a_number'].map((key) => `custom_fields.${key}`),
  );
  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('.timeline del').getByText('12.5').waitFor();
  await done();
});

test('sets the same value for many people', async () => {
  await defineField(app.admin, oneOfEach.find(({ key }) => key === 'a_choice')!);
  const { page, done } = await openConsole(app, browser, 'admin', people('?sort=name'));
  for (const name of ['Clara Sousa', 'Rui Almeida']) {
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  }
  await page.getByRole('combobox', { name: 'Custom field' }).selectOption('a_choice');
  const window = page.getByRole('dialog', { name: 'a_choice of 2 people' });
  await window.getByLabel('a_choice').selectOption('M');
  await window.getByRole('button', { name: 'Check' }).click();
  await window.getByRole('button', { name: 'Change 2 people' }).click();
  await window.waitFor({ state: 'detached' });
  for (const { collaborator_id: id } of [app.report, app.manager])
    expect(await valuesOf(id)).toEqual({ a_choice: 'm' });
  await done();
});

test('in Portuguese, numbers have a decimal comma, thousands are not guessed, and the form fits a phone in dark mode', async () => {
  for (const field of oneOfEach) {
    const label = { default: field.key, pt: `Um campo com um rótulo comprido demais: ${field.key}` };
    await app.admin.post(fieldsPath, { ...field, label, description: 'Para o uniforme' }).expect(201);
  }
  const { collaborator_id: id } = app.report;
  await app.admin.patch(`/v1/collaborators/${id}`, { custom_fields: { a_number: 1_234.5 } }).expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', people(`/${id}`), phone);
  await page.getByRole('button', { name: 'Editar' }).click();
  await page.getByRole('group', { name: 'Campos personalizados' }).waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'person-fields-pt-BR');
  const input = page.getByLabel(/: a_number$/);
  expect(await input.inputValue()).toBe('1234,5');
  await input.fill('1.500');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('alert').waitFor();
  expect((await valuesOf(id)).a_number).toBe(1_234.5);
  await input.fill('1500,25');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('1.500,25').waitFor();
  expect((await valuesOf(id)).a_number).toBe(1_500.25);
  await done();
});

test('selects, sorts, and remembers custom columns, and filters by their values, also on a phone and in exports', async () => {
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
  const { page, done } = await openConsole(app, browser, 'admin', people('?search=vera'));
  await page.getByText('3 people').waitFor();
  await page.getByText('Columns').first().click();
  for (const key of ['a_number', 'a_multi_choice', 'a_date']) await page.getByRole('checkbox', { name: key }).check();
  await page.getByText('20 Mar 2026').waitFor();
  await page.getByText('S, L').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Columns').first().and(page.locator(':focus')).waitFor();
  expect(await page.getByRole('checkbox', { name: 'a_number' }).isVisible()).toBe(false);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  expect(await page.getByRole('checkbox', { name: 'a_number' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'a_number', exact: true }).click();
  await page.getByRole('button', { name: 'a_number', exact: true }).click();
  await page.locator('tbody th').first().filter({ hasText: 'Vera Value 3' }).waitFor();
  expect(new URL(page.url()).searchParams.get('sort')).toBe('-custom_fields.a_number');
  await page.reload();
  await page.getByText('20 Mar 2026').waitFor();
  await page.locator('tbody th').first().filter({ hasText: 'Vera Value 3' }).waitFor();

  await page.evaluate(`history.pushState(null, '', '/console${people()}')`);
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

  await page.getByRole('link', { name: 'Export', exact: true }).click();
  expect(await page.getByLabel('a_number: from').inputValue()).toBe('8');
  await page.getByRole('button', { name: 'Create export' }).click();
  await page.getByText('1 person').first().waitFor();
  const { data } = (await app.admin.get('/v1/exports').expect(200)).body;
  expect([data[0].kind, data[0].row_count]).toEqual(['list', 1]);

  const search = `?custom_fields=${encodeURIComponent(JSON.stringify({ a_number: { gte: '1' }, a_choice: 'm' }))}`;
  await page.evaluate(`history.pushState(null, '', '/console${people(search)}')`);
  await page.setViewportSize(phone.viewport);
  await page.getByRole('link', { name: 'Vera Value 2' }).waitFor();
  await page.getByRole('button', { name: 'Filters (2)' }).click();
  await page.getByLabel('a_number: from').waitFor();
  expect(await page.getByLabel('a_number: from').inputValue()).toBe('1');
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

test('offers step-up for a sensitive value, and keeps typed input', async () => {
  const id = app.report.collaborator_id;
  await defineField(app.admin, { key: 'bank_account', type: 'text', sensitive: true });
  await app.admin.patch(`/v1/collaborators/${id}`, { custom_fields: { bank_account: 'PT50 1' } }).expect(200);
  await app.admin.put('/v1/company', { policy: { step_up: true } }).expect(200);
  try {
    const { page, context, problems } = await openConsole(app, browser, 'admin', people(`/${id}`));
    await page.getByText('PT50 1').waitFor();
    await age(app, 'Session', 7_200);
    await page.reload();
    const offer = page.getByRole('button', { name: 'Sign in again to see this field' });
    await offer.waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Position').fill('Shift lead');
    const opened = page.waitForEvent('popup');
    await offer.click();
    const window = await opened;
    await window.locator('#password').fill('correct horse battery staple');
    await window.keyboard.press('Enter');
    await page.getByLabel('bank_account').waitFor();
    expect(await page.getByLabel('bank_account').inputValue()).toBe('PT50 1');
    expect(await page.getByLabel('Position').inputValue()).toBe('Shift lead');
    await page.getByLabel('bank_account').fill('PT50 2');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('PT50 2').waitFor();
    expect(await valuesOf(id)).toEqual({ bank_account: 'PT50 2' });
    expect(problems).toEqual([]);
    await context.close();
  } finally {
    await app.admin.put('/v1/company', { policy: { step_up: false } }).expect(200);
  }
});
