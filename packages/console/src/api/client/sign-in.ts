/**
 * Sign-in as a public client: authorization code with PKCE (RFC 7636). Tokens live only in this tab's memory; a reload signs in
 * again, without a prompt while the browser session lasts.
 */
import { challengeOf, openPopup, random, waitForResponse, windowState } from './popup.ts';

const clientId = 'console';

export { clientId as ownClientId };

const renewBeforeMs = 60_000;
/** Longer waits show an error instead of an empty page. */
export const maxWaitS = 10;
/** Session storage key of the pending sign-in; removed on return. */
const storageKey = 'console.sign-in';

/** Requests every scope: the person's role limits what they can do. */
const scope = [
  'profile colleagues:read collaborators:read collaborators:write salary:read salary:write roles:write documents:read documents:write',
  'history:read notifications:read notifications:write invitations:send imports:write exports:read audit:read',
  'custom_fields:manage custom_fields:sensitive company:manage apps:manage directories:manage',
  'sign_in_connections:manage connections:manage webhooks:manage',
].join(' ');

const serviceUrl = document.querySelector<HTMLMetaElement>('meta[name=service-url]')!.content;
export const basePath = import.meta.env.BASE_URL.replace(/\/$/, '');
const callbackPath = `${basePath}/callback`;
/** Redirect URI for trying out apps: a popup that passes the response to the page that opened it. */
export const tryPath = `${basePath}/try`;

interface User {
  id: string;
  email: string | null;
}

interface Tokens {
  access_token: string;
  refresh_token?: string;
  /** On this page's clock (`performance.now`). */
  expiresAtMs: number;
}

/** A pending sign-in: where to return to, and its PKCE verifier. */
interface SignInAttempt {
  state: string;
  verifier: string;
  return_to: string;
}

/** The session has ended; only the user can sign in again. */
export class SignedOut extends Error {
  override name = 'SignedOut';
}

/** The sign-in returned an error. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

let tokens: Tokens | undefined;
let renewing: Promise<Tokens> | undefined;

/**
 * Ensures that the user is signed in; otherwise redirects to the sign-in.
 * @returns the URL to show, relative to the origin
 * @throws SignInRefused
 */
export async function ensureSignedIn(): Promise<string> {
  if (location.pathname === callbackPath) return completeSignIn(new URLSearchParams(location.search));
  return redirectToSignIn({}, location.pathname + location.search + location.hash);
}

/** Required strength or recency of the sign-in (RFC 9470). */
export interface SignInRequirements {
  acr_values?: string;
  max_age?: number;
}

/** Redirects to the sign-in, and back to the current page. Never returns. */
export function signInAgain(requirements: SignInRequirements = {}): Promise<never> {
  return redirectToSignIn(requirements, location.pathname + location.search + location.hash);
}

/**
 * Signs in again in a popup, so that the page keeps its state; later requests use the new sign-in. Falls back to a redirect when
 * the popup is blocked. Call it from a click handler.
 * @param known the user until now, needed after their session has ended
 * @throws WindowClosed, SignInRefused
 */
export async function signInInPopup(requirements: SignInRequirements, known?: User): Promise<void> {
  const popup = openPopup();
  if (!popup) return signInAgain(requirements);
  try {
    const before = known ?? (await ownUser());
    const attempt = { state: windowState(), verifier: random() };
    const address = await authorizationUrl(attempt, {
      ...requirements,
      ...(before.email && { login_hint: before.email }),
    });
    tokens = await exchange(await waitForResponse(popup, address, attempt.state), attempt.verifier);
    // Another user signed in: everything on screen belongs to the previous one.
    if (before.id !== (await ownUser()).id) await redirectToSignIn({}, `${basePath}/`);
  } finally {
    popup.close();
  }
}

/** Returns a valid token. @throws SignedOut */
export async function accessToken(): Promise<string> {
  if (!tokens) throw new SignedOut();
  if (performance.now() < tokens.expiresAtMs - renewBeforeMs) return tokens.access_token;
  return (await sharedRenewal()).access_token;
}

/** Replaces a rejected token. @throws SignedOut */
export async function renewToken(rejectedToken: string): Promise<string> {
  if (tokens && tokens.access_token !== rejectedToken) return tokens.access_token;
  return (await sharedRenewal()).access_token;
}

