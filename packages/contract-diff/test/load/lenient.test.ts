// Non-fatal problems of a document: it is compared, usually with a warning that has a location.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareContracts, type Result } from '../../src/verdict/compare-contracts.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-lenient-'));
});
afterAll(() => rm(folder, { recursive: true }));

const object = (maxLength: number) => ({ type: 'object', properties: { name: { type: 'string', maxLength } } });
const response = (schema: unknown) => ({ description: 'All.', content: { 'application/json': { schema } } });
const document = (operation: object, rest: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1.0.0' },
  paths: { '/things': { get: operation } },
  ...rest,
});
/** Two documents with the same problem that differ in one limit of a response. */
const pair = (build: (schema: unknown) => object): [object, object] => [build(object(5)), build(object(6))];

async function rulesAndWarnings(
  base: object,
  revised: object,
): Promise<Pick<Result, 'warnings'> & { rules: string[] }> {
  const { findings, warnings } = await compareContracts(base, revised);
  return { rules: findings.map(({ rule }) => rule), warnings };
}

describe('unusual documents', () => {
  test.each<[string, (schema: unknown) => object, RegExp]>([
    [
      'a response without a description',
      (schema) => document({ responses: { '200': { content: response(schema).content } } }),
      /^$/,
    ],
    [
      'an unknown member',
      (schema) => document({ responses: { '200': response(schema) }, responseTypes: 1 }),
      /^document:\d+: \/paths\/~1things\/get\/responseTypes `responseTypes` is not a member of an operation$/,
    ],
    [
      'a keyword value of the wrong type',
      (schema) => document({ responses: { '200': response({ ...(schema as object), required: true }) } }),
      /\/required must be a list of names, and is ignored$/,
    ],
    [
      'a path without a slash',
      (schema) => ({ ...document({}), paths: { things: { get: { responses: { '200': response(schema) } } } } }),
      /\/paths\/things `things` is not a path, which begins with "\/"$/,
    ],
    [
      'an example in a missing file',
      (schema) =>
        document(
          { responses: { '200': response(schema) } },
          { components: { examples: { one: { $ref: './not-there.json' } } } },
        ),
      /^document:\d+: there is no \.\/not-there\.json\.$/,
    ],
    [
      'a reference in place of an operation',
      (schema) => ({
        ...document({ $ref: '#/x-shared/list' }),
        'x-shared': { list: { responses: { '200': response(schema) } } },
      }),
      /^document:\d+: OpenAPI knows no `\$ref` in place of the operation; #\/x-shared\/list was read\.$/,
    ],
    [
      'a reference in place of the responses',
      (schema) => ({
        ...document({ responses: { $ref: '#/x-shared' } }),
        'x-shared': { '200': response(schema) },
      }),
      /OpenAPI knows no `\$ref` in place of the responses; #\/x-shared was read/,
    ],
    [
      'an unused schema that refers to itself',
      (schema) =>
        document(
          { responses: { '200': response(schema) } },
          { components: { schemas: { Self: { $ref: '#/components/schemas/Self' } } } },
        ),
      /^document:\d+: #\/components\/schemas\/Self leads back to itself; no operation needs it\.$/,
    ],
    [
      'an unused parameter with a broken reference',
      (schema) =>
        document(
          { responses: { '200': response(schema) } },
          { components: { parameters: { Stray: { $ref: '#/components/parameters/Gone' } } } },
        ),
      /^document:\d+: #\/components\/parameters\/Gone leads nowhere; no operation needs it\.$/,
    ],
    [
      'a discriminator with a broken mapping',
      (schema) =>
        document({
          responses: {
            '200': response({ ...(schema as object), discriminator: { propertyName: 'k', mapping: { a: 'a.b' } } }),
          },
        }),
      /there is no a\.b\.$/,
    ],
    [
      'the type `null` without quotes in YAML',
      (schema) => document({ responses: { '200': response({ allOf: [schema], type: ['object', null] }) } }),
      /\/type must be the name of a type/,
    ],
  ])('are compared despite %s', async (_, build, expectedWarning) => {
    const { rules, warnings } = await rulesAndWarnings(...pair(build));
    expect(rules).toEqual(['limit-loosened']);
    if (expectedWarning.source === '^$') expect(warnings).toEqual([]);
    else expect(warnings).toContainEqual(expect.stringMatching(expectedWarning));
  });

  /** Null from an empty YAML key, or the list that PHP writes for an empty object. */
  test.each<[string, (schema: unknown) => object, RegExp]>([
    [
      'paths',
      (schema) => ({
        ...document({}),
        info: { title: 'T', version: '1.0.0', 'x-webhook-payload-version': '1.0.0' },
        paths: null,
        webhooks: { w: { post: { requestBody: { content: response(schema).content } } } },
      }),
      /`paths` is null and is treated as empty\.$/,
    ],
    [
      'component responses',
      (schema) => ({
        ...document({ responses: { '200': response(schema) } }),
        components: { responses: null },
      }),
      /`responses` is null/,
    ],
    [
      'the responses of another operation',
      (schema) => {
        const one = document({ responses: { '200': response(schema) } });
        return { ...one, paths: { ...one.paths, '/others': { get: { responses: null } } } };
      },
      /`responses` is null/,
    ],
    ['parameters', (schema) => document({ parameters: null, responses: { '200': response(schema) } }), /`parameters`/],
    [
      'request body',
      (schema) => document({ requestBody: null, responses: { '200': response(schema) } }),
      /`requestBody`/,
    ],
    [
      'response',
      (schema) => document({ responses: { '200': response(schema), '404': null } }),
      /`404` is null and is treated as empty/,
    ],
    [
      'header',
      (schema) => document({ responses: { '200': { ...response(schema), headers: { 'x-a': null } } } }),
      /an entry of `headers` is empty/,
    ],
    [
      'property',
      (schema) => document({ responses: { '200': response({ allOf: [schema], properties: { a: null } }) } }),
      /an entry of `properties` is empty/,
    ],
    [
      'component',
      (schema) => document({ responses: { '200': response(schema) } }, { components: { schemas: { A: null } } }),
      /an entry of `schemas` is empty/,
    ],
    [
      'referenced component',
      (schema) =>
        document(
          { responses: { '200': response({ allOf: [schema, { $ref: '#/components/schemas/A' }] }) } },
          { components: { schemas: { A: null } } },
        ),
      /an entry of `schemas` is empty/,
    ],
    [
      'path item',
      (schema) => ({ ...document({}), paths: { '/a': null, '/b': { get: { responses: { 200: response(schema) } } } } }),
      /`\/a` is null and is treated as empty/,
    ],
    [
      'operation',
      (schema) => ({ ...document({}), paths: { '/b': { put: null, get: { responses: { 200: response(schema) } } } } }),
      /`put` is null/,
    ],
    [
      'entry of parameters',
      (schema) => document({ parameters: [null], responses: { '200': response(schema) } }),
      /an entry of `parameters` is null and is ignored/,
    ],
    [
      'alternative of anyOf',
      (schema) => document({ responses: { '200': response({ allOf: [schema], anyOf: [null, true] }) } }),
      /an entry of `anyOf` is null and is treated as an empty object/,
    ],
    [
      'type',
      (schema) => document({ responses: { '200': response({ allOf: [schema], type: null }) } }),
      /must be the name of a type/,
    ],
    ['tags', (schema) => document({ responses: { '200': response(schema) } }, { tags: null }), /`tags` is null/],
    [
      'properties, as an empty list',
      (schema) => document({ responses: { '200': response({ allOf: [schema], properties: [] }) } }),
      /`properties` is an empty list/,
    ],
    [
      'security, as an empty object',
      (schema) => document({ security: {}, responses: { '200': response(schema) } }),
      /`security` is an empty object/,
    ],
  ])('are compared, with a warning, despite an empty member: %s', async (_, build, expectedWarning) => {
    const { rules, warnings } = await rulesAndWarnings(...pair(build));
    expect(rules).toEqual(['limit-loosened']);
    expect(warnings).toContainEqual(expect.stringMatching(expectedWarning));
  });

  test('are equal if members are null or absent', async () => {
    const empty = {
      ...document({ parameters: null, requestBody: null, responses: null }),
      webhooks: null,
      components: { schemas: null },
    };
    const { findings } = await compareContracts(empty, document({}));
    expect(findings).toEqual([]);
    expect((await compareContracts(document({}), empty)).findings).toEqual([]);
  });

  test.each([
    ['3.1.0', { openapi: '3.1.0' }],
    ['3.0.3', { openapi: '3.0.3' }],
  ])('may have a list in `items`, which is read as a tuple, in OpenAPI %s', async (_, version) => {
    const tuple = (second: object, more?: object) => ({
      ...document({
        responses: {
          '200': response({
            type: 'array',
            items: [{ type: 'string' }, second],
            ...(more && { additionalItems: more }),
          }),
        },
      }),
      ...version,
    });
    const text = (maxLength: number) => ({ type: 'string', maxLength });
    const changed = await compareContracts(tuple(text(5)), tuple(text(8)));
    expect(changed.findings).toEqual([
      expect.objectContaining({
        rule: 'limit-loosened',
        level: 'major',
        pointer: '/paths/~1things/get/responses/200/content/application~1json/schema/items/1/maxLength',
      }),
    ]);
    expect(changed.warnings).toContainEqual(expect.stringMatching(/\/items is a list, as older drafts/));
    const { findings } = await compareContracts(tuple(text(5), text(5)), tuple(text(5), text(4)));
    expect(findings.map(({ rule, level }) => [rule, level])).toEqual([['limit-tightened', 'minor']]);
  });

  test('may have a version that is not semantic with `atMost`', async () => {
    const withDateVersion = (schema: unknown) => ({
      ...document({ responses: { '200': response(schema) } }),
      info: { title: 'T', version: '2024-05-01' },
    });
    const { ok, verdicts, warnings } = await compareContracts(withDateVersion(object(5)), withDateVersion(object(6)), {
      atMost: 'minor',
    });
    expect({ ok, required: verdicts.interface.required }).toEqual({ ok: false, required: 'major' });
    expect(warnings).toEqual([expect.stringMatching(/^document:\d+: \/info\/version `info\.version` is "2024-05-01"/)]);
  });
});

test('locates findings in referenced parameters in their own file', async () => {
  await mkdir(join(folder, 'parts'));
  const write = async (name: string, maximum: number) => {
    await writeFile(
      join(folder, 'parts', `${name}.yaml`),
      `common:\n  - name: limit\n    in: query\n    schema:\n      type: integer\n      maximum: ${maximum}\n`,
    );
    const file = join(folder, `${name}.json`);
    await writeFile(
      file,
      JSON.stringify(document({ parameters: { $ref: `parts/${name}.yaml#/common` }, responses: {} })),
    );
    return file;
  };
  const { findings } = await compareContracts(await write('base', 10), await write('revised', 9));
  expect(findings).toEqual([
    expect.objectContaining({ rule: 'limit-tightened', file: expect.stringMatching(/revised\.yaml$/), line: 6 }),
  ]);
});
