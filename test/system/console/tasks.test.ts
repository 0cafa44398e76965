/** Common tasks of a first-time user, measured in clicks, keystrokes, and screens to read, so that extra steps show. */
import type { Browser, Locator, Page } from 'playwright-core';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../helpers/browser/console.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { csv, people, requiredHeaders, runImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { age } from '../../identity/service.ts';

/** Seconds a person needs. */
const pace = { press: 1, key: 0.2, screen: 2 };
/** Signing in: type email and password, and press the button. */
const signIn = 3 * pace.press + 50 * pace.key + pace.screen;

let app: TestApp;
let worker: TestWorker;
let hook: Receiver;
let browser: Browser;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  worker = await testWorker(app);
  hook = await receiver();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await hook?.close();
  await worker?.stop();
  await app?.close();
});

/** A user who reads each screen before acting, with the time it takes them. */
function newcomer(startSeconds = 0) {
  const spent = { seconds: startSeconds };
  return {
    spent,
    async reads(element: Locator) {
      await element.waitFor();
      spent.seconds += pace.screen;
    },
    async presses(target: Locator) {
      await target.click();
      spent.seconds += pace.press;
    },
    /** In the browser's file dialog: open, find, and choose the file. */
    async chooses(field: Locator, file: Parameters<Locator['setInputFiles']>[0]) {
      await field.setInputFiles(file);
      spent.seconds += 3 * pace.press;
    },
    async types(target: Locator, text: string) {
      await target.fill(text);
      spent.seconds += text.length * pace.key;
    },
    async picks(target: Locator, label: string) {
      await target.selectOption({ label });
      spent.seconds += 2 * pace.press;
    },
    corrects(cells: readonly string[]) {
      for (const text of cells) spent.seconds += pace.screen + pace.press + text.length * pace.key;
      spent.seconds += 2 * pace.press; // to save
    },
  };
}

test('a failed delivery is explained within half a minute after sign-in', async () => {
  hook.respond((response) => {
    response.statusCode = 503;
    response.end('no paper in the badge printer');
  });
  const url = `${hook.url}badges`;
  await app.admin.post('/v1/webhooks', { url, events: ['collaborator.created'] }).expect(201);
  const person = { name: 'Ana Prado', email: 'ana.prado@example.com', position: 'Driver', department: 'Field' };
  await app.admin.post('/v1/collaborators', person).expect(201);
  const { page, context, problems } = await openConsole(app, browser, 'admin');
  const { spent, reads, presses } = newcomer(signIn);
  const endpoint = page.getByRole('link', { name: url }); // on the home screen, without a search
  await reads(endpoint);
  await presses(endpoint);
  await reads(page.getByText('Retrying'));
  await presses(page.getByRole('link', { name: 'collaborator.created' }));
  const reason = page.getByText('no paper in the badge printer');
  await reads(reason);
  await reads(page.getByText('The endpoint returned 503'));
  expect(await page.evaluate('window.scrollY')).toBe(0);
  for (const locator of [reason, page.getByText('Next attempt').first()]) {
    const { y, height } = (await locator.boundingBox())!;
    expect(y + height).toBeLessThan(900); // visible without scrolling
  }
  expect(spent.seconds).toBeLessThan(30);
  expect(problems).toEqual([]);
  await context.close();
});

test('a file with three errors is corrected and imported within two minutes', async () => {
  const rows = [
    ['Aiko Tanabe', 'aiko@tasks.example', 'Analyst', 'Fleet'],
    ['Bruno Reis', 'bruno.tasks.example', 'Analyst', 'Fleet'],
    ['Carla Melo', 'carla@tasks.example', 'Analyst', null],
    ['D', 'davi@tasks.example', 'Driver', 'Fleet'],
  ];
  const file = () => ({ name: 'new.csv', mimeType: 'text/csv', buffer: csv([requiredHeaders, ...rows]) });
  const { page, context, problems } = await openConsole(app, browser, 'admin');
  const { spent, reads, presses, chooses, corrects } = newcomer();
  const imports = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Imports' });
  await reads(imports);
  await presses(imports);
  await reads(page.getByText('No imports yet'));
  await presses(page.getByRole('link', { name: 'Import a file' }));
  await reads(page.getByLabel('File of people'));
  await chooses(page.getByLabel('File of people'), file());
  await reads(page.getByRole('heading', { name: '3 errors to fix' }));
  [rows[1]![1], rows[2]![3], rows[3]![0]] = ['bruno@tasks.example', 'Fleet', 'Davi Lopes'];
  corrects(['bruno@tasks.example', 'Fleet', 'Davi Lopes']);
  await chooses(page.getByLabel('The fixed file'), file());
  await reads(page.getByText('No errors found.'));
  await presses(page.getByRole('button', { name: 'Import 4 people' }));
  await reads(page.getByText('4 people will be added.'));
  await presses(page.getByRole('button', { name: 'Import now' }));
  await reads(page.getByText('All rows were imported.'));
  expect(spent.seconds).toBeLessThan(120);
  expect(problems).toEqual([]);
  await context.close();
});

/** A screen of the navigation. */
const screen = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true });

