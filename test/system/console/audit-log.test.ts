/** The audit log in the console: filters in the URL, entry details, and export. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../helpers/browser/console.ts';
import { checkLayouts } from '../../helpers/browser/layouts.ts';
import { expectTexts, expectVisibleTexts } from '../../helpers/browser/locators.ts';
import { maskIds } from '../../helpers/contract/mask-ids.ts';
import { defineField } from '../../helpers/resources/custom-fields.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
  await app.admin
    .patch(`/v1/collaborators/${app.report.collaborator_id}`, { salary: 61_000, location: 'Faro' })
    .set('User-Agent', '=HYPERLINK("http://evil.example")')
    .set('X-Request-Id', 'the-request')
    .expect(200);
  const url = 'https://hooks.example.com/audit';
  await app.admin.post('/v1/webhooks', { url, events: ['*'] }).expect(201);
  await app.employee.delete(`/v1/collaborators/${app.employee.collaborator_id}`).expect(403);
  await app.audit.flush();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const here = (search = '') => `/${app.company_id}/audit${search}`;
const rows = (page: Page) => page.locator('tbody tr:not(.room)');

test('an admin finds an action, opens it, and exports it, by keyboard only', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  const entry = page.getByRole('button', { name: 'Changed fields of a person' });
  await entry.waitFor();
  await tabTo(page, page.getByRole('combobox', { name: 'Done by' }));
  await page.keyboard.type('maria');
  await page.getByRole('option', { name: /Mariana Duarte · / }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove the filter: Mariana Duarte' }).waitFor();
  await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Changed fields of a person' });
  const search = new URL(page.url()).searchParams;
  expect(search.get('actor_collaborator_id')).toBe(app.admin.collaborator_id);
  expect(search.get('action')).toBe('patchCollaborator');
  await page.getByText('1 entry', { exact: true }).waitFor();
  await tabTo(page, entry);
  await page.keyboard.press('Enter');
  const whole = page.getByRole('dialog', { name: 'Changed fields of a person' });
  await whole.getByText('the-request').waitFor();
  for (const text of ['Salary, Location', 'Location, Salary', '127.0.0.1', 'mariana.duarte@example.com', 'Tests']) {
    expect([text, await whole.getByText(text).count()]).toEqual([text, 1]);
  }
  await expectVisibleTexts(whole.getByRole('link'), ['Mariana Duarte', 'Clara Sousa']);
  await page.keyboard.press('Escape');
  await whole.waitFor({ state: 'detached' });

  await tabTo(page, page.getByRole('button', { name: 'Save to a file' }));
  await page.keyboard.press('Enter');
  const window = page.getByRole('dialog', { name: 'Save to a file' });
  await tabTo(page, window.getByRole('button', { name: 'Save' }));
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  await window.getByText('1 entry was saved.').waitFor();
  const saved = await readFile((await download.path())!, 'utf8');
  const [header] = saved.split('\r\n');
  expect(header!.replace('\ufeff', '').split(',')).toEqual([
    'at',
    'action',
    'outcome',
    'actor_type',
    'actor_name',
    'actor_email',
    'actor_user_id',
    'actor_collaborator_id',
    'client_id',
    'client_name',
    'installed_by',
    'target_type',
    'target_id',
    'target_name',
    'ip',
    'user_agent',
    'request_id',
    'details',
    'id',
  ]);
  expect(saved.split('\r\n')).toHaveLength(3);
  expect(saved).toContain('patchCollaborator');
  expect(saved).toContain(`"'=HYPERLINK`); // not a formula
  expect(maskIds(saved)).not.toContain('61000');
  await done();
});

test('finds salary changes with one choice, and shows reads on request', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('button', { name: 'Changed fields of a person' }).waitFor();
  expect(await page.getByRole('button', { name: 'Signed in' }).count()).toBe(0);
  await page.getByLabel('sign-ins').check();
  await page.getByRole('button', { name: 'Signed in' }).first().waitFor();
  expect(new URL(page.url()).searchParams.get('show')).toBe('sign_ins');
  await page.getByRole('combobox', { name: 'Changed field' }).selectOption({ label: 'Salary' });
  await page.getByText('1 entry', { exact: true }).waitFor();
  expect(await rows(page).first().textContent()).toContain('Clara Sousa');
  await page.getByRole('combobox', { name: 'Changed field' }).selectOption({ label: 'Role' });
  await page.getByText('No entries match these filters').waitFor();
  await done();
});

test('finds rejected actions, and links an entry to similar ones', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('?outcome=refused'));
  await page.getByRole('button', { name: 'Deleted a person' }).click();
  await page.getByRole('dialog').getByText('"error": "forbidden"').waitFor();
  await page.getByRole('button', { name: 'All their actions' }).click();
  await page.getByRole('button', { name: 'Remove the filter: Tomás Rocha' }).waitFor();
  expect(await rows(page).first().textContent()).toContain('Tomás Rocha');
  await page.evaluate(`history.pushState(null, '', '/console${here('?action=company.renamed')}')`);
  await page.getByText('No entries match these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.getByRole('button', { name: 'Added a webhook endpoint' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('link', { name: 'a webhook endpoint' }).click();
  await page.getByRole('heading', { name: 'https://hooks.example.com/audit' }).waitFor();
  await done();
});

test('every screen fits and passes axe, wide and on a phone', async () => {
  const path = here('?until=2999-01-01T00:00:00.000Z&action=patchCollaborator');
  const { page, done } = await openConsole(app, browser, 'admin', path);
  await page.getByRole('button', { name: 'Changed fields of a person' }).waitFor();
  await checkLayouts(page, 'audit');
  await page.getByRole('button', { name: 'Changed fields of a person' }).click();
  await page.getByRole('dialog').waitFor();
  await checkLayouts(page, 'audit-entry');
  await done();
});

test('finds changes of custom fields', async () => {
  await defineField(app.admin, { key: 'size', type: 'text', label: { default: 'Shirt size' } });
  await app.admin
    .patch(`/v1/collaborators/${app.report.collaborator_id}`, { custom_fields: { size: 'M' } })
    .expect(200);
  await app.audit.flush();
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('combobox', { name: 'Changed field' }).selectOption('Custom fields');
  await page.getByText('1 entry', { exact: true }).waitFor();
  expect(await rows(page).first().textContent()).toContain('Changed fields of a person');
  expect(new URL(page.url()).searchParams.get('changed_field')).toBe('custom_fields');
  await page.getByRole('combobox', { name: 'Changed field' }).selectOption('Shirt size');
  await page.waitForURL((url) => url.searchParams.get('changed_field') === 'custom_fields.size');
  await page.getByText('1 entry', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Changed fields of a person' }).click();
  const changed = page.getByRole('dialog').locator('.fact').filter({ hasText: 'Changed fields' });
  await expectTexts(changed.locator('dd'), ['Shirt size']);
  await done();
});
