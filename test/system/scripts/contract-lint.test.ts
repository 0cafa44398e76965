// Each rule of scripts/lint/contract fails on a document with one fault. Runs Redocly once, because its start is slow.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rules } from '../../../scripts/lint/contract/plugin.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const redocly = join(project, 'node_modules/@redocly/cli/bin/cli.js');

const seeds: Seed[] = [
  {
    rule: 'operation-id',
    violation: 'an operationId without a noun',
    plant: (document) => {
      document.paths['/v1/teams'].post.operationId = 'create';
    },
  },
  {
    rule: 'operation-id',
    violation: 'an operationId that is not camelCase',
    plant: (document) => {
      document.paths['/v1/teams'].post.operationId = 'create_team';
    },
  },
  {
    rule: 'operation-id',
    violation: 'no operationId',
    plant: (document) => {
      delete document.paths['/v1/teams'].post.operationId;
    },
  },
  {
    rule: 'operation-id',
    violation: 'an operationId used twice',
    plant: (document) => {
      document.paths['/v1/teams'].post.operationId = 'getTeam';
    },
  },
  {
    rule: 'one-tag',
    violation: 'two tags',
    plant: (document) => {
      document.paths['/v1/teams'].post.tags = ['teams', 'teams'];
    },
  },
  {
    rule: 'one-tag',
    violation: 'an undeclared tag',
    plant: (document) => {
      document.paths['/v1/teams'].post.tags = ['squads'];
    },
  },
  {
    rule: 'operation-prose',
    violation: 'no summary',
    plant: (document) => {
      delete document.paths['/v1/teams'].post.summary;
    },
  },
  {
    rule: 'operation-prose',
    violation: 'no description',
    plant: (document) => {
      document.paths['/v1/teams'].post.description = ' ';
    },
  },
  {
    rule: 'operation-prose',
    violation: 'a summary that ends like a sentence',
    plant: (document) => {
      document.paths['/v1/teams'].post.summary = 'Create a team.';
    },
  },
  ...['400', '401', '403', '406', '408', '409', '413', '414', '415', '422', '429', '431', '500', '503'].map(
    (status) => ({
      rule: 'error-responses' as const,
      violation: `no ${status} where there is a body`,
      plant: (document: Document) => {
        delete document.paths['/v1/teams'].post.responses[status];
      },
    }),
  ),
  {
    rule: 'error-responses',
    violation: 'no 404 where the path has an id',
    plant: (document) => {
      delete document.paths['/v1/teams/{id}'].get.responses['404'];
    },
  },
  {
    rule: 'error-responses',
    violation: 'no 412 where there is If-Match',
    plant: (document) => {
      document.paths['/v1/teams/{id}'].get.parameters = [{ $ref: '#/components/parameters/IfMatch' }];
      document.components.parameters.IfMatch = {
        name: 'If-Match',
        in: 'header',
        description: 'The version.',
        schema: { type: 'string', maxLength: 64 },
        example: '"7"',
      };
    },
  },
  {
    rule: 'idempotency-key',
    violation: 'a POST that cannot be repeated safely',
    plant: (document) => {
      document.paths['/v1/teams'].post.parameters = [];
    },
  },
  {
    rule: 'body-examples',
    violation: 'a request body without an example',
    plant: (document) => {
      delete document.paths['/v1/teams'].post.requestBody.content['application/json'].examples;
    },
  },
  {
    rule: 'body-examples',
    violation: 'a response body without an example',
    plant: (document) => {
      delete document.components.responses.Error.content['application/json'].examples;
    },
  },
  {
    rule: 'body-examples',
    violation: 'an example that breaks its schema',
    plant: (document) => {
      document.components.examples.NewTeam.value.name = 7;
    },
  },
  {
    rule: 'body-examples',
    violation: 'an example with a malformed date',
    plant: (document) => {
      document.components.examples.Team.value.created_at = 'yesterday';
    },
  },
  {
    rule: 'body-examples',
    violation: 'a schema that cannot be used',
    plant: (document) => {
      document.components.schemas.TeamCreate.properties.name.pattern = '(';
    },
  },
  {
    rule: 'parameter-examples',
    violation: 'a parameter without an example',
    plant: (document) => {
      delete document.components.parameters.TeamId.example;
    },
  },
  {
    rule: 'parameter-examples',
    violation: 'an example of a parameter that breaks its schema',
    plant: (document) => {
      document.components.parameters.TeamId.example = 'x'.repeat(65);
    },
  },
  {
    rule: 'bounds',
    violation: 'a string without maxLength',
    plant: (document) => {
      delete document.components.schemas.Team.properties.name.maxLength;
    },
  },
  {
    rule: 'bounds',
    violation: 'a nullable string without maxLength',
    plant: (document) => {
      delete document.components.schemas.Team.properties.motto.maxLength;
    },
  },
  {
    rule: 'bounds',
    violation: 'an array without maxItems',
    plant: (document) => {
      delete document.components.schemas.TeamCreate.properties.labels.maxItems;
    },
  },
  {
    rule: 'bounds',
    violation: 'a number without a maximum',
    plant: (document) => {
      delete document.components.schemas.TeamCreate.properties.size.maximum;
    },
  },
  {
    rule: 'bounds',
    violation: 'a number without a minimum',
    plant: (document) => {
      delete document.components.schemas.TeamCreate.properties.size.minimum;
    },
  },
  {
    rule: 'bounds',
    violation: 'a schema without a type',
    plant: (document) => {
      document.components.schemas.Team.properties.name = { description: 'Anything at all.' };
    },
  },
  {
    rule: 'closed-requests',
    violation: 'an open request object',
    plant: (document) => {
      delete document.components.schemas.TeamCreate.additionalProperties;
    },
  },
  {
    rule: 'closed-requests',
    violation: 'an open object deep in a request, behind a reference',
    plant: (document) => {
      document.components.schemas.Site = { type: 'object', properties: { open: { type: 'boolean' } } };
      document.components.schemas.TeamCreate.properties.sites = {
        type: 'array',
        maxItems: 5,
        items: { $ref: '#/components/schemas/Site' },
      };
    },
  },
  {
    rule: 'open-responses',
    violation: 'a closed response object',
    plant: (document) => {
      document.components.schemas.Team.additionalProperties = false;
    },
  },
  {
    rule: 'open-responses',
    violation: 'a closed webhook payload',
    plant: (document) => {
      document.components.schemas.TeamEvent.unevaluatedProperties = false;
    },
  },
  {
    rule: 'ref-siblings',
    violation: 'a description beside $ref',
    plant: (document) => {
      document.components.schemas.Team.properties.lead = {
        $ref: '#/components/schemas/Person',
        description: 'Who leads the team.',
      };
    },
  },
  {
    rule: 'operation-access',
    violation: 'no x-access under /v1',
    plant: (document) => {
      delete document.paths['/v1/teams'].post['x-access'];
    },
  },
  {
    rule: 'operation-access',
    violation: 'an unknown reach',
    plant: (document) => {
      document.paths['/v1/teams'].post['x-access'].manager = 'some';
    },
  },
  {
    rule: 'operation-access',
    violation: 'an unknown role',
    plant: (document) => {
      document.paths['/v1/teams'].post['x-access'].owner = 'all';
    },
  },
  {
    rule: 'operation-resource',
    violation: 'no x-resource where the path has an id',
    plant: (document) => {
      delete document.paths['/v1/teams/{id}'].get['x-resource'];
    },
  },
  {
    rule: 'operation-resource',
    violation: 'an unknown x-resource',
    plant: (document) => {
      document.paths['/v1/teams/{id}'].get['x-resource'] = 'team';
    },
  },
  {
    rule: 'operation-resource',
    violation: 'an x-resource where the path has no id',
    plant: (document) => {
      document.paths['/v1/teams'].post['x-resource'] = 'collaborator';
    },
  },
  {
    rule: 'field-access',
    violation: 'an unknown reach for a field',
    plant: (document) => {
      document.components.schemas.Team.properties.budget['x-read-access'].employee = 'own';
    },
  },
  {
    rule: 'field-access',
    violation: 'an undeclared scope for a field',
    plant: (document) => {
      document.components.schemas.Team.properties.budget['x-read-access'].scopes = ['budget:read'];
    },
  },
  {
    rule: 'field-access',
    violation: 'a field that can be hidden, but is required',
    plant: (document) => {
      document.components.schemas.Team.required.push('budget');
    },
  },
  {
    rule: 'field-access',
    violation: 'a reach for a value that the enum does not have',
    plant: (document) => {
      document.components.schemas.Kind = {
        type: 'string',
        enum: ['open'],
        'x-value-access': { secret: { admin: 'all', manager: 'self', employee: 'self' } },
      };
      document.components.schemas.Team.properties.kind = { $ref: '#/components/schemas/Kind' };
    },
  },
  {
    rule: 'field-access',
    violation: 'an unknown reach for a value',
    plant: (document) => {
      const access = { admin: 'all', manager: 'own', employee: 'self' };
      document.components.schemas.Kind = { type: 'string', enum: ['open'], 'x-value-access': { open: access } };
      document.components.schemas.Team.properties.kind = { $ref: '#/components/schemas/Kind' };
    },
  },
  {
    rule: 'clearable',
    violation: 'a field that can and cannot be cleared',
    plant: (document) => {
      document.components.schemas.TeamCreate.properties.name.type = ['string', 'null'];
    },
  },
  {
    rule: 'clearable',
    violation: 'an x-clearable that is not false',
    plant: (document) => {
      document.components.schemas.TeamCreate.properties.name['x-clearable'] = true;
    },
  },
  {
    rule: 'declared-scopes',
    violation: 'an undeclared scope',
    plant: (document) => {
      document.paths['/v1/teams'].post.security = [{ oauth2: ['teams:rule'] }];
    },
  },
  {
    rule: 'declared-scopes',
    violation: 'no scope',
    plant: (document) => {
      document.paths['/v1/teams'].post.security = [{ oauth2: [] }];
    },
  },
  {
    rule: 'named-bodies',
    violation: 'an inline body',
    plant: (document) => {
      document.paths['/v1/teams'].post.requestBody.content['application/json'].schema =
        document.components.schemas.TeamCreate;
    },
  },
  {
    rule: 'named-schemas',
    violation: 'an object within a schema',
    plant: (document) => {
      document.components.schemas.Team.properties.lead = document.components.schemas.Person;
    },
  },
  {
    rule: 'named-schemas',
    violation: 'a map within a list',
    plant: (document) => {
      const items = { type: 'object', additionalProperties: { type: 'boolean' } };
      document.components.schemas.Team.properties.shifts = { type: 'array', maxItems: 5, items };
    },
  },
  {
    rule: 'one-shape',
    violation: 'a choice between schemas',
    plant: (document) => {
      const choice = [{ $ref: '#/components/schemas/Person' }, { $ref: '#/components/schemas/TeamEvent' }];
      document.components.schemas.Team.properties.lead = { anyOf: [...choice, { type: 'null' }] };
    },
  },
  {
    rule: 'one-shape',
    violation: 'a schema that says what a value is not',
    plant: (document) => {
      document.components.schemas.Team.properties.lead = { 'x-any-value': true, not: { const: 1 } };
    },
  },
  {
    rule: 'unique-components',
    violation: 'a parameter with the name of a schema',
    plant: (document) => {
      document.components.parameters.Team = document.components.parameters.TeamId;
      document.paths['/v1/teams/{id}'].parameters = [{ $ref: '#/components/parameters/Team' }];
      delete document.components.parameters.TeamId;
    },
  },
  {
    rule: 'plain-names',
    violation: 'a schema with the name of a built-in type',
    plant: (document) => {
      document.components.schemas.Object = document.components.schemas.Person;
      document.components.schemas.Team.properties.lead = { $ref: '#/components/schemas/Object' };
      delete document.components.schemas.Person;
    },
  },
  {
    rule: 'number-formats',
    violation: 'a number without a format',
    plant: (document) => {
      delete document.components.schemas.Team.properties.budget.format;
    },
  },
  {
    rule: 'number-formats',
    violation: 'an integer that needs more than 32 bits',
    plant: (document) => {
      document.components.schemas.TeamCreate.properties.size.maximum = 3_000_000_000;
    },
  },
  {
    rule: 'plain-headers',
    violation: 'a header that is a UUID by its format',
    plant: (document) => {
      Object.assign(document.components.parameters.IdempotencyKey, {
        schema: { type: 'string', format: 'uuid', maxLength: 36 },
        example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      });
    },
  },
  {
    rule: 'plain-schemas',
    violation: 'a property name with a slash',
    plant: (document) => {
      document.components.schemas.Team.properties['a/b'] = { type: 'boolean' };
    },
  },
  {
    rule: 'plain-schemas',
    violation: 'an $id',
    plant: (document) => {
      document.components.schemas.Team.$id = 'https://verdelog.example/team';
    },
  },
  {
    rule: 'inline-webhooks',
    violation: 'a webhook that is a reference',
    plant: (document) => {
      document.components.pathItems = { TeamCreated: document.webhooks['team.created'] };
      document.webhooks['team.created'] = { $ref: '#/components/pathItems/TeamCreated' };
    },
  },
  {
    rule: 'inline-webhooks',
    violation: 'a webhook with another operationId',
    plant: (document) => {
      document.webhooks['team.created'].post.operationId = 'sendTeam';
    },
  },
  {
    rule: 'inline-webhooks',
    violation: 'a webhook without an operationId',
    plant: (document) => {
      delete document.webhooks['team.created'].post.operationId;
    },
  },
];

