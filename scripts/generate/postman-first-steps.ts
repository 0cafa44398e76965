/** The "Start here" folder of the Postman collection: a tested sequence of requests. */

export interface PostmanItem {
  name: string;
  event?: { listen: 'prerequest' | 'test'; script: { type: 'text/javascript'; exec: string[] } }[];
  request: {
    method: string;
    url: { raw: string; host: string[]; path: string[]; query: object[]; variable: object[] };
    header: object[];
    body?: object;
    auth?: object;
    description: string;
  };
}

/** Scopes of the collection; `offline_access` enables refresh tokens. */
export const scope = [
  'profile offline_access',
  'collaborators:read collaborators:write invitations:send history:read',
  'documents:read documents:write imports:write exports:read webhooks:manage',
].join(' ');

interface Step {
  name: string;
  description: string;
  request: `${string} /${string}`;
  query?: Record<string, string>;
  body?: object;
  /** Pre-request script, in Postman's JavaScript. */
  before?: string[];
  /** Assertions on the response; `body` is defined. */
  test: string[];
  status: number;
}

const person = { name: 'Paula Postman', email: '{{email}}', position: 'Route Planner', department: 'Operations' };

const steps: Step[] = [
  {
    name: '1. Who am I?',
    description: 'Says whom the token stands for, and keeps the first company for the requests that follow.',
    request: 'GET /auth/user',
    status: 200,
    test: [
      "if (!pm.collectionVariables.get('company_id')) pm.collectionVariables.set('company_id', body.companies[0].id);",
    ],
  },
  {
    name: '2. Two people of the company',
    description: 'The first two people that your role may see.',
    request: 'GET /v1/collaborators',
    query: { limit: '2' },
    status: 200,
    test: ["pm.test('there are people', () => pm.expect(body.data).to.not.be.empty);"],
  },
  {
    name: '3. Add a person',
    description: 'With an address that is new each time. The id is kept for the requests that follow.',
    request: 'POST /v1/collaborators',
    body: person,
    status: 201,
    before: ["pm.collectionVariables.set('email', 'paula-' + Date.now() + '@example.com');"],
    test: [
      "pm.collectionVariables.set('collaborator_id', body.id);",
      "pm.test('the person is pending', () => pm.expect(body.status).to.equal('pending'));",
    ],
  },
  {
    name: '4. The same address again',
    description: 'What an error looks like: a code, a sentence, and what is wrong with which field.',
    request: 'POST /v1/collaborators',
    body: person,
    status: 400,
    test: ["pm.test('the address is taken', () => pm.expect(body.details.email[0].code).to.equal('taken'));"],
  },
  {
    name: '5. Change the person',
    description: 'Only what is sent is changed.',
    request: 'PATCH /v1/collaborators/{{collaborator_id}}',
    body: { location: 'Campinas' },
    status: 200,
    test: ["pm.test('the place is changed', () => pm.expect(body.location).to.equal('Campinas'));"],
  },
  {
    name: '6. Remove the person',
    description: 'Leaves everything as it was before.',
    request: 'DELETE /v1/collaborators/{{collaborator_id}}',
    status: 200,
    test: ["pm.test('the person is removed', () => pm.expect(body.deleted).to.equal(true));"],
  },
];

export const firstSteps = {
  name: 'Start here',
  description: 'Run this folder: it reads, adds, changes and removes a person, and checks every response.',
  item: steps.map(asItem),
};

function asItem({ name, description, request, query = {}, body, status, before, test }: Step): PostmanItem {
  const [method, path] = request.split(' ') as [string, string];
  const search = new URLSearchParams(query).toString();
  const header = [];
  if (path.startsWith('/v1')) header.push({ key: 'X-Company-Id', value: '{{company_id}}' });
  if (body) header.push({ key: 'Content-Type', value: 'application/json' });
  const check = [
    `pm.test('${status}', () => pm.response.to.have.status(${status}));`,
    'const body = pm.response.json();',
    ...test,
  ];
  return {
    name,
    event: [...(before ? [script('prerequest', before)] : []), script('test', check)],
    request: {
      method,
      url: {
        raw: `{{base_url}}${path}${search && `?${search}`}`,
        host: ['{{base_url}}'],
        path: path.slice(1).split('/'),
        query: Object.entries(query).map(([key, value]) => ({ key, value })),
        variable: [],
      },
      header,
      ...(body && {
        body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
      }),
      description,
    },
  };
}

function script<When extends 'prerequest' | 'test'>(listen: When, exec: string[]) {
  return { listen, script: { type: 'text/javascript' as const, exec } };
}
