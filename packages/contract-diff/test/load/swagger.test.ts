// Swagger 2.0, converted to OpenAPI 3.0.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { CannotCompare } from '../../src/model/cannot-compare.ts';
import { compareContracts } from '../../src/verdict/compare-contracts.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-swagger-'));
});
afterAll(() => rm(folder, { recursive: true }));

const swagger = {
  swagger: '2.0',
  info: { title: 'Pets', version: '1.0.0' },
  host: 'example.test',
  basePath: '/v1',
  schemes: ['https'],
  consumes: ['application/json'],
  produces: ['application/json'],
  securityDefinitions: {
    key: { type: 'apiKey', name: 'X-Key', in: 'header' },
    login: {
      type: 'oauth2',
      flow: 'accessCode',
      authorizationUrl: 'https://example.test/a',
      tokenUrl: 'https://example.test/t',
      scopes: { read: 'Reads.' },
    },
    plain: { type: 'basic' },
  },
  security: [{ key: [] }],
  parameters: { limit: { name: 'limit', in: 'query', type: 'integer', maximum: 100 } },
  responses: { Gone: { description: 'Gone.', schema: { $ref: '#/definitions/Error' } } },
  paths: {
    '/pets': {
      parameters: [{ $ref: '#/parameters/limit' }],
      get: {
        operationId: 'listPets',
        parameters: [
          { name: 'tags', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
        ],
        responses: {
          '200': {
            description: 'All.',
            schema: { type: 'array', items: { $ref: '#/definitions/Pet' } },
            headers: { 'X-Total': { type: 'integer' } },
          },
          '410': { $ref: '#/responses/Gone' },
        },
      },
      post: {
        operationId: 'addPet',
        parameters: [{ name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
        responses: { '204': { description: 'Added.' } },
      },
    },
    '/photos': {
      post: {
        operationId: 'addPhoto',
        consumes: ['multipart/form-data'],
        parameters: [
          { name: 'photo', in: 'formData', type: 'file', required: true },
          { name: 'title', in: 'formData', type: 'string', maxLength: 50 },
        ],
        responses: { '204': { description: 'Added.' } },
      },
    },
  },
  definitions: {
    Pet: {
      type: 'object',
      discriminator: 'kind',
      required: ['kind'],
      properties: { kind: { type: 'string' }, name: { type: 'string', maxLength: 5, 'x-nullable': true } },
    },
    Error: { type: 'object', properties: { message: { type: 'string' } } },
  },
};

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } };
const openapi = {
  openapi: '3.0.3',
  info: swagger.info,
  servers: [{ url: 'https://example.test/v1' }],
  security: [{ key: [] }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [limit, { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } }],
        responses: {
          '200': {
            description: 'All.',
            ...json({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }),
            headers: { 'X-Total': { schema: { type: 'integer' } } },
          },
          '410': { description: 'Gone.', ...json({ $ref: '#/components/schemas/Error' }) },
        },
      },
      post: {
        operationId: 'addPet',
        parameters: [limit],
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/Pet' }) },
        responses: { '204': { description: 'Added.' } },
      },
    },
    '/photos': {
      post: {
        operationId: 'addPhoto',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['photo'],
                properties: { photo: { type: 'string', format: 'binary' }, title: { type: 'string', maxLength: 50 } },
              },
            },
          },
        },
        responses: { '204': { description: 'Added.' } },
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', name: 'X-Key', in: 'header' },
      login: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://example.test/a',
            tokenUrl: 'https://example.test/t',
            scopes: { read: 'Reads.' },
          },
        },
      },
      plain: { type: 'http', scheme: 'basic' },
    },
    schemas: {
      Pet: {
        type: 'object',
        discriminator: { propertyName: 'kind' },
        required: ['kind'],
        properties: { kind: { type: 'string' }, name: { type: 'string', maxLength: 5, nullable: true } },
      },
      Error: swagger.definitions.Error,
    },
  },
};