describe('the rules of the contract', () => {
  let found: Map<string, string[]>;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'contract-lint-'));
    try {
      const files = new Map([['sound', join(folder, 'sound.json')]]);
      await writeFile(join(folder, 'sound.json'), JSON.stringify(soundDocument()));
      for (const [index, seed] of seeds.entries()) {
        const document = soundDocument();
        seed.plant(document);
        const file = join(folder, `${index}.json`);
        await writeFile(file, JSON.stringify(document));
        files.set(name(seed), file);
      }
      found = await lint(files);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each(seeds.map((seed) => [name(seed), seed.rule]))('%s', (document, rule) => {
    const ownRules = found.get(document)?.filter((ruleId) => ruleId.startsWith('contract/'));
    expect([...new Set(ownRules)]).toEqual([`contract/${rule}`]);
  });

  it('find nothing in a sound document', () => {
    expect(found.get('sound')).toEqual([]);
  });

  it('have a test case each', () => {
    expect([...new Set(seeds.map((seed) => seed.rule))].sort()).toEqual(Object.keys(rules).sort());
  });
});

/** The ids of the broken rules by document name. */
async function lint(files: Map<string, string>): Promise<Map<string, string[]>> {
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    // No update check, no telemetry.
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const options = { cwd: project, maxBuffer: 64 * 1024 * 1024, env };
    const args = [redocly, 'lint', ...files.values(), '--format', 'json', '--max-problems', '1000'];
    // It exits with 1 on findings, which are expected here.
    execFile(process.execPath, args, options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
  // One JSON object per document, in the given order.
  const reports: Report[] = stdout.split(/(?<=^\})(?=\{)/m).map((text) => JSON.parse(text));
  if (reports.length !== files.size) throw new Error(`Redocly stopped early: ${stderr.slice(-2000)}`);
  return new Map([...files.keys()].map((file, index) => [file, reports[index]!.problems.map(({ ruleId }) => ruleId)]));
}

function name(seed: Seed): string {
  return `${seed.rule} finds ${seed.violation}`;
}

/** A small document that breaks no rule. */
function soundDocument(): Document {
  const json = (schema: string, example: string) => ({
    'application/json': {
      schema: { $ref: `#/components/schemas/${schema}` },
      examples: { example: { $ref: `#/components/examples/${example}` } },
    },
  });
  const errors = (...statuses: string[]) =>
    Object.fromEntries(statuses.map((status) => [status, { $ref: '#/components/responses/Error' }]));
  const everyV1 = ['400', '401', '403', '406', '408', '414', '429', '431', '500', '503'];
  return structuredClone({
    openapi: '3.1.0',
    info: { title: 'Teams', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [{ name: 'teams', description: 'Teams of people.' }],
    paths: {
      '/v1/teams': {
        post: {
          operationId: 'createTeam',
          tags: ['teams'],
          summary: 'Create a team',
          description: 'Creates a team.',
          security: [{ oauth2: ['teams:write'] }],
          'x-access': { admin: 'all', manager: 'none', employee: 'none' },
          parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
          requestBody: { required: true, content: json('TeamCreate', 'NewTeam') },
          responses: {
            '201': { description: 'Created.', content: json('Team', 'Team') },
            ...errors(...everyV1, '409', '413', '415', '422'),
          },
        },
      },
      '/v1/teams/{id}': {
        parameters: [{ $ref: '#/components/parameters/TeamId' }],
        get: {
          operationId: 'getTeam',
          tags: ['teams'],
          summary: 'Get a team',
          description: 'Returns a team.',
          security: [{ oauth2: ['teams:write'] }],
          'x-access': { admin: 'all', manager: 'team', employee: 'self' },
          'x-resource': 'collaborator',
          responses: {
            '200': { description: 'The team.', content: json('Team', 'Team') },
            ...errors(...everyV1, '404'),
          },
        },
      },
    },
    webhooks: {
      'team.created': {
        post: {
          operationId: 'onTeamCreated',
          tags: ['teams'],
          summary: 'A team was created',
          description: 'Sent once.',
          security: [],
          requestBody: { content: json('TeamEvent', 'TeamCreated') },
          responses: { '2XX': { description: 'Taken.' }, '4XX': { description: 'Refused.' } },
        },
      },
    },
    components: {
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: '/authorize',
              tokenUrl: '/token',
              scopes: { 'teams:write': 'Change teams.' },
            },
          },
        },
      },
      parameters: {
        TeamId: {
          name: 'id',
          in: 'path',
          required: true,
          description: 'The team.',
          schema: { type: 'string', maxLength: 64 },
          example: 'night-shift',
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Makes it safe to send the request again.',
          schema: { type: 'string', maxLength: 64 },
          example: 'k-1',
        },
      },
      responses: { Error: { description: 'It failed.', content: json('Failure', 'Failure') } },
      examples: {
        NewTeam: { value: { name: 'Night shift', size: 4, labels: ['depot'] } },
        Team: { value: { name: 'Night shift', motto: null, budget: 12.5, created_at: '2026-03-02T09:15:00.000Z' } },
        TeamCreated: { value: { event: 'team.created' } },
        Failure: { value: { message: 'It failed.' } },
      },
      schemas: {
        TeamCreate: {
          type: 'object',
          additionalProperties: false,
          required: ['name'],
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 50, 'x-clearable': false },
            size: { type: 'integer', minimum: 1, maximum: 99 },
            labels: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 20 } },
          },
        },
        Team: {
          type: 'object',
          required: ['name', 'motto', 'created_at'],
          properties: {
            name: { type: 'string', maxLength: 50 },
            motto: { type: ['string', 'null'], maxLength: 200 },
            lead: { $ref: '#/components/schemas/Person' },
            budget: {
              type: 'number',
              format: 'double',
              minimum: 0,
              maximum: 1000,
              'x-read-access': { scopes: [], admin: 'all', manager: 'team', employee: 'none' },
            },
            created_at: { type: 'string', format: 'date-time', maxLength: 24 },
          },
        },
        TeamEvent: {
          type: 'object',
          required: ['event'],
          properties: { event: { type: 'string', maxLength: 50 } },
        },
        Person: { type: 'object', properties: { name: { type: 'string', maxLength: 50 } } },
        Failure: {
          type: 'object',
          required: ['message'],
          properties: { message: { type: 'string', maxLength: 200 } },
        },
      },
    },
  });
}

type Seed = { rule: keyof typeof rules; violation: string; plant: (document: Document) => void };
// biome-ignore lint/suspicious/noExplicitAny: seeds break the document in ways its type would not allow.
type Document = any;
type Report = { problems: { ruleId: string }[] };
