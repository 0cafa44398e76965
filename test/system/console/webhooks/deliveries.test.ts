/** Webhook deliveries and events in the console: live lists, details, redelivery, positions, and tests of an endpoint. */
import type { Browser } from 'playwright-core';
import type { Worker } from '../../../../src/worker/worker.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../../helpers/browser/console.ts';
import { checkLayouts } from '../../../helpers/browser/layouts.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { header, type Receiver, receiver } from '../../../helpers/network/receiver.ts';
import { addWebhook } from '../../../helpers/resources/webhooks.ts';
import { testWorker } from '../../../helpers/worker.ts';

let app: TestApp;
let worker: Worker;
let hook: Receiver;
let browser: Browser;
let webhook: string;

beforeAll(async () => {
  await requireBuiltConsole();
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  worker = await testWorker(app);
  hook = await receiver();
  browser = await launchBrowser();
  const requested = { url: `${hook.url}gate`, events: ['collaborator.*'], headers: { 'X-Gate': 'campinas' } };
  webhook = (await app.admin.post('/v1/webhooks', requested).expect(201)).body.id;
});

afterAll(async () => {
  await browser?.close();
  await hook?.close();
  await worker?.stop();
  await app?.close();
});

const here = (path = '') => `/${app.company_id}/webhooks/${webhook}${path}`;

let people = 0;
async function addPerson(name = `Person ${++people}`) {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
  await app.admin.post('/v1/collaborators', { name, email, position: 'Driver', department: 'Field' }).expect(201);
}

test('finds out why a delivery failed and resends it, by keyboard only', async () => {
  hook.respond((response) => {
    response.statusCode = 500;
    response.setHeader('X-Reason', 'badge-printer');
    response.end('no paper');
  });
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByText('No deliveries yet').waitFor();
  await addPerson();
  const link = page.getByRole('link', { name: 'collaborator.created' });
  await link.waitFor();
  await page.getByText('Retrying').waitFor();
  await tabTo(page, link);
  await page.keyboard.press('Enter');
  await page.getByText('Attempt 1').waitFor();
  const body = page.getByRole('figure', { name: /^Body/ }).locator('pre');
  expect(JSON.parse((await body.textContent())!)).toMatchObject({ event: 'collaborator.created' });
  const [received, sent] = await page.getByRole('figure', { name: 'Headers' }).locator('pre').allInnerTexts();
  expect(sent).toContain('X-Gate: ***');
  expect(received).toContain('X-Reason: badge-printer');
  expect(await page.getByRole('figure', { name: 'Start of the body' }).locator('pre').textContent()).toBe('no paper');
  await checkLayouts(page, 'delivery');

  hook.respond(204);
  await tabTo(page, page.getByRole('button', { name: 'Resend' }));
  await page.keyboard.press('Enter');
  const window = page.getByRole('dialog', { name: 'Resend' });
  await window.waitFor();
  await tabTo(page, window.getByRole('button', { name: 'Resend now' }));
  await page.keyboard.press('Enter');
  await page.getByText('Attempt 2').waitFor();
  await page.getByText('Delivered').waitFor();
  await page.getByText('sent manually').waitFor();
  await done();
});

