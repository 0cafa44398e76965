/** Trusts X-Forwarded-* only from TRUST_PROXY, else clients could forge the address for rate limits and claim HTTPS. */
import { request } from 'node:http';
import { readConfig } from '../../../src/platform/config/config.ts';
import { ConfigError } from '../../../src/platform/config/config-error.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { testSettings } from '../../helpers/settings.ts';

const proxy = '127.0.0.2';
const stranger = '127.0.0.3';
const tokenRequestsPerMin = 3;

let app: TestApp;
beforeAll(async () => {
  const limit = { TOKEN_REQUESTS_PER_ADDRESS_PER_MIN: String(tokenRequestsPerMin) };
  app = await testApp({ TRUST_PROXY: proxy, REQUIRE_HTTPS: 'true', ...limit });
});
afterAll(() => app.close());

interface Sent {
  from: string;
  method?: string;
  headers: Record<string, string>;
  body?: string;
}

function send(path: string, { from, method = 'GET', headers, body }: Sent): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(app.base_url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, localAddress: from, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.once('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.once('error', reject).end(body);
  });
}

const asAdmin = () => ({ authorization: `Bearer ${app.admin.token}`, 'x-company-id': app.company_id });

describe('the HTTPS requirement', () => {
  const list = (from: string, headers: Record<string, string>) =>
    send('/v1/collaborators', { from, headers: { ...asAdmin(), ...headers } });

  test('trusts the protocol that a trusted proxy reports', async () => {
    expect((await list(proxy, { 'x-forwarded-proto': 'https' })).status).toBe(200);
    const plain = await list(proxy, { 'x-forwarded-proto': 'http' });
    expect(plain.status).toBe(403);
    expect(JSON.parse(plain.text).error).toBe('https_required');
    expect((await list(proxy, {})).status).toBe(403);
  });

  test.each([
    ['X-Forwarded-Proto', { 'x-forwarded-proto': 'https' }],
    ['Forwarded', { forwarded: 'for=127.0.0.2;proto=https' }],
    ['X-Forwarded-Proto, and an address that is trusted', { 'x-forwarded-proto': 'https', 'x-forwarded-for': proxy }],
    ['X-Forwarded-Ssl and alike', { 'x-forwarded-ssl': 'on', 'front-end-https': 'on', 'x-url-scheme': 'https' }],
  ])('ignores %s from anyone else', async (_, headers) => {
    const { status, text } = await list(stranger, headers as Record<string, string>);
    expect(status).toBe(403);
    expect(JSON.parse(text).error).toBe('https_required');
  });
});

describe('limits by address', () => {
  /** @param client a made-up client id, since requests count by address, whatever the client */
  const token = (client: string, from: string, forwardedFor: string) =>
    send('/oauth/token', {
      from,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-proto': 'https',
        'x-forwarded-for': forwardedFor,
      },
      body: `grant_type=refresh_token&refresh_token=x&client_id=${client}`,
    });
  const statuses = async (count: number, one: (i: number) => Promise<{ status: number }>) => {
    const results: number[] = [];
    for (let i = 0; i < count; i++) results.push((await one(i)).status);
    return results;
  };

  test('apply per client behind a trusted proxy', async () => {
    const results = await statuses(tokenRequestsPerMin + 2, (i) => token('one', proxy, `203.0.113.${i}`));
    expect(results).not.toContain(429);
    const same = await statuses(tokenRequestsPerMin + 1, () => token('two', proxy, '203.0.113.9'));
    expect(same.at(-1)).toBe(429);
  });

  test('ignore addresses that the client put in front of the proxy’s', async () => {
    const results = await statuses(tokenRequestsPerMin + 1, (i) =>
      token('three', proxy, `198.51.100.${i}, 203.0.113.9`),
    );
    expect(results.at(-1)).toBe(429);
  });
});

test('the service never takes its own address from a request', async () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example', host: 'evil.example' };
  const { text } = await send('/.well-known/oauth-authorization-server', { from: proxy, headers });
  expect(JSON.parse(text).issuer).toBe(app.base_url);
  expect(text).not.toContain('evil');
});

describe('without TRUST_PROXY', () => {
  let alone: TestApp;
  beforeAll(async () => {
    alone = await testApp({ TOKEN_REQUESTS_PER_ADDRESS_PER_MIN: String(tokenRequestsPerMin) });
  });
  afterAll(() => alone.close());

  test('clients can’t evade a limit with X-Forwarded-For', async () => {
    const results: number[] = [];
    for (let i = 0; i <= tokenRequestsPerMin; i++) {
      const response = await fetch(`${alone.base_url}/oauth/token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': `203.0.113.${i}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'one' }),
      });
      results.push(response.status);
    }
    expect(results.slice(0, -1)).not.toContain(429);
    expect(results.at(-1)).toBe(429);
  });
});

describe('the setting', () => {
  const read = (TRUST_PROXY: string) => readConfig({ ...testSettings, TRUST_PROXY }).trust_proxy;

  test.each(['10.0.0.1', '10.0.0.0/8, loopback', 'fd00::/8', '::1', 'uniquelocal,linklocal'])('accepts %s', (text) => {
    expect(read(text)).toBe(text);
  });

  test.each(['true', '1', '*', '10.0.0.0/33', '10.0.0.0/0', '0.0.0.0/0', 'proxy.example', '10.0.0.1,', '10.0.0.1/8/8'])(
    'rejects %s, which would trust strangers or nobody',
    (text) => {
      expect(() => read(text)).toThrow(ConfigError);
      expect(() => read(text)).toThrow(/TRUST_PROXY must list addresses/);
    },
  );
});
