/** Signs in through the pages with forms and cookies. Needs only fetch, so demos and command line tests use it too. */
import { createHash, randomBytes } from 'node:crypto';

interface SignIn {
  base_url: string;
  client: { id: string; secret?: string };
  /** A redirect URI of the client; if that is a loopback address, any port works. */
  redirect_uri: string;
  email: string;
  password: string;
  scopes: string[];
  /** Company ids to select on the consent page; all by default. */
  companies?: string[];
  /** Continues in a browser that may already be signed in. */
  browser?: Browser;
}

export interface Tokens {
  access_token: string;
  refresh_token?: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

/** Runs the whole authorization code flow. @throws on an unexpected page or response */
export async function signIn(options: SignIn): Promise<Tokens> {
  const { base_url: baseUrl, client, redirect_uri: redirectUri } = options;
  const verifier = newVerifier();
  const url = authorizationUrl({ ...options, client_id: client.id, verifier });
  const { location } = await walkPages(options.browser ?? createBrowser(baseUrl), url, options);
  const code = location.searchParams.get('code');
  if (!code) throw new Error(`no code in ${location}`);
  const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  const response = await tokenRequest(baseUrl, client, body);
  if (!response.ok) throw new Error(`token request: ${response.status} ${await response.text()}`);
  return response.json() as Promise<Tokens>;
}

/** Follows the pages from an authorization request to the redirect back to the client. */
export async function walkPages(
  browser: Browser,
  url: string,
  { email, password, companies }: Pick<SignIn, 'email' | 'password' | 'companies'>,
): Promise<{ location: URL; pages: Page[] }> {
  const pages: Page[] = [];
  for (let page = await browser.open(url); ; ) {
    if (page.location) return { location: page.location, pages };
    pages.push(page);
    const form = page.forms.findLast((each) => !each.has('credential'));
    if (page.status !== 200 || !form || pages.length > 3)
      throw new Error(`${page.status} at ${page.url}: ${page.html}`);
    const company = companies ?? form.options('company');
    const values: FormValues = form.has('password')
      ? { email, password, action: 'login' }
      : { company, action: 'allow' };
    page = await browser.submit(page, form, values);
  }
}

/** @param verifier PKCE verifier; the URL carries its S256 challenge */
export function authorizationUrl(options: {
  base_url: string;
  client_id: string;
  redirect_uri: string;
  scopes: string[];
  verifier: string;
  state?: string;
}): string {
  const {
    base_url: baseUrl,
    client_id: clientId,
    redirect_uri: redirectUri,
    scopes,
    verifier,
    state = 'a-state',
  } = options;
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
  };
  return `${baseUrl}/oauth/authorize?${new URLSearchParams({ ...query, code_challenge: codeChallenge, code_challenge_method: 'S256' })}`;
}

export function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}

/** POST /oauth/token with a form body; a client without a secret sends its id in the body. */
export function tokenRequest(
  baseUrl: string,
  client: { id: string; secret?: string },
  body: Record<string, string>,
): Promise<Response> {
  const basic = client.secret && Buffer.from(`${client.id}:${client.secret}`).toString('base64');
  return fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: basic ? { authorization: `Basic ${basic}` } : {},
    body: new URLSearchParams(basic ? body : { client_id: client.id, ...body }),
  });
}

export interface Page {
  url: string;
  status: number;
  headers: Headers;
  html: string;
  forms: Form[];
  /** Set if the page redirects away from the service. */
  location: URL | undefined;
}

export interface Form {
  action: string;
  hidden: Record<string, string>;
  has(field: string): boolean;
  value(field: string): string | undefined;
  /** The values of all fields with one name, such as checkboxes. */
  options(field: string): string[];
}

export type FormValues = Record<string, string | string[]>;

export interface Browser {
  cookies: Map<string, { value: string; path: string; attributes: string }>;
  open(url: string): Promise<Page>;
  submit(page: Page, form: Form, values: FormValues, headers?: Record<string, string>): Promise<Page>;
}

/**
 * Keeps cookies and follows redirects within the service.
 * @param address where the service listens, if it differs from the public address
 * @param acceptLanguage the browser's language setting
 */
export function createBrowser(baseUrl: string, address = baseUrl, acceptLanguage?: string): Browser {
  const cookies: Browser['cookies'] = new Map();
  const visit = async (url: string, init: RequestInit = {}): Promise<Page> => {
    const headers = new Headers(init.headers);
    if (acceptLanguage) headers.set('accept-language', acceptLanguage);
    const { pathname } = new URL(url);
    const sent = [...cookies].filter(([, { path }]) => pathname.startsWith(path));
    if (sent.length > 0) headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '));
    const response = await fetch(url.replace(baseUrl, address), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) storeCookie(cookies, line);
    const target = response.headers.get('location');
    const html = await response.text();
    const location = target ? new URL(target, url) : undefined;
    if (location && location.origin === new URL(baseUrl).origin) return visit(location.href);
    return { url, status: response.status, headers: response.headers, html, forms: formsOf(html), location };
  };
  return {
    cookies,
    open: (url) => visit(url),
    submit(page, form, values, headers = {}) {
      const body = new URLSearchParams(form.hidden);
      for (const [name, value] of Object.entries(values)) {
        body.delete(name);
        for (const each of [value].flat()) body.append(name, each);
      }
      const origin = new URL(baseUrl).origin;
      const action = new URL(form.action, page.url).href;
      return visit(action, { method: 'POST', body, headers: { origin, 'sec-fetch-site': 'same-origin', ...headers } });
    },
  };
}

function storeCookie(cookies: Browser['cookies'], line: string): void {
  const [pair = '', ...rest] = line.split('; ');
  const at = pair.indexOf('=');
  const name = pair.slice(0, at);
  const value = pair.slice(at + 1);
  const path = rest.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
  if (value) cookies.set(name, { value, path, attributes: rest.join('; ') });
  else if (cookies.get(name)?.path === path) cookies.delete(name);
}

function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', content = '']) => {
    const inputs = [...content.matchAll(/<input\b([^>]*)>/g)].map(([, each = '']) => ({
      name: attribute(each, 'name') ?? '',
      type: attribute(each, 'type') ?? 'text',
      value: attribute(each, 'value') ?? '',
    }));
    const hidden = inputs.filter((input) => input.type === 'hidden').map(({ name, value }) => [name, value]);
    return {
      action: attribute(attributes, 'action') ?? '',
      hidden: Object.fromEntries(hidden),
      has: (field) => inputs.some((input) => input.name === field),
      value: (field) => inputs.find((input) => input.name === field)?.value,
      options: (field) => inputs.filter((input) => input.name === field).map((input) => input.value),
    };
  });
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
  return value?.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
}
