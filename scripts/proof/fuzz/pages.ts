// Fuzzes routes outside the contract: pages of the authorization server, files, documentation, health.
import fc from 'fast-check';
import { responseViolations } from './check.ts';
import { curl } from './curl.ts';
import type { Tally } from './run.ts';
import { type FuzzResponse, type Sent, send } from './send.ts';
import { hostileHeaders, hostileQueries, hostileSegments } from './values/hostile-headers.ts';
import { hostileText, markup } from './values/hostile-values.ts';

const addresses = [
  '/',
  '/healthz',
  '/readyz',
  '/docs',
  '/docs/reference',
  '/docs/signed-in',
  '/docs/guides/errors',
  '/docs/errors/not_found',
  '/openapi.json',
  '/openapi-3.0.json',
  '/llms.txt',
  '/oauth/authorize',
  '/oauth/authorize/x',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/jwks',
  '/oauth/interaction/x',
  '/oauth/invitation/x',
  '/oauth/reset/x',
  '/oauth/address/x',
  '/oauth/forgot',
  '/oauth/sign-out',
  '/oauth/style.css',
  '/oauth/introspect',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/files/x',
  '/files/x/y',
  '/v1',
  '/auth',
  '/favicon.ico',
  '/robots.txt',
];

const known: Record<string, readonly string[]> = {
  response_type: ['code', 'token', 'code id_token'],
  redirect_uri: [
    'http://127.0.0.1/callback',
    'https://evil.example/',
    'http://127.0.0.1.evil.example/callback',
    'javascript:alert(1)',
  ],
  scope: ['profile', 'profile offline_access', 'openid'],
  state: ['x', markup],
  code_challenge: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  code_challenge_method: ['S256', 'plain'],
  code_verifier: ['x'.repeat(43)],
  response_mode: ['query', 'form_post', 'fragment', 'web_message'],
  prompt: ['none', 'login', 'consent', 'none login'],
  grant_type: ['authorization_code', 'refresh_token', 'password', 'client_credentials'],
  code: ['x'],
  refresh_token: ['x'],
  token: ['x', 'a.b.c'],
  client_secret: ['x'],
  login_hint: [markup],
  ui_locales: ['pt'],
  resource: ['https://evil.example'],
  request: ['eyJhbGciOiJub25lIn0.e30.'],
  request_uri: ['https://evil.example/'],
  claims: ['{}'],
  max_age: ['0', '-1', '1e400'],
  interaction: ['x', markup],
  email: ['admin.fuzz@example.com', markup],
  password: ['wrong', 'x'.repeat(5_000)],
  new_password: ['x'],
  action: ['allow', 'cancel', 'switch'],
  company: ['x', '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30'],
  csrf_token: ['x'],
  notice: ['password-changed'],
  return_to: ['https://evil.example/'],
  next: ['//evil.example'],
};

interface PagesTarget {
  base_url: string;
  client_id: string;
}

interface Visit {
  method: string;
  path: string;
  fields: [string, string][];
  headers: [string, string][];
  as: 'query' | 'form' | 'json';
}

const field = fc.constantFrom('client_id', ...Object.keys(known));

function visits({ client_id: clientId }: PagesTarget): fc.Arbitrary<Visit> {
  const values = (name: string) => fc.constantFrom(...(known[name] ?? [clientId]));
  const pair = field.chain((name): fc.Arbitrary<[string, string]> => {
    const value = fc.oneof({ weight: 3, arbitrary: values(name) }, hostileText);
    return value.map((text) => [name, text]);
  });
  const segment = fc.constantFrom(...hostileSegments);
  const path = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...addresses) },
    fc.tuple(fc.constantFrom(...addresses), segment).map(([address, hostile]) => `${address}/${hostile}`),
    fc.tuple(fc.constantFrom(...addresses), segment).map(([address, hostile]) => address.replace(/[^/]*$/, hostile)),
    fc
      .tuple(fc.constantFrom(...addresses), fc.constantFrom(...hostileQueries))
      .map(([address, hostile]) => address + hostile),
  );
  return fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
    path,
    fields: fc.array(pair, { maxLength: 10 }),
    headers: fc.array(
      fc.constantFrom(...hostileHeaders).map(([name, value]): [string, string] => [name, value]),
      { maxLength: 2 },
    ),
    as: fc.constantFrom<('query' | 'form' | 'json')[]>('query', 'form', 'json'),
  });
}

