/** Limits on repeated attempts, counted by account and by address across all processes. */
import { removeExpired } from '../../src/identity/provider/adapter.ts';
import {
  authorizationUrl,
  type Browser,
  createBrowser,
  newVerifier,
  type Page,
  signIn,
  tokenRequest,
} from '../helpers/identity/oauth.ts';
import { type OAuthService, oauthService, otherProcess, redirectUri } from './service.ts';

let service: OAuthService;

beforeAll(async () => {
  service = await oauthService({
    TRUST_PROXY: 'loopback',
    SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN: '3',
    SIGN_IN_FAILURES_PER_ACCOUNT: '4',
    SIGN_IN_FAILURES_WINDOW_S: '900',
    SIGN_IN_LONGEST_WAIT_S: '3000',
    TOKEN_REQUESTS_PER_MIN: '5',
    PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN: '3',
  });
});
afterAll(() => service.close());
afterEach(() => service.database.query('delete from rate_limits'));

/** A sign-in page for attempts that fail, which leave it as it is. */
let failing: { browser: Browser; page: Page };
beforeAll(async () => {
  failing = await openPage();
});

/** One sign-in attempt; a correct one is in a new browser by default. */
async function attempt(email: string, password: string, address: string, own?: Browser): Promise<Page> {
  const used = own || password !== 'wrong' ? await openPage(own) : failing;
  const values = { email, password, action: 'login' };
  return used.browser.submit(used.page, used.page.forms.at(-1)!, values, { 'x-forwarded-for': address });
}

async function openPage(browser = createBrowser(service.base_url)): Promise<{ browser: Browser; page: Page }> {
  const clientId = service.native.id;
  const verifier = newVerifier();
  const page = await browser.open(
    authorizationUrl({ ...service, client_id: clientId, redirect_uri: redirectUri, scopes: ['profile'], verifier }),
  );
  return { browser, page };
}

async function statuses(count: number, work: (i: number) => Promise<Page>): Promise<number[]> {
  const responses: number[] = [];
  for (let i = 0; i < count; i++) responses.push((await work(i)).status);
  return responses;
}

const waitOf = (page: Page) => Number(page.headers.get('retry-after'));

