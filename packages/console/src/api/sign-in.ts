/**
 * Signing in, as any public client does: an authorization code with PKCE (RFC 7636). Tokens are kept in the memory of this tab
 * and nowhere else. A reload goes through the sign-in again, which asks nothing while the browser's session lasts.
 */
import { answerFrom, challengeOf, openWindow, random, windowState } from './window.ts';

const clientId = 'console';

export { clientId as ownClientId };

/** Shortly before a token ends there is another. */
const renewBeforeMs = 60_000;
/** Nobody looks at an empty page for longer; then it is said. */
export const longestWaitS = 10;
/** What the way through the sign-in needs when it comes back; gone as soon as it has. */
const kept = 'console.sign-in';

/** Everything that its person may do is done by them: the console asks for every right, and the role decides. */
const scope = [
  'profile colleagues:read collaborators:read collaborators:write salary:read salary:write roles:write documents:read documents:write',
  'history:read notifications:read notifications:write invitations:send imports:write exports:read audit:read',
  'custom_fields:manage custom_fields:sensitive company:manage apps:manage directories:manage',
  'sign_in_connections:manage connections:manage webhooks:manage',
].join(' ');

const serviceUrl = document.querySelector<HTMLMetaElement>('meta[name=service-url]')!.content;
export const basePath = import.meta.env.BASE_URL.replace(/\/$/, '');
const callbackPath = `${basePath}/callback`;
/** Where apps that are tried come back to: a window that hands the answer to the page that tries them. */
export const tryPath = `${basePath}/try`;

interface Tokens {
  access_token: string;
  refresh_token?: string;
  /** Of this page's clock (`performance.now`). */
  endsMs: number;
}

/** Where a sign-in was begun, and the proof that it was here. */
interface Begun {
  state: string;
  verifier: string;
  return_to: string;
}

/** The sign-in ended, and only the person can begin another. */
export class SignedOut extends Error {
  override name = 'SignedOut';
}

/** A sign-in that came back without access. */
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
 * Makes sure that somebody is signed in; otherwise the page is left for the sign-in.
 * @returns the address to show, relative to the origin
 * @throws SignInRefused
 */
export async function enter(): Promise<string> {
  if (location.pathname === callbackPath) return comeBack(new URLSearchParams(location.search));
  return leave({}, location.pathname + location.search + location.hash);
}

/** How strong, or how recent, the sign-in is to be (RFC 9470). */
export interface Wanted {
  acr_values?: string;
  max_age?: number;
}

/** Leaves the page for the sign-in, and comes back to where it is. Never returns. */
export function signInAgain(wanted: Wanted = {}): Promise<never> {
  return leave(wanted, location.pathname + location.search + location.hash);
}

/**
 * Signs in again in a window of its own: the page stays as it is, and its requests are signed by the new sign-in from then on.
 * Where the browser opens no window, the page is left. To be called while a press of a button is handled.
 * @throws WindowClosed, SignInRefused
 */
export async function signInBeside(wanted: Wanted): Promise<void> {
  const opened = openWindow();
  if (!opened) return signInAgain(wanted);
  try {
    const before = await ownUser();
    const begun = { state: windowState(), verifier: random() };
    const address = await addressOf(begun, { ...wanted, login_hint: before.email });
    tokens = await exchange(await answerFrom(opened, address, begun.state), begun.verifier);
    // Somebody else signed in: everything that is shown is of the one before.
    if (before.id !== (await ownUser()).id) await leave({}, `${basePath}/`);
  } finally {
    opened.close();
  }
}

/** A token that is good for now. @throws SignedOut */
export async function accessToken(): Promise<string> {
  if (!tokens) throw new SignedOut();
  if (performance.now() < tokens.endsMs - renewBeforeMs) return tokens.access_token;
  return (await renewed()).access_token;
}

/** A token in place of one that was refused. @throws SignedOut */
export async function anotherToken(refused: string): Promise<string> {
  if (tokens && tokens.access_token !== refused) return tokens.access_token;
  return (await renewed()).access_token;
}

export const signOutUrl = `${serviceUrl}/oauth/sign-out`;
export const accountUrl = `${serviceUrl}/account`;
export const docsUrl = `${serviceUrl}/docs`;
export { serviceUrl };

