/** Starts the try-it page: Scalar with our contract, and sign-in by our own OAuth client. The top bar shows user and company. */
const element = document.getElementById('reference');
const { baseUrl: base_url, clientId: client_id, redirectUri: redirect_uri } = element.dataset;
const acting = document.querySelector('.who');
const task = document.querySelector('.task');

/** Read-only scopes. */
const looking = ['profile', 'collaborators:read', 'history:read', 'notifications:read', 'documents:read'];

/** Preselected scopes by task. No role gets scopes that it may not use. */
const scopes_of_tasks = {
  look: looking,
  people: [
    ...looking,
    ...['collaborators:write', 'salary:read', 'salary:write', 'roles:write'],
    ...['documents:write', 'notifications:write', 'invitations:send'],
  ],
  files: [...looking, 'imports:write', 'exports:read'],
  webhooks: ['profile', 'collaborators:read', 'webhooks:manage'],
  apps: [
    ...['profile', 'collaborators:read', 'apps:manage', 'directories:manage', 'connections:manage'],
    'sign_in_connections:manage',
    ...['company:manage', 'audit:read'],
  ],
};

const sign_out = 'Sign out';

/** The access token, in memory only. */
let signed_in;

/** The initial fragment: the sign-in form is above all operations, and Scalar updates the fragment while scrolling. */
const came_for = location.hash;

/** Placeholder for the selected company before sign-in. */
const no_company = 'YOUR_COMPANY_ID';
/** The company id in samples; requests with it go to the selected company. */
let shown_company = no_company;

async function start() {
  if (await again()) return;
  const answer = await fetch('/openapi.json');
  const contract = await answer.json();
  const first_scopes = chosenScopes(contract);
  shown_company = acting.elements.company.value || no_company;
  window.Scalar.createApiReference(element, {
    content: readyToTry(contract),
    agent: { disabled: true },
    authentication: {
      preferredSecurityScheme: 'oauth2',
      securitySchemes: {
        oauth2: {
          'x-default-scopes': first_scopes,
          flows: {
            authorizationCode: {
              'x-scalar-client-id': client_id,
              'x-scalar-redirect-uri': redirect_uri,
              'x-usePkce': 'SHA-256',
              selectedScopes: first_scopes,
              ...(signed_in && { token: signed_in }),
            },
          },
        },
      },
    },
    customFetch: send,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    defaultOpenFirstTag: false,
    documentDownloadType: 'none',
    generateOperationSlug: ({ operationId }) => operationId,
    generateTagSlug: ({ name }) => name,
    generateWebhookSlug: ({ name }) => name,
    hideClientButton: true,
    hideDarkModeToggle: true,
    localization: { translations: { apiClient: { oauth2: { authorize: 'Sign in', clear: sign_out } } } },
    mcp: { disabled: true },
    modelsSectionLabel: 'Schemas',
    persistAuth: false,
    proxyUrl: '',
    showDeveloperTools: 'never',
    showOperationId: true,
    telemetry: false,
    withDefaultFonts: false,
  });
}

/** Session storage: allowed scopes, the selected company, and a sign-in in progress. Never a token. */
const kept = { scope: 'docs.scope', company: 'docs.company', sign_in: 'docs.sign-in' };

/** Signs in again after a reload; the authorization server doesn't ask again. @returns whether the page is being redirected */
async function again() {
  const begun = JSON.parse(sessionStorage.getItem(kept.sign_in) ?? 'null');
  sessionStorage.removeItem(kept.sign_in);
  const scope = sessionStorage.getItem(kept.scope);
  if (begun?.answer) return comeBack(begun);
  if (!scope) return false;
  const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
  const [state, verifier] = [random(), random()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: 'code',
    prompt: 'none',
    client_id,
    redirect_uri,
    scope,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  });
  const return_to = location.pathname + location.search + location.hash;
  sessionStorage.setItem(kept.sign_in, JSON.stringify({ state, verifier, return_to }));
  location.replace(`/oauth/authorize?${query}`);
  return true;
}

