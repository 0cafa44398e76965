/** Events in the console: live list, positions, details, and tests of an endpoint. */
import type { Browser } from 'playwright-core';
import type { Worker } from '../../../../src/worker/worker.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { axeViolations } from '../../../helpers/browser/axe.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../../helpers/browser/console.ts';
import { checkLayouts } from '../../../helpers/browser/layouts.ts';
import { type Receiver, receiver } from '../../../helpers/network/receiver.ts';
import { testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
let worker: Worker;
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

const here = (search = '') => `/${app.company_id}/events${search}`;

async function addPerson(name: string) {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
  await app.admin.post('/v1/collaborators', { name, email, position: 'Driver', department: 'Field' }).expect(201);
}

test('an admin watches an event arrive, opens it, and copies the position after it, by keyboard only', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('row', { name: 'Clara Sousa' }).waitFor(); // from the company's creation
  await addPerson('Ana Luz');
  const row = page.getByRole('row', { name: 'Ana Luz' });
  await row.waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Copy: Position after the latest event' }));
  await page.keyboard.press('Enter');
  const position = (await page.evaluate('navigator.clipboard.readText()')) as string;
  await tabTo(page, row.getByRole('button', { name: 'collaborator.created' }));
  await page.keyboard.press('Enter');
  const whole = page.getByRole('dialog', { name: 'collaborator.created' });
  const json = JSON.parse((await whole.locator('pre').textContent())!);
  expect(json).toMatchObject({ event: 'collaborator.created', data: { data: { name: 'Ana Luz' } } });
  const docs = whole.getByRole('link', { name: 'Documentation of collaborator.created' });
  expect(await docs.getAttribute('href')).toBe(`${app.base_url}/docs#tag/events/webhook/collaborator.created`);
  await page.keyboard.press('Escape');
  await whole.waitFor({ state: 'detached' });

  await tabTo(page, page.getByRole('checkbox', { name: 'Live' }));
  await page.keyboard.press('Space');
  await addPerson('Bia Sol');
  const { body } = await app.admin.get('/v1/events').query({ cursor: position }).expect(200);
  expect(body.has_gap).toBe(false);
  await page.keyboard.press('Space'); // nothing is missing after the pause
  await page.getByRole('row', { name: 'Bia Sol' }).waitFor();
  await row.waitFor();

  await page.evaluate(`history.pushState(null, '', '/console${here(`?position=${position}`)}')`);
  await page.getByRole('row', { name: 'Bia Sol' }).waitFor();
  expect(await row.count()).toBe(0);
  await done();
});

test('keeps filters in the URL, and explains a position of other filters or beyond retention', async () => {
  await addPerson('Caio Mar');
  await app.admin.put('/v1/company', { name: 'Verde Logística' }).expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', here('?event=collaborator.created'));
  await page.getByRole('row', { name: 'Caio Mar' }).waitFor();
  await page.getByText('Sample of collaborator.created').click();
  await page.getByText('Sent once for each collaborator').waitFor();
  await page.getByRole('combobox', { name: 'Event' }).selectOption('import.*');
  await page.getByText('No events match so far').waitFor();
  expect(new URL(page.url()).search).toBe('?event=import.*');
  const { body } = await app.admin.get('/v1/events').query({ limit: 1 }).expect(200);
  await page.getByLabel('After position').fill(body.position);
  await page.getByRole('alert').getByText('This cursor was altered, or belongs to other filters.').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Start with the latest' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });

  await app.database.query('delete from events where sequence <= 2');
  await page.evaluate(`history.pushState(null, '', '/console${here(`?position=${body.position}`)}')`);
  await page.getByText('Some events after this position have expired').waitFor();
  await page.getByRole('row', { name: 'Caio Mar' }).waitFor();
  await done();
});

test('sends a test to one endpoint only, and doesn’t list it', async () => {
  const gate = { url: `${hook.url}gate`, events: ['company.*'] };
  await app.admin.post('/v1/webhooks', gate).expect(201);
  hook.respond(204);
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByLabel('Endpoint').selectOption(gate.url);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Delivered.').waitFor();
  expect(hook.requests.at(-1)!.headers).toContainEqual(['X-Webhook-Event', 'webhook.test']);
  await page.keyboard.press('Escape');
  await addPerson('Davi Rio');
  await page.getByRole('row', { name: 'Davi Rio' }).waitFor();
  expect(await page.getByRole('button', { name: 'webhook.test' }).count()).toBe(0);
  await done();
});

test('every screen fits and passes axe, wide and on a phone', async () => {
  await addPerson('Person 390');
  const { page, done } = await openConsole(app, browser, 'admin', here(), { locale: 'pt-BR' });
  const row = page.getByRole('row', { name: 'Person 390' });
  await row.waitFor();
  await checkLayouts(page, 'events');
  await row.getByRole('button').click();
  await page.getByRole('dialog').waitFor();
  await checkLayouts(page, 'event');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox').first().selectOption('collaborator.created');
  const kind = page.locator('section.kind');
  await kind.getByText('Enviado uma vez para cada colaborador').waitFor();
  await checkLayouts(page, 'events-kind');
  await done();
});