test('finds no difference between equivalent Swagger and OpenAPI 3.0 documents', async () => {
  for (const pair of [
    [swagger, openapi],
    [openapi, swagger],
    [swagger, swagger],
  ] as const) {
    const { findings, notes, warnings } = await compareContracts(pair[0], pair[1]);
    const others = notes.filter(({ rule }) => rule !== 'edit-without-effect');
    expect({ findings, others, warnings }).toEqual({ findings: [], others: [], warnings: [] });
  }
});

test('locates changes in the Swagger document', async () => {
  // Not structuredClone: its objects are from another realm in jest, which the YAML writer rejects.
  const changed = JSON.parse(JSON.stringify(swagger)) as typeof swagger;
  changed.definitions.Pet.properties.name.maxLength = 9;
  changed.parameters.limit.maximum = 50;
  changed.paths['/photos'].post.parameters[1]!.maxLength = 40;
  const write = async (name: string, value: unknown) => {
    const file = join(folder, name);
    await writeFile(file, dump(value));
    return file;
  };
  const [base, revised] = [await write('base.yaml', swagger), await write('revised.yaml', changed)];
  const lines = dump(changed).split('\n');
  const { findings } = await compareContracts(base, revised);
  const summaries = findings.map(({ rule, direction, line }) => `${rule} ${direction}: ${lines[line - 1]!.trim()}`);
  expect(new Set(summaries)).toEqual(
    new Set([
      'limit-loosened accept: maxLength: 9',
      'limit-loosened emit: maxLength: 9',
      'limit-tightened accept: maximum: 50',
      'limit-tightened accept: maxLength: 40',
    ]),
  );
  const ofSchema = findings.filter(({ pointer }) => pointer.startsWith('/definitions/Pet/'));
  expect(ofSchema.map(({ direction, operations }) => [direction, operations])).toEqual(
    expect.arrayContaining([
      ['accept', ['POST /pets (addPet)']],
      ['emit', ['GET /pets (listPets)']],
    ]),
  );
});

describe('a reference to another file', () => {
  const get = (parts: object) => ({ get: { responses: { '204': { description: 'Yes.' } }, ...parts } });
  /** Writes a document with one path, and the file that it refers to. */
  const write = async (name: string, pathItem: unknown, target: unknown) => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify({ ...swagger, paths: { '/pets': pathItem } }));
    await writeFile(join(folder, `${name}-part.json`), JSON.stringify(target));
    return file;
  };

  test.each<[string, string, (reference: object) => unknown, object]>([
    ['a path item', 'path', (reference) => reference, get({})],
    [
      'a parameter of a path item',
      'shared-parameter',
      (reference) => ({ parameters: [reference], ...get({}) }),
      swagger.parameters.limit,
    ],
    [
      'a parameter of an operation',
      'parameter',
      (reference) => get({ parameters: [reference] }),
      swagger.parameters.limit,
    ],
    ['a response', 'response', (reference) => get({ responses: { '410': reference } }), swagger.responses.Gone],
  ])('is rejected for %s', async (_, name, pathItemWith, target) => {
    const reference = { $ref: `./${name}-part.json` };
    const split = await write(name, pathItemWith(reference), target);
    const rejection = await compareContracts(split, swagger).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(CannotCompare);
    expect((rejection as CannotCompare).reasons).toEqual([
      expect.stringMatching(
        new RegExp(`${name}\\.json: ${reference.$ref}: of Swagger 2\\.0, only schemas may stand in other files\\.$`),
      ),
    ]);
    // The same document in one file is valid.
    const whole = await write(`${name}-whole`, pathItemWith(target), {});
    expect(await compareContracts(whole, whole)).toMatchObject({ ok: true, findings: [] });
  });

  test('is resolved for a schema', async () => {
    const answer = (reference: string) =>
      get({ responses: { '200': { description: 'All.', schema: { $ref: reference } } } });
    const base = await write('schema', answer('./schema-part.json#/Name'), { Name: { type: 'string', maxLength: 5 } });
    const revised = await write('longer', answer('./longer-part.json#/Name'), {
      Name: { type: 'string', maxLength: 9 },
    });
    expect((await compareContracts(base, revised)).findings).toEqual([
      expect.objectContaining({ rule: 'limit-loosened', file: expect.stringMatching(/longer-part\.json$/) }),
    ]);
  });
});
