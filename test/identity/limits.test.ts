/** Who tries too often has to wait: counted by account and by address, by all processes together. */
import { authorizationUrl, createBrowser, newVerifier, type Page, signIn, tokenRequest } from '../helpers/oauth.ts';
import { type OAuthService, oauthService, otherProcess, redirect_uri } from './service.ts';

let service: OAuthService;

beforeAll(async () => {
  service = await oauthService({
    TRUST_PROXY: 'loopback',
    SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN: '6',
    SIGN_IN_FAILURES_PER_ACCOUNT: '4',
    SIGN_IN_FAILURES_WINDOW_S: '900',
    SIGN_IN_LONGEST_WAIT_S: '3000',
    TOKEN_REQUESTS_PER_MIN: '5',
    PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN: '3',
  });
});
afterAll(() => service.close());
afterEach(() => service.database.query('delete from rate_limits'));

/** One attempt to sign in, in a browser of its own. */
async function attempt(email: string, password: string, address: string, at = service.base_url): Promise<Page> {
  const browser = createBrowser(service.base_url, at);
  const client_id = service.native.id;
  const verifier = newVerifier();
  const page = await browser.open(
    authorizationUrl({ ...service, client_id, redirect_uri, scopes: ['profile'], verifier }),
  );
  const values = { email, password, action: 'login' };
  return browser.submit(page, page.forms.at(-1)!, values, { 'x-forwarded-for': address });
}

async function statuses(count: number, work: (i: number) => Promise<Page>): Promise<number[]> {
  const answers: number[] = [];
  for (let i = 0; i < count; i++) answers.push((await work(i)).status);
  return answers;
}

const waitOf = (page: Page) => Number(page.headers.get('retry-after'));

describe('failed sign-ins', () => {
  test.each([
    ['an account', () => service.ana.email],
    ['an account that does not exist', () => 'nobody@example.com'],
  ])('of %s from anywhere', async (_name, email) => {
    const began = Date.now();
    const failed = await statuses(5, (i) => attempt(email(), 'wrong', `203.0.113.${i}`));
    expect(failed).toEqual([401, 401, 401, 401, 429]);
    const refused = await attempt(email().toUpperCase(), service.ana.password, '203.0.113.99'); // right, but too late
    expect(refused.status).toBe(429);
    expect(refused.html).toContain('That was tried too often. Wait 15 minutes, then try again.');
    expect(waitOf(refused)).toBeGreaterThanOrEqual(900 - Math.ceil((Date.now() - began) / 1_000));
    expect(waitOf(refused)).toBeLessThanOrEqual(900);
    expect((await attempt('mariana@example.com', service.ana.password, '203.0.113.99')).status).toBe(200);
  });

  test('make the wait twice as long each time, up to a limit', async () => {
    const waits: number[] = [];
    for (let round = 0; round < 4; round++) {
      const tries = Array.from({ length: 5 }, (_, i) => attempt(service.ana.email, 'wrong', `198.51.${round}.${i}`));
      const answers = await Promise.all(tries);
      waits.push(Math.max(...answers.map(waitOf)));
      await service.database.query(`update rate_limits set expire = 0 where key like 'account:%'`);
    }
    expect(waits).toEqual([900, 1800, 3000, 3000]);
  });

  test('of one address, for whatever account', async () => {
    const failed = await statuses(7, (i) => attempt(`person-${i}@example.com`, 'wrong', '203.0.113.7'));
    expect(failed).toEqual([401, 401, 401, 401, 401, 401, 429]);
    const refused = await attempt(service.ana.email, service.ana.password, '203.0.113.7');
    expect(refused.status).toBe(429);
    expect(waitOf(refused)).toBeLessThanOrEqual(60);
    expect(refused.html).toContain('Wait a minute');
    expect((await attempt(service.ana.email, service.ana.password, '203.0.113.8')).status).toBe(200);
  });

  test('of one IPv6 network, whose owner has all its addresses', async () => {
    const failed = await statuses(7, (i) => attempt(`p${i}@example.com`, 'wrong', `2001:db8:0:1::${i + 1}`));
    expect(failed.at(-1)).toBe(429);
    expect((await attempt('p@example.com', 'wrong', '2001:db8::1:0:0:0:9')).status).toBe(429); // the same, spelled otherwise
    expect((await attempt('p@example.com', 'wrong', '2001:db8:0:2::1')).status).toBe(401);
  });

  test('are counted before they are looked at: many at once do not slip through', async () => {
    const tries = Array.from({ length: 12 }, (_, i) => attempt(service.ana.email, 'wrong', `192.0.2.${i}`));
    const failed = (await Promise.all(tries)).filter(({ status }) => status === 401);
    expect(failed).toHaveLength(4);
  });

  test('are counted by all processes together', async () => {
    const other = await otherProcess(service);
    const failed = await statuses(5, (i) =>
      attempt(service.ana.email, 'wrong', `203.0.113.${i}`, i % 2 ? other.address : service.address),
    );
    expect(failed).toEqual([401, 401, 401, 401, 429]);
  });

  test('are forgotten after a sign-in that succeeds', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await statuses(3, () => attempt(service.ana.email, 'wrong', '203.0.113.20'))).toEqual([401, 401, 401]);
      expect((await attempt(service.ana.email, service.ana.password, `203.0.113.2${round}`)).status).toBe(200);
      await service.database.query(`delete from rate_limits where key like 'address:%'`);
    }
  });

  test('tell the table nobody’s name or address', async () => {
    await attempt(service.ana.email, 'wrong', '203.0.113.1');
    const rows = JSON.stringify(await service.database.query('select * from rate_limits'));
    expect(rows).not.toMatch(/ana|203\.0/);
  });

  test('are let through when they can not be counted', async () => {
    await service.database.query('alter table rate_limits rename to elsewhere');
    try {
      expect((await attempt(service.ana.email, 'wrong', '203.0.113.1')).status).toBe(401);
      expect((await attempt(service.ana.email, service.ana.password, '203.0.113.1')).status).toBe(200);
      expect((await tokens('203.0.113.1')).status).toBe(400);
    } finally {
      await service.database.query('alter table elsewhere rename to rate_limits');
    }
  });
});