async function leave(wanted: Wanted, returnTo: string): Promise<never> {
  const begun: Begun = { state: random(), verifier: random(), return_to: returnTo };
  sessionStorage.setItem(kept, JSON.stringify(begun));
  location.replace(await addressOf(begun, wanted));
  return new Promise<never>(() => {}); // the page is on its way out
}

/** Where a sign-in begins. */
async function addressOf(
  { state, verifier }: Omit<Begun, 'return_to'>,
  wanted: Wanted & { login_hint?: string },
): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: location.origin + callbackPath,
    scope,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ui_locales: wantedLanguages().join(' '),
  });
  if (wanted.acr_values) query.set('acr_values', wanted.acr_values);
  if (wanted.max_age !== undefined) query.set('max_age', String(wanted.max_age));
  if (wanted.login_hint) query.set('login_hint', wanted.login_hint);
  return `${serviceUrl}/oauth/authorize?${query}`;
}

/** The language that is shown, then those of the browser, which may have others than there are here. */
function wantedLanguages(): string[] {
  const isTag = (name: string) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(name); // Linux has others, such as en-US@posix
  return [...new Set([document.documentElement.lang, ...navigator.languages.filter(isTag)])].slice(0, 5);
}

async function ownUser(): Promise<{ id: string; email: string }> {
  const token = await accessToken();
  const answer = await patiently(() => fetch('/auth/user', { headers: { Authorization: `Bearer ${token}` } }));
  if (answer.status === 401) throw new SignedOut();
  return (await answer.json()) as { id: string; email: string };
}

async function comeBack(answer: URLSearchParams): Promise<string> {
  const text = sessionStorage.getItem(kept);
  sessionStorage.removeItem(kept);
  const begun = text ? (JSON.parse(text) as Begun) : undefined;
  // An address that was kept as a bookmark, or an answer that nobody here asked for: begin anew.
  if (!begun || answer.get('state') !== begun.state) return leave({}, `${basePath}/`);
  tokens = await exchange(answer, begun.verifier);
  return begun.return_to;
}

function exchange(answer: URLSearchParams, verifier: string): Promise<Tokens> {
  const code = answer.get('code');
  if (!code) throw new SignInRefused(answer.get('error') ?? 'error', answer.get('error_description') ?? '');
  return ask({
    grant_type: 'authorization_code',
    code,
    redirect_uri: location.origin + callbackPath,
    code_verifier: verifier,
  });
}

/** Several requests at once wait for one renewal. */
function renewed(): Promise<Tokens> {
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function renew(): Promise<Tokens> {
  const refreshToken = tokens?.refresh_token;
  if (!refreshToken) throw new SignedOut();
  try {
    tokens = await ask({ grant_type: 'refresh_token', refresh_token: refreshToken });
    return tokens;
  } catch (error) {
    if (error instanceof SignInRefused) throw new SignedOut(error.message);
    throw error; // no connection, or the service is busy: the token may do later
  }
}

/** Where the service asks to wait (429), that is done once: nothing was looked at, so the code still counts. */
async function patiently(send: () => Promise<Response>): Promise<Response> {
  const answer = await send();
  const waitS = answer.status === 429 ? Number(answer.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
  if (!(waitS <= longestWaitS)) return answer;
  await new Promise((resolve) => setTimeout(resolve, waitS * 1_000));
  return send();
}

async function ask(body: Record<string, string>): Promise<Tokens> {
  const askedMs = performance.now();
  const answer = await patiently(() =>
    fetch('/oauth/token', { method: 'POST', body: new URLSearchParams({ client_id: clientId, ...body }) }),
  );
  if (answer.status >= 500) throw new Error(`the sign-in answered ${answer.status}`);
  const said = (await answer.json()) as {
    access_token: string;
    refresh_token?: string;
    expires_in: number;
    error?: string;
    error_description?: string;
  };
  if (!answer.ok) throw new SignInRefused(said.error ?? String(answer.status), said.error_description ?? '');
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = said;
  return { access_token: accessToken, refresh_token: refreshToken, endsMs: askedMs + expiresIn * 1_000 };
}