export const signOutUrl = `${serviceUrl}/oauth/sign-out`;
export const accountUrl = `${serviceUrl}/account`;
export const docsUrl = `${serviceUrl}/docs`;
export { serviceUrl };

async function redirectToSignIn(requirements: SignInRequirements, returnTo: string): Promise<never> {
  const attempt: SignInAttempt = { state: random(), verifier: random(), return_to: returnTo };
  sessionStorage.setItem(storageKey, JSON.stringify(attempt));
  location.replace(await authorizationUrl(attempt, requirements));
  return new Promise<never>(() => {}); // the page is navigating away
}

async function authorizationUrl(
  { state, verifier }: Omit<SignInAttempt, 'return_to'>,
  requirements: SignInRequirements & { login_hint?: string },
): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: location.origin + callbackPath,
    scope,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ui_locales: preferredLanguages().join(' '),
  });
  if (requirements.acr_values) query.set('acr_values', requirements.acr_values);
  if (requirements.max_age !== undefined) query.set('max_age', String(requirements.max_age));
  if (requirements.login_hint) query.set('login_hint', requirements.login_hint);
  return `${serviceUrl}/oauth/authorize?${query}`;
}

/** The current UI language, then the browser's, which may include languages the console lacks. */
function preferredLanguages(): string[] {
  const isTag = (name: string) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(name); // skips Linux locales such as en-US@posix
  return [...new Set([document.documentElement.lang, ...navigator.languages.filter(isTag)])].slice(0, 5);
}

async function ownUser(): Promise<User> {
  const token = await accessToken();
  const response = await withRateLimitRetry(() =>
    fetch('/auth/user', { headers: { Authorization: `Bearer ${token}` } }),
  );
  if (response.status === 401) throw new SignedOut();
  return (await response.json()) as User;
}

async function completeSignIn(response: URLSearchParams): Promise<string> {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  const attempt = text ? (JSON.parse(text) as SignInAttempt) : undefined;
  // A bookmarked callback URL, or a response to no request of this page: start again.
  if (!attempt || response.get('state') !== attempt.state) return redirectToSignIn({}, `${basePath}/`);
  tokens = await exchange(response, attempt.verifier);
  return attempt.return_to;
}

function exchange(response: URLSearchParams, verifier: string): Promise<Tokens> {
  const code = response.get('code');
  if (!code) throw new SignInRefused(response.get('error') ?? 'error', response.get('error_description') ?? '');
  return requestTokens({
    grant_type: 'authorization_code',
    code,
    redirect_uri: location.origin + callbackPath,
    code_verifier: verifier,
  });
}

/** Concurrent requests share one renewal. */
function sharedRenewal(): Promise<Tokens> {
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function renew(): Promise<Tokens> {
  const refreshToken = tokens?.refresh_token;
  if (!refreshToken) throw new SignedOut();
  try {
    tokens = await requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken });
    return tokens;
  } catch (error) {
    if (error instanceof SignInRefused) throw new SignedOut(error.message);
    throw error; // offline, or the service is busy: the token may still work later
  }
}

/** Retries once after a 429: the service has not looked at the code, so it is still valid. */
async function withRateLimitRetry(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  const waitS = response.status === 429 ? Number(response.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
  if (!(waitS <= maxWaitS)) return response;
  await new Promise((resolve) => setTimeout(resolve, waitS * 1_000));
  return send();
}

async function requestTokens(body: Record<string, string>): Promise<Tokens> {
  const requestedAtMs = performance.now();
  const response = await withRateLimitRetry(() =>
    fetch('/oauth/token', { method: 'POST', body: new URLSearchParams({ client_id: clientId, ...body }) }),
  );
  if (response.status >= 500) throw new Error(`the sign-in returned ${response.status}`);
  const tokenResponse = (await response.json()) as {
    access_token: string;
    refresh_token?: string;
    expires_in: number;
    error?: string;
    error_description?: string;
  };
  if (!response.ok)
    throw new SignInRefused(tokenResponse.error ?? String(response.status), tokenResponse.error_description ?? '');
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = tokenResponse;
  return { access_token: accessToken, refresh_token: refreshToken, expiresAtMs: requestedAtMs + expiresIn * 1_000 };
}
