/**
 * Starts the reference page: Scalar with our contract. Its sign-in uses our own OAuth client; once somebody is signed
 * in, the bar shows who it is and for which of their companies the requests are sent.
 */
const element = document.getElementById('reference');
const { baseUrl: base_url, clientId: client_id, redirectUri: redirect_uri } = element.dataset;
const acting = document.querySelector('.acting');

/** To look around, and to change nothing. Others can be ticked before signing in. */
const first_scopes = ['profile', 'collaborators:read', 'history:read', 'notifications:read', 'documents:read'];

/** Stands for the company that is chosen in the bar, until somebody writes another one in its place. */
const chosen_company = 'YOUR_COMPANY_ID';

async function start() {
  const answer = await fetch('/openapi.json');
  window.Scalar.createApiReference(element, {
    content: readyToTry(await answer.json()),
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
    localization: { translations: { apiClient: { oauth2: { authorize: 'Sign in', clear: 'Forget the token' } } } },
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

/**
 * The contract with parameters set so that a request works as it stands: those that may be left out are, and the
 * company is the one that was chosen.
 */
function readyToTry(contract) {
  for (const parameter of Object.values(contract.components.parameters)) {
    const { name, required, example } = parameter;
    if (name === 'X-Company-Id') parameter.example = chosen_company;
    else if (!required && example !== undefined) {
      delete parameter.example;
      parameter.examples = { example: { value: example, 'x-disabled': true } };
    }
  }
  return contract;
}

/** Sends what the page sends; learns from the token endpoint who signed in, and puts in the company that was chosen. */
async function send(input, init) {
  const request = new Request(input, init);
  const { origin, pathname } = new URL(request.url);
  if (origin === location.origin && pathname === '/oauth/token') {
    const answer = await fetch(request);
    if (answer.ok) await showWho((await answer.clone().json()).access_token);
    return answer;
  }
  const company_id = acting.elements.company.value;
  if (company_id && request.headers.get('X-Company-Id') === chosen_company) {
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
  acting.hidden = companies.length === 0;
}

// Sign-in comes back to the public address only, so that is where the page has to be.
if (location.origin === base_url) start();
else location.replace(`${base_url}/docs${location.hash}`);
