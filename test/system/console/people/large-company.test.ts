/** With 5,000 people, a screen takes no more requests and rows than with 50: nothing loads everyone, and counts are exact. */
import { randomUUID } from 'node:crypto';
import type { Browser, Page, Response } from 'playwright-core';
import sharp from 'sharp';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../../helpers/browser/console.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';

const maxRequests = 6;
const maxRows = 120;

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp();
  browser = await launchBrowser();
  await fill(app.manager.collaborator_id, 1_104, 'Aaa');
  const lead = await addLead();
  await fill(lead, 2_000, 'Bbb');
  await fill(null, 1_900, 'Ccc');
  await app.database.query('analyze collaborators'); // as upkeep does after growth (src/platform/schema/statistics.ts)
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

async function fill(managerId: string | null, count: number, name: string): Promise<void> {
  await app.database.query(
    `insert into collaborators (company_id, id, name, email, position, department, location, status, role, manager_id)
     select $1, gen_random_uuid(), $4 || ' ' || lpad(n::text, 4, '0'), $4 || n || '@example.com', 'Driver',
       'Department ' || lpad((n % 150)::text, 3, '0'), 'Site ' || n % 3, 'active', 'employee', $2
     from generate_series(1, $3::int) n`,
    [app.company_id, managerId, count, name],
  );
}

async function addLead(): Promise<string> {
  const id = randomUUID();
  await app.database.query(
    `insert into collaborators (company_id, id, name, email, position, department, status, role, manager_id)
     values ($1, $2, 'Zita Lead', 'zita@example.com', 'Lead', 'Department 001', 'active', 'employee', $3)`,
    [app.company_id, id, app.admin.collaborator_id],
  );
  return id;
}

async function requestsOf(page: Page, open: () => Promise<unknown>): Promise<string[]> {
  const paths: string[] = [];
  const refused: string[] = [];
  const note = (response: Response) => {
    const { pathname, search } = new URL(response.url());
    if (!pathname.startsWith('/v1/')) return;
    paths.push(pathname + search);
    if (response.status() >= 400) refused.push(`${response.status()} ${pathname}`);
  };
  page.on('response', note);
  await open();
  await page.waitForLoadState('networkidle');
  page.off('response', note);
  expect(refused).toEqual([]);
  return paths;
}

/** Opens a screen in the page. */
const show = (page: Page, path: string) =>
  page.evaluate(`history.pushState(null, '', '/console/${app.company_id}${path}')`);

test('the org chart as a list starts at the top with team sizes, and groups people without a team in one line', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', '/none');
  const requests = await requestsOf(page, async () => {
    await show(page, '/people/org?view=list');
    await page.getByRole('link', { name: 'Mariana Duarte' }).waitFor();
    await page.getByText('1,900 people without a manager or reports').waitFor();
    await page.getByRole('link', { name: 'Zita Lead' }).waitFor();
  });
  expect(requests.length).toBeLessThanOrEqual(maxRequests);
  await page.getByText('1,105 reports').waitFor();
  await page.getByText('2,000 reports').waitFor();
  await page.getByText('3,108 in the team').waitFor();
  await page.getByRole('button', { name: "Zita Lead's team" }).click();
  await page.getByRole('link', { name: 'Bbb 0050' }).waitFor();
  expect(await page.locator('.branch').count()).toBeLessThan(maxRows);
  await page.getByRole('button', { name: 'Show more (1,950 left)' }).click();
  await page.getByRole('link', { name: 'Bbb 0100' }).waitFor();
  await page.getByRole('button', { name: '1,900 people without a manager or reports' }).click();
  await page.getByRole('link', { name: 'Ccc 0001' }).waitFor();
  await takeScreenshot(page, 'org-large');
  await done();
});

