/** Webhook deliveries in the console: live list, details, and redelivery. */
import type { Browser } from 'playwright-core';
import type { Worker } from '../../../../src/worker/worker.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole, tabTo } from '../../../helpers/browser/console.ts';
import { checkLayouts } from '../../../helpers/browser/layouts.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../../helpers/network/receiver.ts';
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
async function somethingHappens() {
  people += 1;
  const person = { name: `Person ${people}`, email: `p${people}@example.com`, position: 'Driver', department: 'Field' };
  await app.admin.post('/v1/collaborators', person).expect(201);
}

test('finds out why a delivery failed and resends it, by keyboard only', async () => {
  hook.respond((response) => {
    response.statusCode = 500;
    response.setHeader('X-Reason', 'badge-printer');
    response.end('no paper');
  });
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByText('No deliveries yet').waitFor();
  await somethingHappens();
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
  await somethingHappens();
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}`);
  await page.getByRole('link', { name: url }).click(); // problems come first
  await page.getByRole('heading', { level: 1, name: url }).waitFor();
  await page.getByText('The endpoint kept failing').waitFor();
  await takeScreenshot(page, 'deactivated');
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

test('every screen fits and passes axe, wide and on a phone', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', `/${app.company_id}/webhooks`);
  await page.getByRole('link', { name: `${hook.url}gate` }).waitFor();
  await checkLayouts(page, 'webhooks');
  await page.getByRole('link', { name: `${hook.url}gate` }).click();
  await page.getByRole('link', { name: 'collaborator.created' }).first().waitFor();
  await checkLayouts(page, 'deliveries');
  await page.getByRole('link', { name: 'collaborator.created' }).last().click();
  await page.getByText(/^Attempt 1$|No attempt was made yet/).waitFor();
  await checkLayouts(page, 'delivery');
  await done();
});
