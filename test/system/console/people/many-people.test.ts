/** The list of people: bulk actions, pages, filters, and column widths. */
import type { Browser, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../../helpers/browser/console.ts';
import { hiddenFocus } from '../../../helpers/browser/focus.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addPerson } from '../../../helpers/identity/people.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
  await app.database.query(
    `insert into collaborators (company_id, id, name, email, position, department, status, role, manager_id)
     select $1, gen_random_uuid(), 'Move ' || lpad(n::text, 4, '0'), 'move' || n || '@example.com', 'Driver', 'Old Yard',
       'active', 'employee', null
     from generate_series(1, 240) n`,
    [app.company_id],
  );
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const here = (search = '') => `/${app.company_id}/people${search}`;
const inDepartment = async (name: string) =>
  (await app.admin.get('/v1/collaborators').query({ department: name }).expect(200)).body.meta.total;

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
}

test('moves all matches to another department, including those not loaded yet', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('?department=Old+Yard&sort=name'));
  await page.getByText('240 people').waitFor();
  await choose(page, 'Move 0001');
  await page.getByText('1 person selected').waitFor();
  await page.getByRole('button', { name: 'Select all 240' }).click();
  await page.getByText('240 people selected').waitFor();
  await takeScreenshot(page, 'selection');
  await page.getByRole('region', { name: 'Selected people' }).getByRole('button', { name: 'Department' }).click();
  const window = page.getByRole('dialog', { name: 'Department of 240 people' });
  await window.getByRole('combobox', { name: 'Department' }).fill('New Yard');
  await window.getByRole('button', { name: 'Check' }).click();
  await window.getByText('240 people will change.').waitFor();
  expect(await inDepartment('New Yard')).toBe(0); // a check changes nothing
  await takeScreenshot(page, 'change-many');
  await window.getByRole('button', { name: 'Change 240 people' }).click();
  await page.getByText('240 people were changed', { exact: true }).waitFor();
  await window.waitFor({ state: 'detached' });
  expect(await inDepartment('New Yard')).toBe(240);
  await page.getByText('No one matches').waitFor();
  await done();
});

test('after an outage, invites only the people who were not invited', async () => {
  for (const name of ['Uma', 'Udo', 'Ute']) await addPerson(app, `${name} Outage`);
  const { page, done } = await openConsole(app, browser, 'admin', here('?search=outage&sort=name'));
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
  await page.getByRole('region', { name: 'Selected people' }).getByRole('button', { name: 'Invite' }).click();
  const sent: string[] = [];
  await page.route('**/*-invitation', (route) => {
    sent.push(route.request().url().split('/').at(-2)!);
    return sent.length === 2 ? route.abort() : route.continue();
  });
  await page.getByRole('button', { name: 'Send invitations' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByText('1 of 3').waitFor();
  await takeScreenshot(page, 'invite-outage');
  await page.getByRole('button', { name: 'Send invitations' }).click();
  await page.getByText('3 invitations were sent', { exact: true }).waitFor();
  expect(sent).toHaveLength(4);
  expect(new Set(sent).size).toBe(3);
  await done();
});

test('people who were not invited are named after leaving the screen, and after stopping', async () => {
  for (const name of ['Lia', 'Liv']) await addPerson(app, `${name} Left`);
  const { page, done } = await openConsole(app, browser, 'admin', here('?search=left&sort=name'));
  const send = async () => {
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('region', { name: 'Selected people' }).getByRole('button', { name: 'Invite' }).click();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let requests = 0;
    await page.unrouteAll();
    await page.route('**/*-invitation', async (route) => {
      requests += 1;
      if (requests > 1) return route.continue();
      await released;
      const json = { error: 'not_found', message: 'This person is gone.' };
      return route.fulfill({ status: 404, json });
    });
    await page.getByRole('button', { name: 'Send invitations' }).click();
    await eventually(() => expect(requests).toBe(1));
    return release;
  };
  const message = page.locator('.toast', { hasText: '1 was not invited:' });
  const finishAfterLeaving = await send();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  finishAfterLeaving();
  await message.getByText('Lia Left: This person is gone.').waitFor();
  await page.getByText('1 invitation was sent', { exact: true }).waitFor();
  await takeScreenshot(page, 'not-invited');
  await message.getByRole('button', { name: 'Go back' }).click();
  await page.getByText('2 people', { exact: true }).waitFor();
  await message.waitFor({ state: 'detached' });
  const finishAfterStopping = await send();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  finishAfterStopping();
  await message.getByText('Lia Left: This person is gone.').waitFor();
  await done();
});

test('a page that could not be loaded is requested once, with the error below the rows', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('?search=move&sort=name'));
  await page.getByRole('link', { name: 'Move 0001' }).waitFor();
  let requests = 0;
  const isNext = (url: URL) => url.pathname === '/v1/collaborators' && url.searchParams.has('cursor');
  await page.route(isNext, (route) => {
    requests += 1;
    const json = { error: 'rate_limited', message: 'Too many requests.' };
    return route.fulfill({ status: 429, headers: { 'retry-after': '60' }, json });
  });
  await page.keyboard.press('End');
  const problem = page.getByRole('alert').filter({ hasText: 'Too many requests.' });
  await problem.waitFor();
  for (const key of ['PageUp', 'End', 'Home', 'End']) {
    await page.keyboard.press(key);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  }
  expect(requests).toBe(1);
  await problem.scrollIntoViewIfNeeded();
  await page.getByRole('link', { name: 'Move 0100' }).waitFor();
  expect((await problem.boundingBox())!.y).toBeGreaterThan(
    (await page.getByRole('link', { name: 'Move 0100' }).boundingBox())!.y,
  );
  await takeScreenshot(page, 'next-page-failed');
  await page.unroute(isNext);
  await problem.getByRole('button', { name: 'Try again' }).click();
  await problem.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Move 0101' }).waitFor();
  await done();
});

