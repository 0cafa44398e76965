/** Reference and guides in a real browser: no other origins, no policy violations, working links, signed-in requests. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { guides } from '../../../src/api/docs/guide-list.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { axeViolations } from '../../helpers/browser/axe.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { takeScreenshot } from '../../helpers/browser/screenshot.ts';
import { eventually } from '../../helpers/eventually.ts';
import { age } from '../../identity/service.ts';

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

/** Signs in on the form, and allows what it asks for. @returns the permissions on the consent page */
async function signInOn(page: Page, button = 'Sign in'): Promise<string[]> {
  const operation = new URL(page.url()).pathname;
  await page.getByRole('region', { name: 'Try it' }).getByRole('button', { name: button, exact: true }).click();
  const consent = page.getByRole('heading', { name: 'Allow API reference' });
  const address = page.getByLabel('Email address');
  await address.or(consent).first().waitFor();
  if (await address.isVisible()) {
    await address.fill('mariana.duarte@example.com');
    await page.getByLabel('Password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  await consent.waitFor();
  const permissions = await page.getByRole('listitem').allInnerTexts();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL((url) => url.pathname === operation);
  await page.getByText('Signed in as Mariana Duarte.').waitFor();
  return permissions;
}

test('a person signs in on the page of an operation, sends requests, and signs out', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const observed = watch(context);
  const page = await context.newPage();
  await page.goto(`${app.base_url}/docs/operations/listCollaborators`);
  const form = page.getByRole('region', { name: 'Try it' });
  await form.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await form.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await form.getByText('optional parameters').click();
  await form.getByLabel('limit').fill('2');

  const permissions = await signInOn(page);
  expect(permissions).toHaveLength(2);
  for (const permission of permissions) expect(permission).toMatch(/^See /); // nothing that changes data
  const company = form.getByRole('combobox', { name: 'Company' });
  expect(await company.inputValue()).toBe(app.company_id);
  expect(await page.locator('figure.code code').first().textContent()).toContain(`X-Company-Id: ${app.company_id}`);
  expect(await form.getByLabel('limit').inputValue()).toBe('2'); // typed before the sign-in

  const responsePromise = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/collaborators');
  await form.getByRole('button', { name: 'Send' }).press('Enter');
  const listResponse = await responsePromise;
  expect(new URL(listResponse.url()).search).toBe('?limit=2');
  expect(await listResponse.request().headerValue('x-company-id')).toBe(app.company_id);
  const response = form.getByRole('region', { name: 'Response' });
  await response.getByText(/^200 .*· \d+ ms$/).waitFor();
  expect(JSON.parse((await response.locator('pre').last().textContent())!).data).toHaveLength(2);
  await response.getByText('Headers').click();
  await response.getByText('x-request-id:').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await form.scrollIntoViewIfNeeded();
  await takeScreenshot(page, 'try-it');
  // The next reader of the page finds no token in it.
  const authorization = (await listResponse.request().headerValue('authorization'))!;
  const token = authorization.replace('Bearer ', '');
  expect(await page.content()).not.toContain(token);
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(/eyJ[\w-]{20}/);

  // The next page signs in by itself, and asks for what it takes besides.
  await page.getByRole('button', { name: 'Go', exact: true }).first().click();
  await page.goto(`${app.base_url}/docs/operations/createCollaborator`);
  await page.getByText('Signed in as Mariana Duarte.').waitFor();
  await page.getByText('http.NewRequest("POST"').waitFor();
  await page.getByText(`"X-Company-Id", "${app.company_id}"`).waitFor();
  expect((await signInOn(page, 'Allow collaborators:write')).length).toBeGreaterThan(2);
  const body = form.getByRole('textbox', { name: 'Body' });
  await body.fill('{"name": ');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('The body is not valid JSON').waitFor();
  await body.fill('{"name": "Nina Moraes"}');
  await form.getByRole('button', { name: 'Send' }).click();
  await response.getByText(/^400 /).waitFor();
  await response.getByText('"validation_error"').waitFor();
  await takeScreenshot(page, 'try-it-refused');

  // An operation without a scope, and one with a path and an optional body.
  await page.goto(`${app.base_url}/docs/operations/listPermissions`);
  await page.getByText('Signed in as Mariana Duarte.').waitFor();
  await form.getByRole('button', { name: 'Send' }).click();
  await response.getByText(/^200 /).waitFor();
  await page.goto(`${app.base_url}/docs/operations/activateCollaborator`);
  await page.getByText('Signed in as Mariana Duarte.').waitFor();
  await form.getByRole('textbox', { name: 'id path, required' }).fill('no/such?person');
  await form.getByRole('textbox', { name: 'Body' }).fill('');
  const posted = page.waitForRequest('**/activate');
  await form.getByRole('button', { name: 'Send' }).click();
  expect(new URL((await posted).url()).pathname).toBe('/v1/collaborators/no%2Fsuch%3Fperson/activate');
  expect((await posted).postData()).toBeNull();
  await response.getByText(/^404 /).waitFor();
  expect(observed.elsewhere).toEqual([]);

  const revoked = page.waitForResponse((each) => new URL(each.url()).pathname === '/oauth/revoke');
  await form.getByRole('button', { name: 'Sign out' }).click();
  expect((await revoked).status()).toBe(200);
  await company.waitFor({ state: 'hidden' });
  await page.reload();
  await form.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await context.close();
});

test('a request that takes a recent sign-in and a revoked token lead to a new sign-in', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${app.base_url}/docs/operations/updateCompany`);
  const form = page.getByRole('region', { name: 'Try it' });
  await signInOn(page);
  await app.admin.put('/v1/company', { policy: { step_up: true } }).expect(200);
  await age(app, 'Session', 7_200);
  await page.reload();
  await page.getByText('Signed in as Mariana Duarte.').waitFor();
  await form.getByRole('textbox', { name: 'Body' }).fill('{"name": "Verde Sul"}');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('Your company asks for a recent sign-in.').waitFor();
  await signInOn(page);
  expect(await form.getByRole('textbox', { name: 'Body' }).inputValue()).toBe('{"name": "Verde Sul"}');
  const sent = page.waitForRequest('**/v1/company');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText(/^200 /).waitFor();
  expect((await app.admin.get('/v1/company').expect(200)).body.name).toBe('Verde Sul');
  await app.admin.put('/v1/company', { name: 'Verde Logística', policy: { step_up: false } }).expect(200);

  const token = (await (await sent).headerValue('authorization'))!.replace('Bearer ', '');
  const body = new URLSearchParams({ client_id: 'api-reference', token });
  await fetch(`${app.base_url}/oauth/revoke`, { method: 'POST', body });
  await eventually(async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${app.base_url}/auth/user`, { headers })).status).toBe(401);
  });
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('Your sign-in has ended.').waitFor();
  await form.getByRole('button', { name: 'Sign in' }).waitFor();
  await context.close();
});