/** @returns false, because the page is shown with or without a token */
async function comeBack({ state, verifier, answer }) {
  const said = new URLSearchParams(answer);
  const code = said.get('code');
  if (!code || said.get('state') !== state) {
    sessionStorage.removeItem(kept.scope); // signed out elsewhere, or no longer allowed
    return false;
  }
  const form = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: verifier };
  const tokens = await fetch('/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
  if (!tokens.ok) return false;
  signed_in = (await tokens.json()).access_token;
  await showWho(signed_in);
  return false;
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** By the task in the URL, which the top bar sets. */
function chosenScopes(contract) {
  const chosen = new URLSearchParams(location.search).get('for');
  const { scopes } = contract.components.securitySchemes.oauth2.flows.authorizationCode;
  const known = chosen === 'all' || Object.hasOwn(scopes_of_tasks, chosen ?? '');
  task.elements.for.value = known ? chosen : 'look';
  return chosen === 'all' ? Object.keys(scopes) : scopes_of_tasks[task.elements.for.value];
}

/** Prepares the contract so that requests work unchanged: omits optional parameters, and sets the selected company. */
function readyToTry(contract) {
  for (const parameter of Object.values(contract.components.parameters)) {
    const { name, required, example } = parameter;
    if (name === 'X-Company-Id') parameter.example = shown_company;
    else if (!required && example !== undefined) {
      delete parameter.example;
      parameter.examples = { example: { value: example, 'x-disabled': true } };
    }
  }
  // List and search use the events' names in subscriptions.
  for (const [name, { post }] of Object.entries(contract.webhooks)) {
    post.description = `**${post.summary}.** ${post.description}`;
    post.summary = name;
  }
  return contract;
}

/** Wraps `fetch`: detects sign-in by the token endpoint's response, and inserts the selected company. */
async function send(input, init) {
  const request = new Request(input, init);
  const { origin, pathname } = new URL(request.url);
  if (origin === location.origin && pathname === '/oauth/token') {
    const answer = await fetch(request);
    if (answer.ok) {
      const { scope } = await answer.clone().json();
      sessionStorage.setItem(kept.scope, scope);
      if (!location.hash.startsWith('#tag/'))
        history.replaceState(null, '', `${location.pathname}${location.search}${came_for}`);
      location.reload(); // which signs in again, without a question, and then the samples name the company
    }
    return answer;
  }
  const company_id = acting.elements.company.value;
  if (company_id && request.headers.get('X-Company-Id') === shown_company) {
    request.headers.set('X-Company-Id', company_id);
  }
  return fetch(request);
}

async function showWho(token) {
  const answer = await fetch('/auth/user', { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) return;
  const { name, companies } = await answer.json();
  acting.querySelector('.acting-as').textContent = name;
  acting.elements.company.replaceChildren(...companies.map((company) => new Option(company.name, company.id)));
  const before = sessionStorage.getItem(kept.company);
  if (companies.some(({ id }) => id === before)) acting.elements.company.value = before;
  acting.hidden = companies.length === 0;
  task.hidden = true;
}

/** Scalar's button only forgets the token; this also revokes it. */
async function signOut() {
  if (!signed_in) return;
  const body = new URLSearchParams({ client_id, token: signed_in });
  signed_in = undefined;
  shown_company = no_company;
  sessionStorage.removeItem(kept.scope);
  acting.hidden = true;
  task.hidden = false;
  acting.elements.company.replaceChildren();
  await fetch('/oauth/revoke', { method: 'POST', body });
}

acting.addEventListener('change', () => {
  sessionStorage.setItem(kept.company, acting.elements.company.value);
  location.reload();
});

task.addEventListener('change', () => {
  const chosen = new URLSearchParams(new FormData(task));
  location.assign(`${location.pathname}?${chosen}${location.hash}`);
});

document.addEventListener('click', ({ target }) => {
  if (target.closest('button')?.textContent.trim() === sign_out) signOut();
});

// The redirect URI is on the public address, so the page must be there too.
if (location.origin === base_url) start();
else location.replace(`${base_url}/docs/try${location.search}${location.hash}`);