test('renders few of many deliveries at a time', async () => {
  const many = await addWebhook(app, { url: 'http://127.0.0.1:9009/many', events: ['*'] });
  await app.database.query(
    `insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, status, created_at, completed_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'collaborator.updated', 'envelope', 'succeeded',
       now() - n * interval '1 minute', now() from generate_series(1, 150) n`,
    [app.company_id, many],
  );
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/webhooks/${many}`);
  await page.getByText('The latest 100, more below').waitFor();
  expect(await page.locator('tbody tr').count()).toBeLessThan(60);
  await eventually(async () => {
    await page.mouse.wheel(0, 3_000);
    expect(await page.getByText('150 deliveries').isVisible()).toBe(true);
  });
  expect(await page.locator('tbody tr').count()).toBeLessThan(60);
  await done();
});

test('shows why an endpoint was deactivated, and reactivates it with a replay', async () => {
  const url = `${hook.url}again`;
  const ended = await addWebhook(app, {
    url,
    events: ['collaborator.created'],
    status: 'deactivated',
    deactivated_at: new Date().toISOString(),
    deactivation_reason: 'server_error',
    consecutive_failures: 9,
  });
  hook.respond(204);
  await addPerson();
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  await page.getByRole('link', { name: url }).click(); // problems come first
  await page.getByRole('heading', { level: 1, name: url }).waitFor();
  await page.getByText('The endpoint kept failing').waitFor();
  await checkLayouts(page, 'deactivated');
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  await page.locator('.badge', { hasText: 'Delivered' }).first().waitFor();
  expect((await app.admin.get(`/v1/webhooks/${ended}`).expect(200)).body.status).toBe('active');
  await done();
});

test('sends a test and shows the response, and redelivers a range', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  hook.respond(418);
  await page.getByRole('button', { name: 'Send a test' }).click();
  const window = page.getByRole('dialog', { name: 'Send a test' });
  await window.getByText('Delivery failed.').waitFor();
  hook.respond(200);
  await window.getByRole('button', { name: 'Send another' }).click();
  await window.getByText('Delivered.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resend a range' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend the range' }).click();
  await page.getByText(/deliver(y is|ies are) being resent/).waitFor();
  await done();
});

test('a missing or half-typed time resends nothing', async () => {
  const id = await addWebhook(app, { url: 'https://hooks.example.com/times' });
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/webhooks/${id}`);
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname));
  const window = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Send missed events' }).click();
  await window.getByLabel('Since').fill('');
  await window.getByRole('button', { name: 'Send missed events' }).click();
  await window.getByText('This field is required.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Resend a range' }).click();
  await window.getByLabel('Until').click();
  await page.keyboard.type('12');
  await window.getByRole('button', { name: 'Resend the range' }).click();
  await window.getByText('Complete this value, or clear the field.').waitFor();
  expect(posts).toEqual([]);
  await window.getByLabel('Until').fill('2030-01-02T03:04');
  await window.getByRole('button', { name: 'Resend the range' }).click();
  await window.getByText('No deliveries in this time range.').waitFor();
  await done();
});

const events = (search = '') => `/${app.company_id}/events${search}`;

test('an admin watches an event arrive, opens it, and copies the position after it, by keyboard only', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', events());
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
  await checkLayouts(page, 'event');
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

  await page.evaluate(`history.pushState(null, '', '/console${events(`?position=${position}`)}')`);
  await page.getByRole('row', { name: 'Bia Sol' }).waitFor();
  expect(await row.count()).toBe(0);
  await done();
});

test('keeps filters in the URL, and explains a position of other filters or beyond retention', async () => {
  await addPerson('Caio Mar');
  await app.admin.put('/v1/company', { name: 'Verde Logística' }).expect(200);
  const { page, done } = await openConsole(app, browser, 'admin', events('?event=collaborator.created'));
  await page.getByRole('row', { name: 'Caio Mar' }).waitFor();
  await page.getByText('Sample of collaborator.created').click();
  await page.getByText('Sent once for each collaborator').waitFor();
  await checkLayouts(page, 'events');
  await page.getByRole('combobox', { name: 'Event' }).selectOption('import.*');
  await page.getByText('No events match so far').waitFor();
  expect(new URL(page.url()).search).toBe('?event=import.*');
  const { body } = await app.admin.get('/v1/events').query({ limit: 1 }).expect(200);
  await page.getByLabel('After position').fill(body.position);
  await page.getByRole('alert').getByText('This cursor was altered, or belongs to other filters.').waitFor();
  await page.getByRole('button', { name: 'Start with the latest' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });

  await app.database.query('delete from events where sequence <= 2');
  await page.evaluate(`history.pushState(null, '', '/console${events(`?position=${body.position}`)}')`);
  await page.getByText('Some events after this position have expired').waitFor();
  await page.getByRole('row', { name: 'Caio Mar' }).waitFor();
  await done();
});

test('sends a test to one endpoint only, and doesn’t list it', async () => {
  const other = { url: `${hook.url}other`, events: ['company.*'] };
  await app.admin.post('/v1/webhooks', other).expect(201);
  hook.respond(204);
  const tests = () => hook.requests.filter((each) => header(each, 'X-Webhook-Event') === 'webhook.test').length;
  const before = tests();
  const { page, done } = await openConsole(app, browser, 'admin', events());
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByLabel('Endpoint').selectOption(other.url);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Delivered.').waitFor();
  expect(tests()).toBe(before + 1);
  await page.keyboard.press('Escape');
  await addPerson('Davi Rio');
  await page.getByRole('row', { name: 'Davi Rio' }).waitFor();
  expect(await page.getByRole('button', { name: 'webhook.test' }).count()).toBe(0);
  await done();
});
