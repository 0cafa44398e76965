/**
 * The reference and the guides in a real browser: nothing is asked of another origin, the content security policy holds,
 * operations and events are found by their links, and a person signs in and sends a request that is answered.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Browser, BrowserContext } from 'playwright-core';
import { guides } from '../../../src/api/docs/guide-list.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser.ts';

let app: TestApp;
let browser: Browser;
let screenshots: string;

beforeAll(async () => {
  app = await testApp();
  browser = await launchBrowser();
  screenshots = process.env.SCREENSHOT_DIR ?? (await mkdtemp(join(tmpdir(), 'docs-')));
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

test('the bundle is the one that the manifest names', async () => {
  const folder = new URL('../../../src/api/docs/scalar/', import.meta.url);
  const manifest = JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8')) as { sha256: string };
  const bundle = gunzipSync(await readFile(new URL('standalone.js.gz', folder)));
  expect(createHash('sha256').update(bundle).digest('hex')).toBe(manifest.sha256);
});

test('a person signs in on the reference page and tries an operation', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const seen = watch(context);
  const page = await context.newPage();
  await page.goto(`${app.base_url}/docs#tag/collaborators/listCollaborators`);
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
  for (const permission of permissions) expect(permission).toMatch(/^See /); // nothing that changes anything
  const closed = window.waitForEvent('close');
  await window.getByRole('button', { name: 'Allow' }).click();
  await closed;
  await page.getByText('Mariana Duarte').first().waitFor();
  const company = page.getByRole('combobox', { name: 'acts for the company' });
  expect(await company.inputValue()).toBe(app.company_id);

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
  await page.screenshot({ path: join(screenshots, 'try-it.png') });
  // Whoever reads the page after this person finds no token in it.
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(/eyJ[\w-]{20}/);
  expect(seen.problems).toEqual([]);
  expect(seen.elsewhere).toEqual([]);
  await context.close();
});

test('an operation and an event are found by their addresses', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const seen = watch(context);
  for (const [hash, heading] of [
    ['tag/documents/uploadDocument', 'Upload a document'],
    ['tag/events/webhook/collaborator.created', 'A collaborator was added'],
  ]) {
    const page = await context.newPage();
    await page.goto(`${app.base_url}/docs#${hash}`);
    const title = page.getByRole('heading', { name: heading, exact: true });
    await title.waitFor();
    // It is what one sees first, not somewhere far below.
    await page.waitForFunction((element) => element!.getBoundingClientRect().y < 400, await title.elementHandle());
    await page.close();
  }
  expect(seen.problems).toEqual([]);
  await context.close();
});

describe.each([1440, 390])('%i pixels wide', (width) => {
  test.each(['light', 'dark'] as const)('every page fits and loads its own things only, %s', async (colorScheme) => {
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
    const seen = watch(context);
    const page = await context.newPage();
    const guide_paths = guides.map(({ name }) => `/docs/guides/${name}`);
    for (const path of ['/docs', '/docs/guides', ...guide_paths, '/docs/errors', '/docs/errors/not_found']) {
      await page.goto(app.base_url + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      expect({ path, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({ path, width });
      const name = `${path.slice(1).replaceAll('/', '-')}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: join(screenshots, name) });
    }
    expect(seen.problems).toEqual([]);
    expect(seen.elsewhere).toEqual([]);
    expect(seen.requests).toBeGreaterThan(15);
    await context.close();
  });
});

/** What goes wrong on the pages of a context, breaches of the policy among it, and what is asked of other origins. */
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
