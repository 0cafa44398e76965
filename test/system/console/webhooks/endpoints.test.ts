/** Webhook endpoints in the console: add, test, change, rotate the secret, pause, and delete. */
import { createHmac } from 'node:crypto';
import type { Browser } from 'playwright-core';
import type { Worker } from '../../../../src/worker/worker.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { launchBrowser } from '../../../helpers/browser/browser.ts';
import { openConsole, requireBuiltConsole } from '../../../helpers/browser/console.ts';
import { checkLayouts } from '../../../helpers/browser/layouts.ts';
import { takeScreenshot } from '../../../helpers/browser/screenshot.ts';
import { header, type Receiver, receiver } from '../../../helpers/network/receiver.ts';
import { addWebhook } from '../../../helpers/resources/webhooks.ts';
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

const here = (path = '') => `/${app.company_id}/webhooks${path}`;

test('an admin adds an endpoint, saves its secret, and verifies a test with it', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here());
  await page.getByRole('link', { name: 'Add an endpoint' }).click();
  await page.getByLabel('URL').fill(`${hook.url}gate`);
  await page.getByLabel('Description').fill('Badges of the Campinas gate');
  await page.getByLabel('All events').uncheck();
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await page.getByText('Choose at least one event.').waitFor();
  await page.getByText('collaborator', { exact: true }).click();
  await page.getByLabel('collaborator.created', { exact: true }).check();
  await page.getByLabel('Sample of collaborator.created').first().click();
  await page.getByRole('figure', { name: 'Sample of collaborator.created' }).locator('pre').waitFor();
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByLabel('Header name').fill('X-Gate');
  await page.getByLabel('Value of the header').fill('campinas');
  await takeScreenshot(page, 'new');
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await page.getByText('This is shown only once.').waitFor();
  const secret = (await page.getByRole('figure', { name: 'Secret' }).locator('pre').textContent())!;
  expect(secret).toMatch(/^whsec_/);
  await takeScreenshot(page, 'secret');

  await page.getByRole('link', { name: 'See its deliveries' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('Delivered.').waitFor();
  const [request] = await hook.received(1);
  expect(header(request!, 'X-Gate')).toBe('campinas');
  const signed = `${header(request!, 'webhook-id')}.${header(request!, 'webhook-timestamp')}.${request!.body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  expect(header(request!, 'webhook-signature')).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  await page.keyboard.press('Escape');
  await page.getByText('0 of 1 (0%) on the first attempt').waitFor();
  await takeScreenshot(page, 'figures');

  await page.getByRole('link', { name: 'Verify' }).click();
  for (const language of ['typescript', 'shell']) {
    await page.getByRole('combobox', { name: 'Programming language' }).selectOption(language);
    const code = await page.getByRole('figure', { name: 'Try it with a real request' }).locator('pre').textContent();
    expect(code).toContain(header(request!, 'webhook-id'));
    expect(code).toContain(secret);
  }
  await takeScreenshot(page, 'verify');
  await done();
});

test('shows validation errors of the service at the field', async () => {
  const { page, done } = await openConsole(app, browser, 'admin', here('/new'));
  await page.getByLabel('URL').fill('ftp://gate.example');
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByLabel('Header name').fill('Host');
  await page.getByLabel('Value of the header').fill('elsewhere');
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await page.getByRole('alert').waitFor();
  const address = page.getByLabel('URL');
  expect(await address.getAttribute('aria-invalid')).toBe('true');
  const errorText = await page.locator(`#${(await address.getAttribute('aria-describedby'))!.split(' ').at(-1)}`);
  expect((await errorText.textContent())!.length).toBeGreaterThan(10);
  await page
    .getByText(/^Host: /)
    .first()
    .waitFor();
  expect(await page.getByLabel('Header name').getAttribute('aria-describedby')).toBe('headers-error');
  expect(await address.inputValue()).toBe('ftp://gate.example');
  await done();
});

test('changes headers without showing them, and keeps untouched ones', async () => {
  const id = await addWebhook(app, {
    url: `${hook.url}headers`,
    headers: { 'X-Kept': 'kept-value', 'X-Gone': 'gone-value' },
  });
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/settings`));
  await page.getByRole('button', { name: 'Remove the header X-Gone' }).click();
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByLabel('Header name').last().fill('X-New');
  await page.getByLabel('Value of the header').last().fill('new-value');
  await page.getByLabel('Maximum requests per second').fill('20');
  expect(await page.content()).not.toMatch(/kept-value|gone-value/);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect((await app.admin.get(`/v1/webhooks/${id}`).expect(200)).body).toMatchObject({
    headers: { 'X-Kept': '***', 'X-New': '***' },
    max_per_second: 20,
  });
  const before = hook.requests.length;
  await app.admin.post(`/v1/webhooks/${id}/test?wait=true`).expect(200);
  const request = (await hook.received(before + 1)).at(-1)!;
  expect([header(request, 'X-Kept'), header(request, 'X-New')]).toEqual(['kept-value', 'new-value']);
  await takeScreenshot(page, 'settings');
  await done();
});

test('moving to another host removes stored headers, with a notice before and after', async () => {
  const id = await addWebhook(app, { url: `${hook.url}moved`, headers: { 'X-Gate': 'gate-value' } });
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/settings`));
  const advice = page.getByText("Stored values aren't sent to another scheme, host, or port.");
  await page.getByLabel('URL').fill(`${hook.url}moved?again`);
  expect(await advice.count()).toBe(0);
  await page.getByLabel('URL').fill(hook.url.replace('127.0.0.1', 'localhost'));
  await advice.waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The value of this header was dropped').waitFor();
  expect((await app.admin.get(`/v1/webhooks/${id}`).expect(200)).body.headers).toEqual({});
  await done();
});

test('pauses an endpoint, and deletes it after confirmation', async () => {
  const id = await addWebhook(app, { url: `${hook.url}end` });
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/settings`));
  await page.getByRole('button', { name: 'Pause the endpoint' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause the endpoint' }).click();
  await page.getByText('Someone paused it.').waitFor();
  await page.getByRole('button', { name: 'Delete the endpoint' }).click();
  const window = page.getByRole('dialog');
  expect(await window.textContent()).toContain(`${hook.url}end`);
  await window.getByRole('button', { name: 'Delete the endpoint' }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await app.admin.get(`/v1/webhooks/${id}`).expect(404);
  await done();
});

test('every part fits and passes axe, wide and on a phone', async () => {
  const id = await addWebhook(app, { url: `${hook.url}look`, headers: { 'X-Gate': 'campinas' } });
  const { page, done } = await openConsole(app, browser, 'admin', here(`/${id}/settings`));
  for (const [name, text] of [
    ['settings', 'Delete the endpoint'],
    ['verify', 'Nothing has been sent to this endpoint yet'],
  ] as const) {
    if (name !== 'settings') await page.getByRole('link', { name: 'Verify' }).click();
    await page.getByText(text).first().waitFor();
    await page
      .getByText('All events, including')
      .or(page.getByRole('combobox', { name: 'Programming language' }))
      .first()
      .waitFor();
    await checkLayouts(page, name);
  }
  await done();
});
