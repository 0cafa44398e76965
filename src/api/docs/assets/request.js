/**
 * Sends the request of an operation's page. Sign-in is by our own public client with PKCE, for the scopes of this operation and those
 * allowed before. The token is in memory only: the next page signs in again, which the authorization server doesn't ask about.
 */
const form = document.querySelector('form.request');
const { clientId: client_id, redirectUri: redirect_uri, baseUrl: base_url, method, path } = form.dataset;
const wanted_scopes = form.dataset.scopes.split(' ').filter(Boolean);
const answer_room = document.querySelector('.answer');
const part = (name) => document.querySelector(`[data-${name}]`);
const body_field = document.getElementById('try-body');

/** Session storage: allowed scopes, the chosen company, a sign-in in progress, and what was typed before it. Never a token. */
const kept = { scope: 'docs.scope', company: 'docs.company', sign_in: 'docs.sign-in', form: 'docs.form' };

/** The access token, and what it allows. */
let token;
let allowed = [];
/** Requirements for the next sign-in from a refused request, such as its age (RFC 9470). */
let demanded = {};

async function start() {
  form.hidden = false;
  const begun = take(kept.sign_in);
  const typed = take(kept.form);
  if (typed?.path === path && typed.method === method) restore(typed);
  if (begun?.answer) await comeBack(begun);
  else if (sessionStorage.getItem(kept.scope) && part('sign-in')) {
    return authorize(sessionStorage.getItem(kept.scope).split(' '), { prompt: 'none' });
  }
  showState();
}

function take(name) {
  const value = JSON.parse(sessionStorage.getItem(name) ?? 'null');
  sessionStorage.removeItem(name);
  return value;
}

function signIn() {
  const before = sessionStorage.getItem(kept.scope)?.split(' ') ?? [];
  return authorize([...new Set(['profile', ...before, ...wanted_scopes])], demanded);
}

/** Leaves the page. `signed-in.js` comes back to it with the response. */
async function authorize(scopes, more = {}) {
  const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
  const [state, verifier] = [random(), random()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: scopes.join(' '),
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...more,
  });
  const return_to = location.pathname + location.search + location.hash;
  sessionStorage.setItem(kept.sign_in, JSON.stringify({ state, verifier, return_to }));
  if (more.prompt) return location.replace(`/oauth/authorize?${query}`);
  sessionStorage.setItem(kept.form, JSON.stringify({ method, path, ...typedValues() }));
  location.assign(`/oauth/authorize?${query}`);
}

async function comeBack({ state, verifier, answer }) {
  const said = new URLSearchParams(answer);
  const code = said.get('code');
  if (!code || said.get('state') !== state) {
    // Signed out elsewhere, no longer allowed, or canceled.
    sessionStorage.removeItem(kept.scope);
    part('who').textContent = 'You are not signed in. Sign in to send this request.';
    return;
  }
  const fields = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: verifier };
  const tokens = await fetch('/oauth/token', { method: 'POST', body: new URLSearchParams(fields) });
  if (!tokens.ok) return;
  const { access_token, scope } = await tokens.json();
  token = access_token;
  allowed = scope.split(' ');
  sessionStorage.setItem(kept.scope, scope);
  await showWho();
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