/** Requests pages in unusual ways. */
export async function tryPages(target: PagesTarget, { seed, runs }: { seed: number; runs: number }): Promise<Tally> {
  const tally: Tally = { operationId: '(pages)', requests: 0, responses: new Map(), slowestMs: 0, violations: [] };
  await check(tally, target, seed, runs, visits(target), async (visit) => toSend(visit));
  const signIns = fc.record({ email: hostileText, password: hostileText, extra: fc.tuple(field, hostileText) });
  await check(tally, target, seed, Math.ceil(runs / 4), signIns, async ({ email, password, extra }) => {
    const form = await openSignIn(target);
    const fields: [string, string][] = [...form.fields, ['email', email], ['password', password], extra];
    const headers: [string, string][] = [
      ['Cookie', form.cookie],
      ['Origin', target.base_url],
    ];
    return toSend({ method: 'POST', path: form.path, fields, headers, as: 'form' });
  });
  return tally;
}

async function check<T>(
  tally: Tally,
  { base_url: baseUrl }: PagesTarget,
  seed: number,
  runs: number,
  generator: fc.Arbitrary<T>,
  prepare: (one: T) => Promise<Sent>,
): Promise<void> {
  let last: { sent: Sent; sentences: string[] } | undefined;
  const property = fc.asyncProperty(generator, async (one) => {
    const sent = await prepare(one);
    const sentences: string[] = [];
    try {
      const response = await send(baseUrl, sent);
      tally.responses.set(response.status, (tally.responses.get(response.status) ?? 0) + 1);
      tally.slowestMs = Math.max(tally.slowestMs, response.duration_ms);
      sentences.push(...pageViolations(baseUrl, response));
    } catch (error) {
      sentences.push(`no response: ${(error as Error).message}`);
    }
    tally.requests += 1;
    if (sentences.length > 0) last = { sent, sentences };
    return sentences.length === 0;
  });
  const { failed } = await fc.check(property, { seed, numRuns: runs });
  if (failed && last) tally.violations.push({ sentences: last.sentences, seed, curl: curl(baseUrl, last.sent) });
}

/** Node rejects longer URLs by closing the connection. */
const maxInQuery = 150;

function toSend({ method, path, fields, headers, as }: Visit): Sent {
  const inQuery = as === 'query' || method === 'GET' || method === 'HEAD';
  const sent = fields.map(([name, value]): [string, string] => [name, inQuery ? value.slice(0, maxInQuery) : value]);
  const text = new URLSearchParams(sent).toString();
  const own: [string, string][] = headers.map(([name, value]) => [name, value]);
  if (inQuery) {
    return {
      method,
      path: text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`,
      headers: own,
      alone: true,
    };
  }
  const type = as === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const body = Buffer.from(as === 'form' ? text : JSON.stringify(Object.fromEntries(fields)));
  return { method, path, headers: [...own, ['Content-Type', type]], body, alone: true };
}

function* pageViolations(baseUrl: string, response: FuzzResponse): Generator<string> {
  const { status, headers, text } = response;
  yield* responseViolations(response);
  const isPage = /^text\/html/.test(headers['content-type'] ?? '');
  if (isPage && /<img src=x|<script>alert/.test(text)) yield 'shows markup of the request as markup';
  if (isPage && !headers['content-security-policy']) yield 'is a page without a Content-Security-Policy';
  const { location } = headers;
  if (status >= 300 && status < 400 && status !== 304) {
    const { host, hostname, protocol } = new URL(location ?? '', baseUrl);
    const known = host === new URL(baseUrl).host || hostname === '127.0.0.1';
    if (!known || !/^https?:$/.test(protocol)) yield `leads to ${location}`;
  }
}

/** Starts a sign-in, and returns its form with the hidden fields. */
async function openSignIn({ base_url: baseUrl, client_id: clientId }: PagesTarget) {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: known.redirect_uri![0]!,
    scope: 'profile',
    state: 'x',
    code_challenge: known.code_challenge![0]!,
    code_challenge_method: 'S256',
  });
  const start = await send(baseUrl, { method: 'GET', path: `/oauth/authorize?${query}`, headers: [] });
  const cookie = start.headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ');
  const path = new URL(start.headers.location!, baseUrl).pathname;
  const { text } = await send(baseUrl, { method: 'GET', path, headers: [['Cookie', cookie]] });
  const inputs = [...text.matchAll(/<input\b[^>]*\bname="csrf_token"[^>]*\bvalue="([^"]*)"/g)];
  return { path, cookie, fields: [['csrf_token', inputs[0]?.[1] ?? '']] as [string, string][] };
}