test('the chart loads a level when opened, and the path to a person at once', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', '/none');
  const requests = await requestsOf(page, async () => {
    await show(page, '/people/org');
    await page.getByRole('treeitem', { name: /Mariana Duarte/ }).waitFor();
    await page.getByRole('treeitem', { name: /Zita Lead/ }).waitFor();
    await page.getByText('1,900 people without a manager or reports').waitFor();
  });
  expect(requests.length).toBeLessThanOrEqual(maxRequests + 1); // the top level is read for both the chart and the list
  const tree = page.getByRole('tree', { name: 'Org chart' });
  const [top, area] = [
    await tree.getByRole('treeitem', { name: /Mariana Duarte/ }).boundingBox(),
    await page.locator('.org-area').boundingBox(),
  ];
  expect(top!.x).toBeGreaterThanOrEqual(area!.x);
  expect(top!.x + top!.width).toBeLessThanOrEqual(area!.x + area!.width);
  await tree.getByRole('button', { name: "Zita Lead's team: 2,000 reports" }).waitFor();
  await tree
    .getByRole('button', { name: /team: 2 reports|team: 3 reports · 3,108 in the team/ })
    .first()
    .waitFor();

  // Keyboard: into the first child, along the siblings, open, into it, and out again.
  await tree.getByRole('treeitem', { name: /Mariana Duarte/ }).focus();
  const isFocused = (name: string) => tree.locator('[role="treeitem"]:focus', { hasText: name }).waitFor();
  const press = async (key: string, name: string) => {
    await page.keyboard.press(key);
    await isFocused(name);
  };
  await press('End', 'Tomás Rocha');
  await press('Home', 'Mariana Duarte');
  await press('ArrowRight', 'Rui Almeida');
  await press('ArrowDown', 'Zita Lead');
  await page.keyboard.press('ArrowRight');
  await tree.getByRole('treeitem', { name: /Bbb 0050/ }).waitFor();
  await tree.getByRole('button', { name: 'Show more (1,950 left)' }).click();
  await tree.getByRole('treeitem', { name: /Bbb 0100/ }).waitFor();
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(maxRows);
  await tree.getByRole('treeitem', { name: /Zita Lead/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await tree.getByRole('treeitem', { name: /Bbb 0100/ }).waitFor({ state: 'detached' });
  await press('ArrowLeft', 'Mariana Duarte');

  const sought = await requestsOf(page, async () => {
    await page.getByRole('combobox', { name: 'Find a person' }).fill('Aaa 1000');
    await page.getByRole('option', { name: /Aaa 1000/ }).click();
    await isFocused('Aaa 1000');
  });
  expect(sought.filter((path) => path.startsWith('/v1/org-chart')).length).toBeLessThanOrEqual(1);
  await tree.getByRole('button', { name: 'Show 1,104 others' }).waitFor();
  const scale = () =>
    page.evaluate(
      "(() => { const it = document.querySelector('.chart-canvas'); return it.getBoundingClientRect().width / it.offsetWidth; })()",
    );
  await page.getByRole('button', { name: 'Zoom out' }).click();
  expect(await scale()).toBeCloseTo(0.8, 2);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a picture' }).click();
  const picture = sharp(await (await download).path());
  expect((await picture.metadata()).width).toBeGreaterThan(400);
  expect(Math.max(...(await picture.stats()).channels.map(({ stdev }) => stdev))).toBeGreaterThan(5); // not blank
  await page.getByRole('button', { name: 'Fit to the screen' }).click();
  expect(await scale()).toBeLessThanOrEqual(1);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Zoom out' }).isVisible()).toBe(false);
  expect(await tree.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'chart');
  await page.setViewportSize({ width: 390, height: 844 });
  await takeScreenshot(page, 'chart-phone');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await tree.getByRole('treeitem', { name: /Aaa 1000/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Aaa 1000' }).waitFor();
  await done();
});

test('a filter offers every value, also beyond the first hundred', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/people`);
  await page.getByRole('link', { name: 'Clara Sousa' }).waitFor();
  await page.getByRole('combobox', { name: 'Department' }).selectOption('Department 149');
  await page.getByText('32 people').waitFor();
  await show(page, '/company');
  const { body } = await app.admin.get('/v1/field-values/department?limit=100').expect(200);
  const { cursor } = { cursor: body.pagination.nextCursor };
  const { body: rest } = await app.admin.get(`/v1/field-values/department?limit=100&cursor=${cursor}`).expect(200);
  await page.getByText(`and ${body.data.length + rest.data.length - 24} more`).waitFor();
  await done();
});

test('every screen loads and renders little', async () => {
  for (const path of ['/people', '/exports/new', '/audit', '/company', '']) {
    const { page, done } = await openConsole(app, browser, 'admin', '/none');
    const requests = await requestsOf(page, async () => {
      await show(page, path);
      await page.locator('main > :not(.alone) h1').waitFor();
    });
    expect({ path, requests: requests.length > maxRequests + 2 ? requests : [] }).toEqual({ path, requests: [] });
    expect(await page.locator('tbody tr, main li').count()).toBeLessThan(maxRows);
    await done();
  }
});

const atLocation = async (location: string) =>
  (await app.admin.get('/v1/collaborators').query({ location }).expect(200)).body.meta.total;

test('changes more people than a request may have, names people who can’t be changed, and continues after an outage', async () => {
  const path = `/${app.company_id}/people?search=Bbb&sort=name`;
  const { page, done } = await openConsole(app, browser, 'admin', path);
  // All that a button selects, and a page of others.
  await page.getByRole('checkbox', { name: 'Select Bbb 0001', exact: true }).check();
  await page.getByRole('button', { name: 'Select the first 1,000' }).click();
  await page.getByText('1,000 people selected').waitFor();
  await page.getByLabel('Search by name').fill('Ccc');
  await page.getByText(/^1,(900|899) people$/).waitFor();
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
  await page.getByText('1,100 people selected').waitFor();
  const deleted = await page.getByRole('link', { name: 'Ccc 0002' }).getAttribute('href');
  await app.admin.delete(`/v1/collaborators/${deleted!.split('/').at(-1)}`).expect(200);
  await page.getByRole('region', { name: 'Selected people' }).getByRole('button', { name: 'Location' }).click();
  const window = page.getByRole('dialog');
  const sizes: number[] = [];
  await page.route('**/v1/collaborators/bulk', async (route) => {
    const request = sizes.push(route.request().postDataJSON().items.length);
    await (request === 4 ? route.abort() : route.continue());
  });
  await window.getByRole('combobox', { name: 'Location' }).fill('Harbor');
  await window.getByRole('button', { name: 'Check' }).click();
  await window.getByText('1,099 people will change.').waitFor();
  expect(sizes).toEqual([1_000, 100]);
  expect(await window.getByRole('listitem').textContent()).toMatch(/^Ccc 0002: ./);
  expect(await atLocation('Harbor')).toBe(0);
  await window.getByRole('button', { name: 'Change 1,099 people' }).click();
  await window.getByRole('alert').waitFor();
  await window.getByText('1,000 people were changed.').waitFor();
  await window.getByRole('progressbar').waitFor();
  await takeScreenshot(page, 'bulk-outage');
  await window.getByRole('button', { name: 'Change 99 people' }).click();
  await page.getByText('1,099 people were changed', { exact: true }).waitFor();
  expect(sizes.slice(2)).toEqual([1_000, 100, 100]);
  expect(await atLocation('Harbor')).toBe(1_099);
  await done();
});