test('a salary change in the company is found, with its author, within 20 seconds', async () => {
  await app.admin.patch(`/v1/collaborators/${app.report.collaborator_id}`, { salary: 61_000 }).expect(200);
  const { page, context, problems } = await openConsole(app, browser, 'admin');
  const { spent, reads, presses, picks } = newcomer();
  await reads(screen(page, 'Audit log'));
  await presses(screen(page, 'Audit log'));
  await reads(page.getByRole('combobox', { name: 'Changed field' }));
  await picks(page.getByRole('combobox', { name: 'Changed field' }), 'Salary');
  await reads(page.getByText('1 entry', { exact: true }));
  const entry = await page.locator('tbody tr').textContent();
  expect(entry).toContain('Clara Sousa');
  expect(entry).toContain('Mariana Duarte');
  expect(spent.seconds).toBeLessThan(20);
  expect(problems).toEqual([]);
  await context.close();
});

test('40 people are moved to another department within half a minute', async () => {
  await app.database.query(
    `insert into collaborators (id, company_id, name, email, position, department, status)
     select gen_random_uuid(), $1, 'Move ' || lpad(n::text, 2, '0'), 'move' || n || '@tasks.example', 'Packer', 'Old Yard', 'active'
     from generate_series(1, 40) n`,
    [app.company_id],
  );
  const { page, context, problems } = await openConsole(app, browser, 'admin');
  const { spent, reads, presses, picks, types } = newcomer();
  await reads(screen(page, 'People'));
  await presses(screen(page, 'People'));
  await picks(page.getByRole('combobox', { name: 'Department' }), 'Old Yard (40)');
  await reads(page.getByText('40 people', { exact: true }));
  await presses(page.getByRole('checkbox', { name: /^Select Move/ }).first());
  await presses(page.getByRole('button', { name: 'Select all 40' }));
  await reads(page.getByText('40 people selected'));
  await presses(page.getByRole('region', { name: 'Selected people' }).getByRole('button', { name: 'Department' }));
  const dialog = page.getByRole('dialog', { name: 'Department of 40 people' });
  await types(dialog.getByRole('combobox', { name: 'Department' }), 'New Yard');
  await presses(dialog.getByRole('button', { name: 'Check' }));
  await reads(dialog.getByText('40 people will change.'));
  await presses(dialog.getByRole('button', { name: 'Change 40 people' }));
  await reads(page.getByText('40 people were changed', { exact: true }));
  expect(spent.seconds).toBeLessThan(30);
  const { body } = await app.admin.get('/v1/collaborators?department=New Yard').expect(200);
  expect(body.meta.total).toBe(40);
  expect(problems).toEqual([]);
  await context.close();
});

test('an import is undone within 20 seconds', async () => {
  await runImport(app.admin, { file: people([81, 82]), filename: 'wrong.csv' });
  const { page, context, problems } = await openConsole(app, browser, 'admin');
  const { spent, reads, presses } = newcomer();
  await reads(screen(page, 'Imports'));
  await presses(screen(page, 'Imports'));
  await reads(page.getByRole('link', { name: 'wrong.csv' }));
  await presses(page.getByRole('link', { name: 'wrong.csv' }));
  const undo = page.getByRole('button', { name: 'Undo the import' });
  await reads(undo);
  await presses(undo);
  const dialog = page.getByRole('dialog', { name: 'Undo the import' });
  await reads(dialog.getByText('2 people will be deleted.'));
  await presses(dialog.getByRole('button', { name: 'Delete 2 people' }));
  await reads(page.getByText('2 people were deleted.'));
  expect(spent.seconds).toBeLessThan(20);
  expect(problems).toEqual([]);
  await context.close();
});

test('a person is found by the command menu within 10 seconds', async () => {
  const { page, context, problems } = await openConsole(app, browser, 'admin');
  const { spent, reads, types, presses } = newcomer();
  await reads(page.getByRole('heading', { level: 1 }));
  await page.keyboard.press('Control+k');
  await types(page.getByRole('combobox', { name: 'People, screens and actions' }), 'clara');
  await presses(page.getByRole('option', { name: /Clara Sousa/ }));
  await reads(page.getByRole('heading', { level: 1, name: 'Clara Sousa' }));
  expect(spent.seconds).toBeLessThan(10);
  expect(problems).toEqual([]);
  await context.close();
});

test('a salary that needs a recent sign-in is set within half a minute', async () => {
  await app.admin.put('/v1/company', { policy: { step_up: true } }).expect(200);
  const path = `/${app.company_id}/people/${app.report.collaborator_id}`;
  const { page, context, problems } = await openConsole(app, browser, 'admin', path);
  await age(app, 'Session', 7_200);
  await page.reload();
  const { spent, reads, presses, types } = newcomer();
  await reads(page.getByRole('heading', { level: 1, name: 'Clara Sousa' }));
  await presses(page.getByRole('button', { name: 'Edit' }));
  const offer = page.getByRole('button', { name: 'Sign in again to see salaries' });
  await reads(offer);
  const opened = page.waitForEvent('popup');
  await presses(offer);
  const window = await opened;
  await types(window.locator('#password'), 'correct horse battery staple');
  await presses(window.locator('button.primary'));
  await types(page.getByLabel('Salary'), '72000');
  await presses(page.getByRole('button', { name: 'Save' }));
  await reads(page.getByText('72,000.00'));
  expect(spent.seconds).toBeLessThan(30);
  await app.admin.put('/v1/company', { policy: { step_up: false } }).expect(200);
  expect(problems).toEqual([]);
  await context.close();
});
