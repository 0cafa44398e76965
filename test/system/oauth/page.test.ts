/** A page of another origin signs in, calls the API, refreshes, and revokes with the guide's code; an unregistered one can't. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { launchBrowser } from '../../helpers/browser/browser.ts';
import { eventually } from '../../helpers/eventually.ts';

let app: TestApp;
let browser: Browser;
let pages: Server;
let port: number;

beforeAll(async () => {
  app = await testApp();
  browser = await launchBrowser();
  const client = { name: 'Team board', redirect_uris: ['http://localhost/callback'], public: true };
  const { id } = await createClient(app.database.db, client);
  const guide = await readFile(new URL('../../../docs/guides/browsers.md', import.meta.url), 'utf8');
  const code = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, sample]) => sample).join('\n');
  const script = code.replace('https://collaborators.example.com', app.base_url).replace('the id of your client', id);
  pages = createServer((_req, res) => {
    res
      .setHeader('Content-Type', 'text/html')
      .end(`<!doctype html><title>Team board</title><script>${script}</script>`);
  });
  await new Promise<void>((listening) => pages.listen(0, 'localhost', listening));
  port = (pages.address() as AddressInfo).port;
});

afterAll(async () => {
  await browser?.close();
  pages?.close();
  await app?.close();
});

const call = (name: string, ...values: unknown[]) =>
  `${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`;

test('a page signs in, calls the API, refreshes, and revokes its access', async () => {
  const page = await (await browser.newContext()).newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`http://localhost:${port}/`);
  await page.evaluate(call('signIn', 'profile collaborators:read collaborators:write offline_access'));
  await page.getByLabel('Email address').fill('mariana.duarte@example.com');
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Allow Team board' }).waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`http://localhost:${port}/callback?**`);
  const first = await page.evaluate<Tokens>(call('finishSignIn'));
  expect(page.url()).toBe(`http://localhost:${port}/callback`);

  const { people, left: rateLimit } = await page.evaluate<Listed>(
    call('listPeople', first.access_token, app.company_id),
  );
  expect(people.map(({ name }) => name)).toContain('Clara Sousa');
  expect(rateLimit).toMatch(/^"default";r=\d+;t=\d+$/);

  const second = await page.evaluate<Tokens>(
    call('tokens', { grant_type: 'refresh_token', refresh_token: first.refresh_token }),
  );
  expect(second.refresh_token).not.toBe(first.refresh_token);

  // A write, which the browser preflights, and its error.
  const written = await page.evaluate<[number, string, string | null]>(`(async () => {
    const answer = await fetch('${app.base_url}/v1/collaborators', {
      method: 'POST',
      headers: { Authorization: 'Bearer ${second.access_token}', 'X-Company-Id': '${app.company_id}',
        'Content-Type': 'application/json', 'Idempotency-Key': 'page-1' },
      body: '{}',
    });
    return [answer.status, (await answer.json()).error, answer.headers.get('X-Request-Id')];
  })()`);
  expect(written).toEqual([400, 'validation_error', expect.any(String)]);
  expect(problems.filter((text) => !/status of 400/.test(text))).toEqual([]);

  await page.evaluate(call('signOut', second));
  await eventually(async () => {
    const listed = page.evaluate(call('listPeople', second.access_token, app.company_id));
    await expect(listed).rejects.toThrow(/revoked|not valid/);
  });
});

test('the same page at another origin can do none of it', async () => {
  const page = await (await browser.newContext()).newPage();
  const refused: string[] = [];
  page.on('console', (message) => /CORS policy/.test(message.text()) && refused.push(message.text()));
  await page.goto(`http://evil.localhost:${port}/`);
  const { token, company_id: companyId } = app.admin;
  await expect(page.evaluate(call('listPeople', token, companyId))).rejects.toThrow(/Failed to fetch/);
  const refresh = { grant_type: 'refresh_token', refresh_token: 'x' };
  await expect(page.evaluate(call('tokens', refresh))).rejects.toThrow(/Failed to fetch/);
  expect(refused).toHaveLength(2);
});

test('no page can read a response to a request with credentials', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://localhost:${port}/`);
  const crossOriginFetch = page.evaluate(`fetch('${app.base_url}/auth/user', { credentials: 'include' })`);
  await expect(crossOriginFetch).rejects.toThrow(/Failed to fetch/);
});

interface Tokens {
  access_token: string;
  refresh_token: string;
}

interface Listed {
  people: { name: string }[];
  left: string;
}
