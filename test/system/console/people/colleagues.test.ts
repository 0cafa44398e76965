/** The people directory in the console: disabled, and used by an employee on a phone and by keyboard. */
import type { Browser } from 'playwright-core';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../../helpers/browser/console.ts';
import { expectCount } from '../../../helpers/browser/locators.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addPerson } from '../../../helpers/identity/people.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
  const id = await addPerson(app, 'Ânia Prado', {
    email: 'ania.prado@example.com',
    department: 'Field Operations',
    location: 'Campinas distribution center',
    phone: '+55 11 5555',
  });
  await app.admin.post(`/v1/collaborators/${id}/activate`, {}).expect(200);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const here = (path = '') => `/${app.company_id}${path}`;
const set = async (visibility: 'none' | 'basic') => {
  await app.admin.put('/v1/company', { policy: { directory_visibility: visibility } }).expect(200);
  await eventually(() => app.employee.get('/v1/colleagues').expect(visibility === 'basic' ? 200 : 403));
};

test('without a directory, an employee sees no link to it, and an old link explains why', async () => {
  await set('none');
  const { page, done } = await openConsole(app, browser, 'employee', here('/colleagues'));
  await page.getByText('Your company has no people directory').waitFor();
  const menu = page.getByRole('navigation', { name: 'Screens' });
  await menu.getByRole('link', { name: 'My profile' }).waitFor();
  expect(await menu.getByRole('link', { name: 'Colleagues' }).count()).toBe(0);
  await expectCount(page.getByRole('link', { name: 'Company settings' }), 1); // in the menu, not here
  await done();
});

test('an employee finds a colleague, and filters the list', async () => {
  await set('basic');
  const { page, done } = await openConsole(app, browser, 'employee', here());
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('link', { name: 'Colleagues' }).click();
  const table = page.getByRole('table', { name: '5 people' });
  await table.getByRole('rowheader', { name: 'Ânia Prado' }).waitFor();
  await takeScreenshot(page, 'colleagues');
  expect(await page.getByText('+55 11 5555').count()).toBe(0);
  await table.getByRole('link', { name: 'Field Operations' }).click();
  await page.getByText('1 person', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('department')).toBe('Field Operations');
  await page.getByRole('button', { name: 'Remove the filter Department: Field Operations' }).click();
  await page.getByRole('searchbox').fill('ania');
  await page.getByText('1 person', { exact: true }).waitFor();
  const mail = page.getByRole('link', { name: 'ania.prado@example.com' });
  expect(await mail.getAttribute('href')).toBe('mailto:ania.prado@example.com');
  await page.getByRole('searchbox').fill('nobody at all');
  await page.getByText('No one matches').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('5 people', { exact: true }).waitFor();
  expect(asked.filter((path) => path === '/v1/collaborators')).toEqual([]);
  await done();
});

test('works by keyboard only, with the shortcut and the command menu', async () => {
  await set('basic');
  const { page, done } = await openConsole(app, browser, 'employee', here());
  await page.getByRole('link', { name: 'Colleagues' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('y');
  await page.getByRole('heading', { level: 1, name: 'Colleagues' }).waitFor();
  await tabTo(page, page.getByRole('link', { name: 'Field Operations' }));
  await page.keyboard.press('Enter');
  await page.getByText('1 person', { exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('rui');
  await page.getByRole('option', { name: /Rui Almeida/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader', { name: 'Rui Almeida' }).waitFor();
  await page.getByText('1 person', { exact: true }).waitFor();
  await done();
});

test('works on a phone', async () => {
  await set('basic');
  const { page, done } = await openConsole(app, browser, 'employee', here(), {
    viewport: { width: 390, height: 844 },
  });
  await page.getByRole('navigation', { name: 'Main screens' }).getByRole('link', { name: 'Colleagues' }).click();
  await page.getByText('Ânia Prado').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'colleagues-phone');
  await done();
});
