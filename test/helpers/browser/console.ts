/** Opens the console in a real browser, signed in as a given user, and records errors. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Cookie, Locator, Page, Request } from 'playwright-core';
import type { Identity, TestApp } from '../app.ts';

const folder = fileURLToPath(new URL('../../../packages/console/', import.meta.url));

const consoleDist = join(folder, 'dist');

/** Tests run against the built console: `make build` and `make test-system` build it. @throws if the build is out of date */
export async function requireBuiltConsole(): Promise<void> {
  const builtMs = (await stat(join(consoleDist, 'index.html')).catch(() => undefined))?.mtimeMs ?? 0;
  const sources = (await readdir(join(folder, 'src'), { recursive: true })).map((file) => join(folder, 'src', file));
  for (const file of [...sources, join(folder, 'vite.config.ts'), join(folder, 'index.html')]) {
    const { mtimeMs } = await stat(file);
    if (mtimeMs > builtMs) throw new Error(`the console is not built from ${file} as it is now: make build`);
  }
}

const emails = {
  admin: 'mariana.duarte@example.com',
  manager: 'rui.almeida@example.com',
  report: 'clara.sousa@example.com',
  employee: 'tomas.rocha@example.com',
  outsider: 'jonas.petersen@example.com',
} satisfies Record<Identity, string>;

/** Cookies of the users who have signed in: each signs in once, unless a test ends the session. */
const sessionsOf = new WeakMap<TestApp, Map<Identity, Cookie[]>>();

const defaultViewport = { width: 1440, height: 900 };

interface ConsolePage {
  page: Page;
  context: BrowserContext;
  /** Policy violations, script errors, and requests to other origins. Excludes failed responses. */
  problems: string[];
  finished: Request[];
  /** Expects no problems, and leaves the page to the next test with the same user, in whatever size and colors: loading it takes 2 s of CPU. */
  done(): Promise<void>;
}

/** Pages of tests that are done, by user and other options. */
const idlePages = new WeakMap<TestApp, Map<string, ConsolePage>>();

export async function openConsole(
  app: TestApp,
  browser: Browser,
  identity: Identity,
  path = '',
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const idle = idlePages.get(app) ?? idlePages.set(app, new Map()).get(app)!;
  const { viewport = defaultViewport, colorScheme = 'light', ...lasting } = options;
  const key = JSON.stringify([identity, lasting]);
  const kept = idle.get(key);
  if (kept) {
    idle.delete(key);
    await kept.page.setViewportSize(viewport!);
    await kept.page.emulateMedia({ colorScheme });
    await show(kept.page, `/console${path}`);
    return kept;
  }
  const opened: ConsolePage = {
    ...(await openPage(app, browser, identity, path, options)),
    async done() {
      const { page, problems } = opened;
      expect(problems).toEqual([]);
      page.removeAllListeners('request');
      await page.unrouteAll();
      await show(page, '/console/none');
      await page.locator('main > .alone').waitFor();
      await page.evaluate(`(${forget})()`);
      idle.set(key, opened);
    },
  };
  return opened;
}

const show = (page: Page, path: string) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);

/** Run on a screen without data: forgets everything that the page has read, stored, and reported, once no request is pending. */
const forget = `async () => {
  const container = document.getElementById('console');
  const key = Object.keys(container).find((each) => each.startsWith('__reactContainer$'));
  let { current: fiber } = container[key].stateNode;
  while (!fiber.memoizedProps?.client) fiber = fiber.child;
  const { client } = fiber.memoizedProps;
  while (client.isFetching() > 0) await new Promise(requestAnimationFrame);
  client.clear();
  localStorage.clear();
  for (const close of document.querySelectorAll('.toast .quiet')) close.click();
}`;

async function openPage(
  app: TestApp,
  browser: Browser,
  identity: Identity,
  path: string,
  options: BrowserContextOptions,
): Promise<Omit<ConsolePage, 'done'>> {
  const sessions = sessionsOf.get(app) ?? sessionsOf.set(app, new Map()).get(app)!;
  const storageState = { cookies: sessions.get(identity) ?? [], origins: [] };
  const defaults = { viewport: defaultViewport, locale: 'en-GB', storageState, reducedMotion: 'reduce' as const };
  const context = await browser.newContext({ ...defaults, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const observed = watch(context, app.base_url);
  const page = await context.newPage();
  const isCallback = (url: URL) => url.pathname === '/console/callback';
  const isPage = ({ protocol, pathname }: URL) => protocol !== 'about:' && !pathname.startsWith('/console');
  const redirected = page.waitForURL((url) => isCallback(url) || isPage(url), { waitUntil: 'commit' });
  await page.goto(`${app.base_url}/console${path}`, { waitUntil: 'commit' });
  await redirected;
  if (isPage(new URL(page.url()))) {
    await page.locator('#email').fill(emails[identity]);
    await page.locator('#password').fill('correct horse battery staple');
    await page.locator('button.primary').click();
  }
  await page.waitForURL((url) => url.pathname.startsWith('/console/') && !isCallback(url));
  sessions.set(identity, await context.cookies());
  return { page, context, ...observed };
}

function watch(context: BrowserContext, baseUrl: string) {
  const problems: string[] = [];
  const finished: Request[] = [];
  context.on('console', (message) => {
    // Chromium logs this for each 4xx response; tests check how the console shows it.
    const isResponse = /^Failed to load resource/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isResponse) problems.push(message.text());
  });
  context.on('weberror', (error) => problems.push(error.error().message));
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== baseUrl && protocol !== 'data:' && protocol !== 'blob:') problems.push(`asks ${request.url()}`);
  });
  context.on('requestfinished', (request) => finished.push(request));
  return { problems, finished };
}

/** Picks up the focused item of a sortable list, which listens for the next key only after a timer. */
export async function pickUp(page: Page, announcement: string): Promise<void> {
  await page.keyboard.press('Space');
  await page.getByText(announcement).waitFor({ state: 'attached' });
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
}

/** Presses Tab until the target has focus. It is located once: a search for a role takes longer than a key. @throws if it never does */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const element = await target.elementHandle();
  for (let pressed = 0; pressed < 60; pressed += 1) {
    if (await element!.evaluate((each) => each === each.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the keyboard does not reach it');
}
