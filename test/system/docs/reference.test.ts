/** Reference and guides in a real browser: no other origins, no policy violations, working links, signed-in requests. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { guides } from '../../../src/api/docs/guide-list.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { eventually } from '../../helpers/eventually.ts';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await testApp();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

test('the bundle matches the manifest', async () => {
  const folder = new URL('../../../src/api/docs/scalar/', import.meta.url);
  const manifest = JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8')) as { sha256: string };
  const bundle = gunzipSync(await readFile(new URL('standalone.js.gz', folder)));
  expect(createHash('sha256').update(bundle).digest('hex')).toBe(manifest.sha256);
});

test('a person signs in on the reference page and tries an operation', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const seen = watch(context);
  const page = await context.newPage();
  await page.goto(`${app.base_url}/docs/try#tag/collaborators/listCollaborators`);
  await page.getByRole('heading', { name: 'List collaborators', exact: true }).waitFor();

  const [window] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in', exact: true }).first().click(),
  ]);
  await window.getByLabel('Email address').fill('mariana.duarte@example.com');
  await window.getByLabel('Password').fill('correct horse battery staple');
  await window.getByRole('button', { name: 'Sign in' }).click();
  await window.getByRole('heading', { name: 'Allow API reference' }).waitFor();
  const permissions = await window.getByRole('listitem').allInnerTexts();
  expect(permissions).toHaveLength(5);
  for (const permission of permissions) expect(permission).toMatch(/^See /); // nothing that changes data
  const closed = window.waitForEvent('close');
  await window.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await page.getByText('Mariana Duarte').first().waitFor();
  const company = page.getByRole('combobox', { name: 'acts for the company' });
  expect(await company.inputValue()).toBe(app.company_id);
  await page.getByText(app.company_id).first().waitFor({ state: 'attached' }); // in the sample
  await page.reload();
  await page.getByText('Mariana Duarte').first().waitFor();
  await page.getByRole('heading', { name: 'List collaborators', exact: true }).waitFor();

  await page
    .getByRole('button', { name: /^Test Request.*\/v1\/collaborators\)$/ })
    .first()
    .click();
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/collaborators');
  await page.getByRole('button', { name: /^Send/ }).last().click();
  const answer = await answered;
  expect(answer.status()).toBe(200);
  expect(await answer.request().headerValue('x-company-id')).toBe(app.company_id);
  expect((await answer.json()).meta).toMatchObject({ total: 4 });
  await page.getByText('200 OK').waitFor();
  await keep(page, 'try-it');
  // The next reader of the page finds no token in it.
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(/eyJ[\w-]{20}/);
  expect(seen.problems).toEqual([]);
  expect(seen.elsewhere).toEqual([]);

  await page.keyboard.press('Escape'); // closes the request form
  const revoked = page.waitForResponse((response) => new URL(response.url()).pathname === '/oauth/revoke');
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  expect((await revoked).status()).toBe(200);
  await company.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  const headers = { authorization: (await answer.request().headerValue('authorization'))! };
  await eventually(async () => expect((await fetch(`${app.base_url}/auth/user`, { headers })).status).toBe(401));
  await context.close();
});

test('signing in for a task requests only the scopes it needs', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const seen = watch(context);
  const page = await context.newPage();
  await page.goto(`${app.base_url}/docs/try#tag/webhooks/createWebhook`);
  await page.getByLabel('What you sign in for').selectOption('webhooks');
  await page.waitForURL(/\?for=webhooks#tag\/webhooks\/createWebhook$/);
  const sent = context.waitForEvent('request', (request) => request.url().includes('/oauth/authorize'));
  await page.getByRole('heading', { name: 'Create a webhook subscription', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  const scope = new URL((await sent).url()).searchParams.get('scope');
  expect(scope!.split(' ').sort()).toEqual(['collaborators:read', 'profile', 'webhooks:manage']);
  expect(await page.getByLabel('What you sign in for').inputValue()).toBe('webhooks');
  expect(seen.problems).toEqual([]);
  await context.close();
});

test('on a phone, the send button of a request with a body is visible', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${app.base_url}/docs/try#tag/collaborators/createCollaborator`);
  const operation = page.getByRole('button', { name: /^Test Request.*post.*\/v1\/collaborators\)$/i });
  await operation.first().click();
  const box = await page.getByRole('button', { name: /^Send.*post/i }).boundingBox();
  expect(box!.x + box!.width).toBeLessThanOrEqual(390);
  await keep(page, 'try-it-390');
  await context.close();
});

test('old links lead to the page of the operation or event', async () => {
  const context = await browser.newContext();
  const seen = watch(context);
  const page = await context.newPage();
  for (const [hash, path] of [
    ['tag/documents/uploadDocument', '/docs/operations/uploadDocument'],
    ['tag/events/webhook/collaborator.created', '/docs/events/collaborator.created'],
  ]) {
    await page.goto(`${app.base_url}/docs#${hash}`);
    await page.waitForURL(app.base_url + path);
    await page.goto('about:blank');
  }
  expect(seen.problems).toEqual([]);
  await context.close();
});

test('readers of the reference don’t load the request form, and it passes axe', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname.replace(/-[\w-]{12}\./, '.'));
  });
  for (const path of [
    '/docs',
    '/docs/reference',
    '/docs/operations/createCollaborator',
    '/docs/events/collaborator.created',
  ]) {
    await page.goto(app.base_url + path);
    expect({ path, found: await axeViolations(page) }).toEqual({ path, found: [] });
  }
  expect([...new Set(scripts)].sort()).toEqual([
    '/docs/assets/moved.js',
    '/docs/assets/page.js',
    '/docs/assets/reference.js',
  ]);
  await page.goto(`${app.base_url}/docs/operations/listCollaborators`);
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByRole('heading', { name: 'List collaborators', exact: true }).waitFor();
  await context.close();
});

test('samples use the chosen language on every page, and / opens the search', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${app.base_url}/docs/guides/pagination`);
  const [python, typescript] = [page.getByText('import requests').first(), page.getByText('async function*').first()];
  await typescript.waitFor();
  await python.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Python' }).first().click();
  await python.waitFor();
  await typescript.waitFor({ state: 'hidden' });
  await keep(page, 'languages');
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(`${app.base_url}/docs/guides/authentication`);
  await page.getByText('import requests').first().waitFor();
  await page.keyboard.press('/');
  await page.waitForURL(/\/docs\/search$/);
  await page.getByRole('searchbox').fill('webhok signature');
  await page.keyboard.press('Enter');
  await page
    .getByRole('link', { name: /verify webhooks/i })
    .first()
    .waitFor();
  await page
    .locator('mark', { hasText: /webhook/i })
    .first()
    .waitFor();
  await keep(page, 'search-with-a-typo');
  await context.close();
});

// Themes don't change widths.
test.each([
  [1440, 'light'],
  [390, 'dark'],
] as const)('every page fits and loads only its own assets, %i pixels wide, %s', async (width, colorScheme) => {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  const seen = watch(context);
  const page = await context.newPage();
  // Of the operator pages, only the one with the widest table: they share a layout.
  const shown = guides.filter(({ group, name }) => group !== 'Operate the service' || name === 'settings');
  const guidePaths = shown.map(({ name }) => `/docs/guides/${name}`);
  for (const path of [
    '/docs',
    '/docs/reference',
    '/docs/search?q=webhok',
    '/docs/operations/bulkCollaborators',
    '/docs/try',
    '/docs/guides',
    ...guidePaths,
    '/docs/errors',
    '/docs/errors/not_found',
  ]) {
    await page.goto(app.base_url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect({ path, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({ path, width });
    await keep(page, `${path.slice(1).replaceAll('/', '-')}-${width}`);
  }
  expect(seen.problems).toEqual([]);
  expect(seen.elsewhere).toEqual([]);
  expect(seen.requests).toBeGreaterThan(15);
  await context.close();
});

/** Takes a screenshot if SCREENSHOT_DIR is set. */
async function keep(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOT_DIR;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Records problems of a context's pages, including policy violations, and requests to other origins. */
function watch(context: BrowserContext) {
  const seen = { problems: [] as string[], elsewhere: [] as string[], requests: 0 };
  context.on('console', (message) => {
    if (message.type() === 'error') seen.problems.push(message.text());
  });
  context.on('weberror', (error) => seen.problems.push(error.error().message));
  context.on('request', (request) => {
    seen.requests += 1;
    const { origin, protocol } = new URL(request.url());
    if (origin !== app.base_url && protocol !== 'data:' && protocol !== 'blob:') seen.elsewhere.push(request.url());
  });
  return seen;
}