function tokens(address: string, client: { id: string; secret?: string } = service.native): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' });
  const headers: Record<string, string> = { 'x-forwarded-for': address };
  if (client.secret) headers.authorization = `Basic ${btoa(`${client.id}:${client.secret}`)}`;
  else body.set('client_id', client.id);
  return fetch(`${service.base_url}/oauth/token`, { method: 'POST', body, headers });
}

test('token requests are limited for each client and address', async () => {
  for (const client of [service.native, service.confidential]) {
    for (let i = 0; i < 5; i++) expect((await tokens('203.0.113.1', client)).status).toBe(400);
    const refused = await tokens('203.0.113.1', client);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    const wait_s = Number(refused.headers.get('retry-after'));
    expect(wait_s).toBeGreaterThan(0);
    expect(wait_s).toBeLessThanOrEqual(60);
    await expect(refused.json()).resolves.toEqual({ error: 'rate_limited', error_description: expect.any(String) });
    expect((await tokens('203.0.113.2', client)).status).toBe(400);
  }
});

test('a token request that is refused uses nothing up', async () => {
  const options = { ...service, ...service.ana, client: service.native, scopes: ['profile', 'offline_access'] };
  const { refresh_token } = await signIn(options);
  const body = { grant_type: 'refresh_token', refresh_token: refresh_token! };
  for (let i = 0; i < 4; i++) await tokenRequest(service.base_url, service.native, { ...body, refresh_token: 'x' });
  expect((await tokenRequest(service.base_url, service.native, body)).status).toBe(429);
  await service.database.query('delete from rate_limits');
  expect((await tokenRequest(service.base_url, service.native, body)).status).toBe(200);
});

test('requests for a link are limited by address, whoever they are for', async () => {
  const ask = async (email: string, address: string) => {
    const browser = createBrowser(service.base_url);
    const page = await browser.open(`${service.base_url}/oauth/forgot`);
    return browser.submit(page, page.forms[0]!, { email }, { 'x-forwarded-for': address });
  };
  expect(await statuses(4, (i) => ask(i % 2 ? 'nobody@example.com' : service.ana.email, '203.0.113.1'))).toEqual([
    200, 200, 200, 429,
  ]);
  expect((await ask(service.ana.email, '203.0.113.2')).status).toBe(200);
});