test('a selection and a long word in a name fit a phone in dark mode, and the keyboard reaches nothing that is hidden', async () => {
  await addPerson(app, 'Wolfeschlegelsteinhausenbergerdorff-Sigmaringen');
  const options = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const;
  const { page, done } = await openConsole(app, browser, 'admin', here('?search=wolfe'), options);
  await page.getByRole('checkbox', { name: 'Select Wolfe' }).check();
  await page.getByText('1 person selected').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  const { x, width } = (await page.getByRole('link', { name: /Wolfe/ }).locator('span').last().boundingBox())!;
  const card = (await page.locator('.table').boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(card.x + card.width);
  await takeScreenshot(page, 'selection-phone');

  const search = page.getByLabel('Search by name');
  await search.fill('');
  await page.getByRole('link', { name: 'Clara Sousa' }).waitFor();
  expect(await hiddenFocus(page, 'Tab', 50)).toEqual([]);
  expect(await hiddenFocus(page, 'Shift+Tab', 60)).toEqual([]);
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).focus();
  await page.keyboard.press('Shift+Tab'); // not after all rows
  await page.getByRole('button', { name: 'Clear selection' }).and(page.locator(':focus')).waitFor();
  await done();
});

test('in a dialog, Escape first closes the suggestions', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('?search=move%200001'));
  await choose(page, 'Move 0001');
  const bar = page.getByRole('region', { name: 'Selected people' });
  await bar.getByRole('button', { name: 'Department' }).press('Enter');
  const window = page.getByRole('dialog');
  const department = window.getByRole('combobox', { name: 'Department' });
  await department.pressSequentially('Yard');
  await window.getByRole('option').first().waitFor();
  await department.press('Escape');
  await window.getByRole('option').first().waitFor({ state: 'hidden' });
  expect(await department.inputValue()).toBe('Yard');
  await department.press('Escape');
  await window.waitFor({ state: 'detached' });
  await done();
});

/** A script, because both happen within the pause of the search. Its timer ends after that of the search. */
const typeAndClick = (label: string) => `(async () => {
  const search = document.querySelector('input[type=search]');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(search, 'sousa');
  search.dispatchEvent(new Event('input', { bubbles: true }));
  [...document.querySelectorAll('button, [role=menuitem]')].find(({ textContent }) => textContent === '${label}').click();
  await new Promise((done) => setTimeout(done, 300));
})()`;

test('a filter chosen right after typing keeps the search; clearing the filters or opening a view discards it', async () => {
  await app.admin.post('/v1/saved-views', { name: 'Inactive', filters: { status: 'inactive' } }).expect(201);
  const { page, done } = await openConsole(app, browser, 'admin', here());
  const status = page.getByRole('combobox', { name: 'Status' });
  await status.waitFor();
  await page.getByLabel('Search by name').fill('clara');
  await status.selectOption('active');
  await page.waitForURL(
    (url) => url.search === '?search=clara&status=active' || url.search === '?status=active&search=clara',
  );
  await page.evaluate(typeAndClick('Clear filters'));
  expect(await page.getByLabel('Search by name').inputValue()).toBe('');
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Inactive' }).waitFor();
  await page.evaluate(typeAndClick('Inactive'));
  await page.waitForURL((url) => url.search === '?status=inactive');
  expect(await page.getByLabel('Search by name').inputValue()).toBe('');
  await done();
});

test('columns are resized by keyboard and by dragging, and keep their widths', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
  const widthOf = async (name: string) => Math.round((await header(name).boundingBox())!.width);
  const edge = page.getByRole('separator', { name: 'Width of Position' });
  await edge.waitFor();
  const before = await widthOf('Position');
  const [name, department] = [await widthOf('Name'), await widthOf('Department')];
  await edge.and(page.locator(`[aria-valuenow="${before}"]`)).waitFor();
  await tabTo(page, edge);
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('ArrowRight');
  expect(await widthOf('Position')).toBe(before + 48);
  expect([await widthOf('Name'), await widthOf('Department')]).toEqual([name, department]);
  await edge.and(page.locator(`[aria-valuenow="${before + 48}"]`)).waitFor();
  await takeScreenshot(page, 'resized');
  await page.getByRole('checkbox', { name: 'Select Clara Sousa' }).check();
  await page.getByRole('checkbox', { name: 'Select Clara Sousa' }).uncheck();

  const { x, y, width, height } = (await edge.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 90, y + height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await widthOf('Position')).toBe(before - 42);
  await page.mouse.move(x, y + 300);
  expect(await widthOf('Position')).toBe(before - 42);
  await page.getByRole('button', { name: 'Position' }).click(); // the edge covers no button
  await page.waitForURL((url) => url.searchParams.get('sort') === 'position');
  await page.getByRole('link', { name: 'Org chart' }).first().click();
  await edge.waitFor({ state: 'detached' });
  await page.goBack();
  await edge.waitFor();
  expect(await widthOf('Position')).toBe(before - 42);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1440);

  await tabTo(page, edge);
  await page.keyboard.press('Enter');
  expect(await page.locator('table.sized').count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await edge.waitFor({ state: 'hidden' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await done();
});
