// Opens each screen of the console in a company of 50 and in one of 5,000 people, in turn, ROUNDS=5 times, and prints requests,
// rows, and milliseconds until nothing is loading anymore: `make bench NAME=console`.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { exit } from '../../src/platform/process/exit.ts';
import { launchBrowser } from '../../test/helpers/browser/browser.ts';
import { accounts } from '../run/demo/demo-company.ts';
import { withFreshService } from '../run/fresh-service.ts';
import { signIn } from '../run/sign-in.ts';
import { formatRange, markdownTable, type Range, rangeOf } from './harness/figures.ts';

const rounds = Number(process.env.ROUNDS || 5);
const sizes = [50, 5_000];
const perRequest = 1_000;
const perTeam = 20;
const screens = [
  '',
  '/people',
  '/people?search=almeida',
  '/people?department=Department+1&sort=-hire_date',
  '/people/org',
  '/people/org?view=list',
  '/people/deleted',
  '/people/new',
  '/imports',
  '/exports',
  '/exports/new',
  '/audit',
  '/webhooks',
  '/events',
  '/apps',
  '/connections',
  '/directories',
  '/sign-in',
  '/fields',
  '/company',
];

/** Parts of Home below the visible area load when scrolled to. */
const loaded = 'main:not(:has(.loading:not([aria-labelledby="home-deliveries"] *, [aria-labelledby="own"] *)))';

interface Company {
  page: Page;
  address: string;
}

interface BulkResult {
  summary: { failed: number };
  results: { id: string }[];
}

interface ScreenLoad {
  requests: number;
  rows: number;
  ms: number;
}

const browser = await launchBrowser();
try {
  await withCompanies([], (companies) => compare(companies));
} finally {
  await browser.close();
}
exit();

/** Starts a service of its own for each size, the largest last. */
async function withCompanies(open: readonly Company[], use: (all: readonly Company[]) => Promise<void>): Promise<void> {
  const people = sizes[open.length];
  if (people === undefined) return use(open);
  await withFreshService({ ...process.env, DATABASE_URL: undefined }, `console-${people}`, async (service) => {
    const { base_url: baseUrl, client_id: clientId } = service;
    const account = { email: accounts.admin, password: service.password };
    const { access_token: token } = await signIn({ base_url: baseUrl, client_id: clientId, ...account });
    await fill(baseUrl, token, people);
    await withCompanies([...open, await signedIn(browser, baseUrl, account)], use);
  });
}

async function fill(baseUrl: string, token: string, people: number): Promise<void> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const call = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(baseUrl + path, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  };
  const { companies } = await call<{ companies: { id: string }[] }>('/auth/user');
  headers['X-Company-Id'] = companies[0]!.id;
  const { pagination } = await call<{ pagination: { total: number } }>('/v1/collaborators?limit=1');
  const leads: string[] = [];
  for (let n = pagination.total; n < people; ) {
    // The first request adds the heads of all teams.
    const count = Math.min(people - n, leads.length === 0 ? Math.ceil(people / perTeam) : perRequest);
    const items = Array.from({ length: count }, (_, at) => ({
      name: `Person ${n + at}`,
      email: `person.${n + at}@verdelog.example`,
      position: 'Driver',
      department: `Department ${(n + at) % 20}`,
      hire_date: `20${10 + ((n + at) % 15)}-03-01`,
      ...(leads.length > 0 && { manager_id: leads[(n + at) % leads.length] }),
    }));
    const request = { mode: 'create', on_error: 'abort', items };
    const { summary, results } = await call<BulkResult>('/v1/collaborators/bulk', request);
    if (summary.failed > 0) throw new Error(`not created: ${JSON.stringify(results).slice(0, 500)}`);
    if (leads.length === 0) leads.push(...results.map(({ id }) => id));
    n += count;
  }
}

async function signedIn(browser: Browser, baseUrl: string, { email, password }: { email: string; password: string }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(join(baseUrl, 'console'));
  await page.locator('#email').fill(email);
  await page.locator('#password').fill(password);
  await page.locator('button.primary').click();
  await page.waitForURL((url) => /^\/console\/[0-9a-f-]{36}/.test(url.pathname));
  return { page, address: page.url().replace(/\/$/, '') };
}

async function compare(companies: readonly Company[]): Promise<void> {
  const lines: string[][] = [];
  for (const screen of screens) {
    const all: ScreenLoad[][] = companies.map(() => []);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [at, { page, address }] of companies.entries()) {
        const opened = await open(page, address + screen);
        if (round > 0) all[at]!.push(opened); // the first fills the caches
      }
    }
    const of = (name: keyof ScreenLoad): Range[] => all.map((each) => rangeOf(each.map((opened) => opened[name])));
    const [few, many] = of('ms') as [Range, Range];
    const pair = (name: keyof ScreenLoad) => of(name).map(({ most }) => String(most));
    const ratio = (many.median / few.median).toFixed(2);
    lines.push([screen || '/', ...pair('requests'), ...pair('rows'), formatRange(few), formatRange(many), ratio]);
  }
  const head = ['screen', ...['requests', 'rows', 'ms'].flatMap((name) => sizes.map((size) => `${name}, ${size}`))];
  console.log(markdownTable([...head, 'ratio'], lines));
}

async function open(page: Page, address: string): Promise<ScreenLoad> {
  let requests = 0;
  const count = (request: { url(): string }) => {
    if (new URL(request.url()).pathname.startsWith('/v1/')) requests += 1;
  };
  page.on('request', count);
  const startedMs = performance.now();
  await page.goto(address);
  await page.locator(`${loaded} h1`).first().waitFor();
  const ms = performance.now() - startedMs;
  await page.waitForLoadState('networkidle');
  page.off('request', count);
  const rows = await page.locator('main tbody tr, main li, main [role="treeitem"]').count();
  return { requests, rows, ms };
}
