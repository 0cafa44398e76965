/** Signs a user in without a browser: requests the real pages with fetch, keeps cookies, and submits their forms. */
import { authorizationRequest, discover, exchangeCode, type Tokens } from '../../packages/cli/src/account/oauth.ts';

const redirectUri = 'http://127.0.0.1/callback';
const maxPages = 5;

interface SignInOptions {
  base_url: string;
  /** A public client with a loopback redirect URI. */
  client_id: string;
  email: string;
  password: string;
  /** Default: all scopes of the service. */
  scope?: string;
}

/** Signs in, and grants the client every requested scope in every company. @throws the error message of the page */
export async function signIn({
  base_url: baseUrl,
  client_id: clientId,
  email,
  password,
  scope,
}: SignInOptions): Promise<Tokens> {
  const server = await discover(baseUrl);
  const requestedScope = scope ?? (server.scopes_supported as string[]).join(' ');
  const request = await authorizationRequest(server, clientId, redirectUri, requestedScope);
  const response = await walkPages(request.url, { email, password });
  return exchangeCode(server, request, response);
}

interface Person {
  email: string;
  password: string;
  /** For users who have or must set up an authenticator app. @returns the current code, @param html may contain the key */
  codeOf?: (html: string) => string;
}

/**
 * Opens an authorization URL, signs in, and grants everything.
 * @returns the parameters of the final redirect
 * @throws the error message of the page
 */
export async function walkPages(start: URL, { codeOf, ...credentials }: Person): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  const end = start.searchParams.get('redirect_uri')!;
  let { url, html, status } = await open(cookies, start, end);
  for (let page = 0; !url.href.startsWith(end); page++) {
    const form = findForm(html);
    if (status !== 200 || !form || page === maxPages)
      throw new Error(`${url.pathname} responded ${status}: ${words(html)}`);
    if (form.fields.has('password'))
      for (const [name, value] of Object.entries(credentials)) form.fields.set(name, value);
    if (codeOf && form.fields.has('code')) form.fields.set('code', codeOf(html));
    ({ url, html, status } = await open(cookies, new URL(form.action, url), end, form.fields));
  }
  return url.searchParams;
}

interface Page {
  url: URL;
  html: string;
  status: number;
}

/** Requests a page, or submits a form. Follows redirects up to `end`, the client's URL, which is not requested. */
async function open(cookies: Map<string, string>, url: URL, end: string, fields?: URLSearchParams): Promise<Page> {
  const headers: Record<string, string> = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
  if (fields) headers.origin = url.origin; // as a browser does
  const method = fields ? 'POST' : 'GET';
  const response = await fetch(url, { method, body: fields ?? null, headers, redirect: 'manual' });
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (value) cookies.set(name!, value);
    else cookies.delete(name!);
  }
  const html = await response.text();
  const location = response.headers.get('location');
  if (!location) return { url, html, status: response.status };
  const next = new URL(location, url);
  return next.href.startsWith(end) ? { url: next, html, status: response.status } : open(cookies, next, end);
}

/** The page's main form with defaults: all boxes checked, first options selected, first button pressed. */
function findForm(html: string): { action: string; fields: URLSearchParams } | undefined {
  const [, attributes, content] = [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].at(-1) ?? [];
  if (attributes === undefined || content === undefined) return undefined;
  const fields = new URLSearchParams();
  let pressed = false;
  for (const [, tag, rest = ''] of content.matchAll(/<(input|button)\b([^>]*)>/g)) {
    if (tag === 'button' && pressed) continue;
    if (attribute(rest, 'type') === 'radio' && fields.has(attribute(rest, 'name'))) continue;
    pressed ||= tag === 'button';
    fields.append(attribute(rest, 'name'), attribute(rest, 'value'));
  }
  return { action: attribute(attributes, 'action'), fields };
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

function words(html: string): string {
  const alert = /role="alert">([^<]*)/.exec(html)?.[1];
  const main = /<main\b.*?<\/main>/s.exec(html)?.[0] ?? html;
  return (
    alert ??
    main
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 200)
  );
}