async function showWho() {
  const answer = await fetch('/auth/user', { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) return;
  const { name, companies } = await answer.json();
  if (part('who')) part('who').textContent = `Signed in as ${name}.`;
  const choice = form.elements.company;
  if (!choice || companies.length === 0) return;
  choice.replaceChildren(...companies.map((company) => new Option(company.name, company.id)));
  const before = sessionStorage.getItem(kept.company);
  if (companies.some(({ id }) => id === before)) choice.value = before;
  part('companies').hidden = false;
  showCompany();
}

/** Puts the company into the samples. */
function showCompany() {
  for (const place of document.querySelectorAll('[data-company]')) {
    place.dataset.company ||= place.textContent; // what it is without one
    place.textContent = form.elements.company.value || place.dataset.company;
  }
}

/** Operations without a scope need no sign-in. */
function showState() {
  if (!part('sign-in')) return;
  const missing = wanted_scopes.filter((scope) => !allowed.includes(scope));
  part('sign-in').hidden = Boolean(token) && missing.length === 0;
  part('sign-in').textContent = token ? `Allow ${missing.join(', ')}` : 'Sign in';
  part('sign-out').hidden = !token;
  part('send').disabled = !token;
}

/** Forgets the token, and revokes it. */
async function signOut() {
  const body = new URLSearchParams({ client_id, token });
  token = undefined;
  allowed = [];
  sessionStorage.removeItem(kept.scope);
  sessionStorage.removeItem(kept.company);
  part('who').textContent = 'You are signed out.';
  if (form.elements.company) {
    form.elements.company.replaceChildren();
    part('companies').hidden = true;
    showCompany();
  }
  showState();
  part('sign-in').focus();
  await fetch('/oauth/revoke', { method: 'POST', body });
}

const inputs = () => [...form.querySelectorAll('[data-place]')];

function typedValues() {
  return { values: inputs().map(({ id, value }) => [id, value]), body: body_field?.value };
}

function restore({ values, body }) {
  for (const [id, value] of values) {
    const input = document.getElementById(id);
    if (!input) continue;
    input.value = value;
    if (value && input.closest('details')) input.closest('details').open = true;
  }
  if (body_field && body !== undefined) body_field.value = body;
}

/** @returns undefined if the body isn't JSON, which is then said */
function requestOf() {
  const given = inputs().filter(({ value }) => value !== '');
  const of = (place) => given.filter(({ dataset }) => dataset.place === place);
  let address = path;
  for (const { name, value } of of('path')) address = address.replace(`{${name}}`, () => encodeURIComponent(value));
  const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value]));
  const headers = new Headers(of('header').map(({ name, value }) => [name, value]));
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (form.elements.company?.value) headers.set('X-Company-Id', form.elements.company.value);
  const body = body_field?.value.trim();
  if (body) {
    try {
      JSON.parse(body);
    } catch (error) {
      part('fault').textContent = `The body is not valid JSON: ${error.message}`;
      body_field.setAttribute('aria-invalid', 'true');
      body_field.focus();
      return undefined;
    }
    headers.set('Content-Type', 'application/json');
  }
  return [query.size > 0 ? `${address}?${query}` : address, { method, headers, body: body || undefined }];
}

async function send() {
  part('fault').textContent = '';
  body_field?.removeAttribute('aria-invalid');
  let request;
  try {
    request = requestOf();
  } catch (error) {
    part('fault').textContent = error.message; // a header that can't be sent
    return;
  }
  if (!request) return;
  part('send').disabled = true;
  const started_ms = performance.now();
  try {
    const answer = await fetch(...request);
    show(answer, await answer.text(), Math.round(performance.now() - started_ms));
  } catch {
    part('fault').textContent = 'There was no response. Check your connection, then send it again.';
  }
  part('send').disabled = false;
  showState();
}

function show(answer, text, lasted_ms) {
  if (answer.status === 401 && token) requireSignIn(answer.headers.get('WWW-Authenticate') ?? '');
  answer_room.hidden = false;
  part('status').textContent = `${answer.status} ${answer.statusText} · ${lasted_ms} ms`;
  part('status').dataset.class = String(answer.status)[0];
  part('headers').textContent = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  part('answer').textContent = pretty(text);
  answer_room.scrollIntoView({ block: 'nearest' });
}

/** The token has expired or been revoked, or the company asks for a recent sign-in. */
function requireSignIn(challenge) {
  const isOld = challenge.includes('insufficient_user_authentication');
  const demand = (name) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1];
  const fields = isOld ? { acr_values: demand('acr_values'), max_age: demand('max_age') } : {};
  demanded = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  token = undefined;
  allowed = [];
  part('who').textContent = isOld
    ? 'Your company asks for a recent sign-in. Sign in again, then send the request.'
    : 'Your sign-in has ended. Sign in again, then send the request.';
  showState();
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text || 'No body';
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  send();
});
part('sign-in')?.addEventListener('click', signIn);
part('sign-out')?.addEventListener('click', signOut);
form.elements.company?.addEventListener('change', () => {
  sessionStorage.setItem(kept.company, form.elements.company.value);
  showCompany();
});
document.getElementById('try-example')?.addEventListener('change', ({ target }) => {
  body_field.value = target.value;
});

// The redirect URI is at the public address, so the page has to be there too.
if (location.origin === base_url) start();
else if (part('sign-in')) location.replace(base_url + location.pathname + location.search + location.hash);
else form.hidden = false;