test('the page shows a sign-in that was refused, keeps nothing of it, and rejects a code of another sign-in', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${app.base_url}/docs/operations/createWebhook`);
  const sent = context.waitForEvent('request', (request) => request.url().includes('/oauth/authorize'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  const scope = new URL((await sent).url()).searchParams.get('scope');
  expect(scope!.split(' ').sort()).toEqual(['profile', 'webhooks:manage']);
  await page.getByLabel('Email address').fill('mariana.duarte@example.com');
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('You are not signed in').waitFor();
  await page.getByRole('region', { name: 'Try it' }).getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);

  const pendingSignIn = {
    state: 'mine',
    verifier: 'v',
    return_to: '/docs/operations/createWebhook',
    answer: '?code=c&state=theirs',
  };
  await page.evaluate(`sessionStorage.setItem('docs.sign-in', ${JSON.stringify(JSON.stringify(pendingSignIn))})`);
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.reload();
  await page.getByText('You are not signed in').waitFor();
  expect(requestedPaths).not.toContain('/oauth/token');
  await context.close();
});

test('old links lead to the operation or event, samples use the chosen language, and / opens the search', async () => {
  const context = await browser.newContext();
  const observed = watch(context);
  const page = await context.newPage();
  for (const [link, path] of [
    ['/docs#tag/events/webhook/collaborator.created', '/docs/events/collaborator.created'],
    ['/docs/try?for=people#tag/collaborators/createCollaborator', '/docs/operations/createCollaborator'],
  ]) {
    await page.goto(app.base_url + link);
    await page.waitForURL(app.base_url + path);
  }
  await page.goto(`${app.base_url}/docs/guides/pagination`);
  const [python, typescript] = [page.getByText('import requests').first(), page.getByText('async function*').first()];
  await typescript.waitFor();
  await python.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Python' }).first().click();
  await python.waitFor();
  await typescript.waitFor({ state: 'hidden' });
  await takeScreenshot(page, 'languages');
  await page.goto(`${app.base_url}/docs/guides/authentication`);
  await page.getByText('import requests').first().waitFor();
  await page.keyboard.press('/');
  await page.waitForURL(/\/docs\/search$/);
  await page.getByRole('searchbox').fill('webhok signature');
  await page.keyboard.press('Enter');
  const found = page.getByRole('link', { name: /verify webhooks/i });
  await found.first().waitFor();
  const marked = page.locator('mark', { hasText: /webhook/i });
  await marked.first().waitFor();
  await takeScreenshot(page, 'search-with-a-typo');
  expect(observed.problems).toEqual([]);
  await context.close();
});

// A page that fits a small phone fits wider screens.
test('every page fits 320 pixels, passes axe, and loads only its own assets', async () => {
  const width = 320;
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme: 'dark' });
  const observed = watch(context);
  const page = await context.newPage();
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname.replace(/-[\w-]{12}\./, '.'));
  });
  for (const path of [
    '/docs',
    '/docs/reference',
    '/docs/search?q=webhok',
    '/docs/operations/createCollaborator',
    '/docs/events/collaborator.created',
    '/docs/guides/pagination',
  ]) {
    await page.goto(app.base_url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    if (path.startsWith('/docs/operations')) await page.getByText(/optional parameters?$/).click();
    expect({ path, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({ path, width });
    // axe takes seconds on the two largest pages, whose parts are on those of the event and of the first test.
    if (!/reference|operations/.test(path)) {
      expect({ path, found: await axeViolations(page) }).toEqual({ path, found: [] });
    }
    await takeScreenshot(page, `${path.slice(1).replaceAll('/', '-')}-${width}`);
  }
  expect([...scripts].sort()).toEqual([
    '/docs/assets/moved.js',
    '/docs/assets/page.js',
    '/docs/assets/reference.js',
    '/docs/assets/request.js',
  ]);
  // The content of all guides, in the last page.
  const paths = ['/docs/errors', ...guides.map(({ name }) => `/docs/guides/${name}`)];
  const tooWide = await page.evaluate(`(async () => {
    const found = [];
    for (const path of ${JSON.stringify(paths)}) {
      const html = await (await fetch(path)).text();
      document.body = new DOMParser().parseFromString(html, 'text/html').body;
      if (!document.querySelector('h1') || document.documentElement.scrollWidth !== ${width}) found.push(path);
    }
    return found;
  })()`);
  expect(tooWide).toEqual([]);
  expect(observed.problems).toEqual([]);
  expect(observed.elsewhere).toEqual([]);
  expect(observed.requests).toBeGreaterThan(15);
  await context.close();
});

/** Records problems of a context's pages, including policy violations, and requests to other origins. */
function watch(context: BrowserContext) {
  const observed = { problems: [] as string[], elsewhere: [] as string[], requests: 0 };
  context.on('console', (message) => {
    if (message.type() === 'error') observed.problems.push(message.text());
  });
  context.on('weberror', (error) => observed.problems.push(error.error().message));
  context.on('request', (request) => {
    observed.requests += 1;
    const { origin, protocol } = new URL(request.url());
    if (origin !== app.base_url && protocol !== 'data:' && protocol !== 'blob:') observed.elsewhere.push(request.url());
  });
  return observed;
}