describe('failed sign-ins', () => {
  test.each([
    ['an account', () => service.ana.email],
    ['an account that does not exist', () => 'nobody@example.com'],
  ])('are limited for %s from any address', async (_name, email) => {
    const startedMs = Date.now();
    const failed = await statuses(5, (i) => attempt(email(), 'wrong', `203.0.113.${i}`));
    expect(failed).toEqual([401, 401, 401, 401, 429]);
    const refused = await attempt(email().toUpperCase(), service.ana.password, '203.0.113.99'); // correct, but too late
    expect(refused.status).toBe(429);
    expect(refused.html).toContain('Too many attempts. Wait 15 minutes, then try again.');
    expect(waitOf(refused)).toBeGreaterThanOrEqual(900 - Math.ceil((Date.now() - startedMs) / 1_000));
    expect(waitOf(refused)).toBeLessThanOrEqual(900);
    expect((await attempt('mariana@example.com', service.ana.password, '203.0.113.99')).status).toBe(200);
  });

  test('double the wait each time, up to a maximum', async () => {
    const waits: number[] = [];
    for (let round = 0; round < 3; round++) {
      const tries = Array.from({ length: 5 }, (_, i) => attempt(service.ana.email, 'wrong', `198.51.${round}.${i}`));
      const responses = await Promise.all(tries);
      waits.push(Math.max(...responses.map(waitOf)));
      await service.database.query(`update rate_limits set expire = 0 where key like 'account:%'`);
    }
    expect(waits).toEqual([900, 1800, 3000]);
  });

  test('are limited for an address across accounts', async () => {
    const failed = await statuses(4, (i) => attempt(`person-${i}@example.com`, 'wrong', '203.0.113.7'));
    expect(failed).toEqual([401, 401, 401, 429]);
    const refused = await attempt(service.ana.email, service.ana.password, '203.0.113.7');
    expect(refused.status).toBe(429);
    expect(waitOf(refused)).toBeLessThanOrEqual(60);
    expect(refused.html).toContain('Wait a minute');
    expect((await attempt(service.ana.email, service.ana.password, '203.0.113.8')).status).toBe(200);
  });

  test('are limited for an IPv6 network, whose owner has all its addresses', async () => {
    const failed = await statuses(4, (i) => attempt(`p${i}@example.com`, 'wrong', `2001:db8:0:1::${i + 1}`));
    expect(failed).toEqual([401, 401, 401, 429]);
    expect((await attempt('p@example.com', 'wrong', '2001:db8::1:0:0:0:9')).status).toBe(429); // the same, in another notation
    expect((await attempt('p@example.com', 'wrong', '2001:db8:0:2::1')).status).toBe(401);
  });

  test('are limited for an IPv6 site of 65,536 networks to ten times as many', async () => {
    const guess = (i: number) => attempt(`p${i}@example.com`, 'wrong', `2001:db8:5:${i.toString(16)}::1`);
    expect((await guess(0)).status).toBe(401);
    await service.database.query("update rate_limits set points = points + 28 where key like 'site:%'");
    expect(await statuses(2, (i) => guess(i + 1))).toEqual([401, 429]);
    expect((await attempt('p@example.com', 'wrong', '2001:db8:6::1')).status).toBe(401);
  });

  test('by strangers don’t lock out a known device', async () => {
    const { email, password } = service.ana;
    const browser = createBrowser(service.base_url);
    expect((await attempt(email, password, '203.0.113.50', browser)).status).toBe(200);
    const cookie = [...browser.cookies].find(([name]) => name.includes('device'))!;
    expect(cookie[1].attributes).toMatch(/HttpOnly/i);
    expect(cookie[1].attributes).toMatch(/SameSite=Lax/i);

    expect(await statuses(5, (i) => attempt(email, 'wrong', `203.0.113.${i}`))).toEqual([401, 401, 401, 401, 429]);
    expect((await attempt(email, password, '203.0.113.60')).status).toBe(429); // an unknown device
    await signOut(browser);
    expect((await attempt(email, password, '203.0.113.61', browser)).status).toBe(200);
    // Its success doesn't reset the strangers' count.
    expect((await attempt(email, password, '203.0.113.62')).status).toBe(429);
  });

  test('on a known device are limited like those of an account, and don’t help other accounts', async () => {
    const { email, password } = service.ana;
    const browser = createBrowser(service.base_url);
    await attempt(email, password, '203.0.113.50', browser);
    await signOut(browser);
    const known = (address: string, account = email) => attempt(account, 'wrong', address, browser);
    expect(await statuses(5, (i) => known(`203.0.113.${i}`))).toEqual([401, 401, 401, 401, 429]);
    await service.database.query("delete from rate_limits where key like 'address:%'");
    expect(await statuses(5, (i) => known(`198.51.100.${i}`, 'mariana@example.com'))).toEqual([
      401, 401, 401, 401, 429,
    ]);
    // A modified cookie, or one of another person, doesn't count.
    const [name, deviceCookie] = [...browser.cookies].find(([each]) => each.includes('device'))!;
    const other = createBrowser(service.base_url);
    const value = deviceCookie.value.startsWith('A')
      ? `B${deviceCookie.value.slice(1)}`
      : `A${deviceCookie.value.slice(1)}`;
    other.cookies.set(name, { ...deviceCookie, value });
    await statuses(5, (i) => attempt(email, 'wrong', `192.0.2.${i}`));
    expect((await attempt(email, password, '192.0.2.99', other)).status).toBe(429);
  });

  // At two processes, and some with a known device.
  test('are counted before they are checked, so concurrent attempts don’t slip through', async () => {
    const { email, password } = service.ana;
    const there = await otherProcess(service);
    const browser = createBrowser(service.base_url);
    await attempt(email, password, '203.0.113.50', browser);
    await signOut(browser);
    const guesses = Array.from({ length: 15 }, (_, i) => {
      const at = i % 2 ? there.address : service.address;
      const from = createBrowser(service.base_url, at);
      if (i % 3 === 0)
        for (const [name, cookie] of browser.cookies) if (name.includes('device')) from.cookies.set(name, cookie);
      return attempt(email, 'wrong', `198.18.0.${i}`, from);
    });
    const passed = (await Promise.all(guesses)).filter(({ status }) => status === 401);
    expect(passed).toHaveLength(8); // four of the account, four of the device
  });

  test('are reset by a successful sign-in', async () => {
    for (let round = 0; round < 2; round++) {
      expect(await statuses(3, () => attempt(service.ana.email, 'wrong', '203.0.113.20'))).toEqual([401, 401, 401]);
      expect((await attempt(service.ana.email, service.ana.password, `203.0.113.3${round}`)).status).toBe(200);
      await service.database.query(`delete from rate_limits where key like 'address:%'`);
    }
  });

  test('are stored without names or addresses', async () => {
    await attempt(service.ana.email, 'wrong', '203.0.113.1');
    const rows = await service.database.query<{ key: string }>('select * from rate_limits order by key');
    expect(rows.map(({ key }) => key.split(':')[0])).toEqual(expect.arrayContaining(['account', 'address']));
    expect(JSON.stringify(rows)).not.toMatch(/ana@|203\.0/); // keys are hashes, in which other letters occur by chance
  });

  test('are allowed if they can’t be counted', async () => {
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

async function signOut(browser: ReturnType<typeof createBrowser>): Promise<void> {
  for (const name of browser.cookies.keys()) if (!name.includes('device')) browser.cookies.delete(name);
}

function tokens(address: string, client: { id: string; secret?: string } = service.native): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' });
  const headers: Record<string, string> = { 'x-forwarded-for': address };
  if (client.secret) headers.authorization = `Basic ${btoa(`${client.id}:${client.secret}`)}`;
  else body.set('client_id', client.id);
  return fetch(`${service.base_url}/oauth/token`, { method: 'POST', body, headers });
}

test('token requests are limited per client and address', async () => {
  for (const client of [service.native, service.confidential]) {
    for (let i = 0; i < 5; i++) expect((await tokens('203.0.113.1', client)).status).toBe(400);
    const refused = await tokens('203.0.113.1', client);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    const waitS = Number(refused.headers.get('retry-after'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(60);
    await expect(refused.json()).resolves.toEqual({ error: 'rate_limited', error_description: expect.any(String) });
    expect((await tokens('203.0.113.2', client)).status).toBe(400);
  }
});

test('pages can be opened by a whole office at once, since the address limit doesn’t cover them', async () => {
  for (const id of ['console', 'api-reference']) {
    const responses = [];
    for (let i = 0; i < 8; i++) responses.push((await tokens('203.0.113.3', { id })).status);
    expect(responses).toEqual(Array(8).fill(400));
  }
});

test('token requests are limited per address for any client name, without a row for each name', async () => {
  const limited = await oauthService({ TRUST_PROXY: 'loopback', TOKEN_REQUESTS_PER_ADDRESS_PER_MIN: '8' });
  try {
    const sendRequest = (id: string, address: string) => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: id });
      return fetch(`${limited.base_url}/oauth/token`, {
        method: 'POST',
        body,
        headers: { 'x-forwarded-for': address },
      });
    };
    const responses: number[] = [];
    for (let i = 0; i < 9; i++) responses.push((await sendRequest(`random-${i}`, '203.0.113.1')).status);
    expect(responses).toEqual([...Array(8).fill(401), 429]);
    expect((await sendRequest(limited.native.id, '203.0.113.1')).status).toBe(429);
    expect((await sendRequest(limited.native.id, '203.0.113.2')).status).toBe(400);
    const rows = await limited.database.query<{ key: string }>('select key from rate_limits');
    expect(rows.map(({ key }) => key.split(':')[0]).sort()).toEqual(['token', 'tokens', 'tokens']);
  } finally {
    await limited.close();
  }
});

test('started authorizations are limited per address, and leave nothing beyond the limit', async () => {
  const limits = { AUTHORIZATION_REQUESTS_PER_ADDRESS_PER_MIN: '3', TRUST_PROXY: 'loopback' };
  const limited = await oauthService(limits);
  try {
    const { base_url: baseUrl, native, database } = limited;
    const beginAuthorization = (address: string) => {
      const clientId = native.id;
      const url = authorizationUrl({
        base_url: baseUrl,
        client_id: clientId,
        redirect_uri: redirectUri,
        scopes: ['profile'],
        verifier: newVerifier(),
      });
      return fetch(url, { redirect: 'manual', headers: { 'x-forwarded-for': address } });
    };
    const responses: Response[] = [];
    for (let i = 0; i < 5; i++) responses.push(await beginAuthorization('203.0.113.1'));
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303, 429, 429]);
    expect(Number(responses.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await responses.at(-1)!.text()).toContain('Too many sign-ins');
    expect((await beginAuthorization('203.0.113.2')).status).toBe(303);
    const interactions = "select 1 from oauth_artifacts where kind = 'Interaction'";
    expect(await database.query(interactions)).toHaveLength(4);
    await database.query("update oauth_artifacts set expires_at = now() - interval '1 second'");
    await removeExpired(database.db);
    expect(await database.query(interactions)).toHaveLength(0);
  } finally {
    await limited.close();
  }
});

test('a rejected token request consumes nothing', async () => {
  const options = { ...service, ...service.ana, client: service.native, scopes: ['profile', 'offline_access'] };
  const { refresh_token: refreshToken } = await signIn(options);
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken! };
  for (let i = 0; i < 4; i++) await tokenRequest(service.base_url, service.native, { ...body, refresh_token: 'x' });
  expect((await tokenRequest(service.base_url, service.native, body)).status).toBe(429);
  await service.database.query('delete from rate_limits');
  expect((await tokenRequest(service.base_url, service.native, body)).status).toBe(200);
});

test('link requests are limited per address, for any recipient', async () => {
  const sendRequest = async (email: string, address: string) => {
    const browser = createBrowser(service.base_url);
    const page = await browser.open(`${service.base_url}/oauth/forgot`);
    return browser.submit(page, page.forms[0]!, { email }, { 'x-forwarded-for': address });
  };
  expect(
    await statuses(4, (i) => sendRequest(i % 2 ? 'nobody@example.com' : service.ana.email, '203.0.113.1')),
  ).toEqual([200, 200, 200, 429]);
  expect((await sendRequest(service.ana.email, '203.0.113.2')).status).toBe(200);
});
