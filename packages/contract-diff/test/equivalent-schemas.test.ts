// Schemas with other keywords and the same values, and breaks that no keyword shows by itself.
import type { Finding } from '../src/model/findings.ts';
import { compareValues } from './compare-values.ts';

const documentOf = (request: unknown, response: unknown) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets': {
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: request } } },
        responses: { '200': { description: 'Stored.', content: { 'application/json': { schema: response } } } },
      },
    },
  },
});

const sent = (schema: unknown) => documentOf(schema, {});
const returned = (schema: unknown) => documentOf({}, schema);

/** Levels of a change in a request and in a response. */
async function levelsOf(before: unknown, after: unknown): Promise<string[]> {
  const results = [
    await compareValues(sent(before), sent(after), { failOn: 'major' }),
    await compareValues(returned(before), returned(after), { failOn: 'major' }),
  ];
  return results.map(({ verdicts }) => verdicts.interface.required);
}

async function findingsOf(before: unknown, after: unknown): Promise<readonly Finding[]> {
  return (await compareValues(sent(before), sent(after), { failOn: 'major' })).findings;
}

const constantKind = (kind: string, more = {}) => ({
  required: ['kind'],
  properties: { kind: { const: kind } },
  ...more,
});

test.each([
  ['`oneOf` constants and an `enum`', { oneOf: [{ const: 'a' }, { const: 'b' }] }, { enum: ['b', 'a'] }],
  ['overlapping lists', { anyOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, { enum: ['a', 'b', 'c'] }],
  [
    'limits within alternatives and beside types',
    {
      oneOf: [
        { type: 'string', maxLength: 5 },
        { type: 'integer', minimum: 0 },
      ],
    },
    { type: ['string', 'integer'], maxLength: 5, minimum: 0 },
  ],
  ['a list without an excluded value', { enum: ['a', 'b'], not: { const: 'b' } }, { enum: ['a'] }],
  ['a range of integers and its values', { type: 'integer', minimum: 1, maximum: 3 }, { enum: [1, 2, 3] }],
  ['multiples of 1 and integers', { type: 'number', multipleOf: 1 }, { type: 'integer' }],
  ['`contains` and `minItems`', { type: 'array', contains: {} }, { type: 'array', minItems: 1 }],
  [
    'a closed tuple and a short list',
    { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    { type: 'array', items: { type: 'string' }, maxItems: 1 },
  ],
  [
    'a limit that a pattern has already',
    { type: 'string', pattern: '^[a-z]{2,4}$' },
    { type: 'string', pattern: '^[a-z]*$', minLength: 2, maxLength: 4 },
  ],
  [
    'a number of properties that `required` has already',
    { type: 'object', required: ['a', 'b'] },
    { type: 'object', required: ['a', 'b'], minProperties: 2 },
  ],
  [
    'patterns and rules for names',
    { type: 'object', patternProperties: { '^x': { type: 'string' } }, additionalProperties: false },
    { type: 'object', propertyNames: { pattern: '^x' }, additionalProperties: { type: 'string' } },
  ],
  [
    'a pattern for all names',
    { type: 'object', patternProperties: { '': { type: 'string' } } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  [
    'a type beside alternatives and within them',
    { type: 'object', oneOf: [constantKind('a'), constantKind('b')] },
    { oneOf: [constantKind('a', { type: 'object' }), constantKind('b', { type: 'object' })] },
  ],
  [
    'required properties beside alternatives and within them',
    {
      allOf: [
        { type: 'object', required: ['kind'] },
        { oneOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'b' } } }] },
      ],
    },
    { oneOf: [constantKind('a', { type: 'object' }), constantKind('b', { type: 'object' })] },
  ],
  [
    'a type of alternatives that reject other types anyway',
    { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  ],
])('%s are equivalent', async (_, before, after) => {
  expect(await levelsOf(before, after)).toEqual(['none', 'none']);
  expect(await levelsOf(after, before)).toEqual(['none', 'none']);
});

test('a keyword is no break if another one allowed no more', async () => {
  const [before, after] = [
    { type: 'string', pattern: '^.+$' },
    { type: 'string', minLength: 1 },
  ];
  expect(await levelsOf(before, after)).toEqual(['minor', 'major']);
  expect(await levelsOf(after, before)).toEqual(['major', 'minor']);
});

test('a type that moves into alternatives is no change beside an added alternative', async () => {
  const typed = (...kinds: string[]) => ({ oneOf: kinds.map((kind) => constantKind(kind, { type: 'object' })) });
  const findings = await findingsOf(
    { type: 'object', oneOf: [constantKind('a'), constantKind('b')] },
    typed('a', 'b', 'c'),
  );
  expect(findings.map(({ rule }) => rule)).toEqual(['alternative-added']);
});

test('a component that becomes an alternative is an addition even if its values were allowed', async () => {
  const withAlternatives = (...names: string[]) => ({
    ...sent({ anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) }),
    components: {
      schemas: { Pet: { type: 'object' }, Cat: { type: 'object', properties: { lives: { type: 'integer' } } } },
    },
  });
  const result = await compareValues(withAlternatives('Pet'), withAlternatives('Pet', 'Cat'), { failOn: 'major' });
  expect(result.verdicts.interface.required).toBe('minor');
});

describe('values of several `oneOf` alternatives', () => {
  const integers = { oneOf: [{ type: 'integer' }] };
  const overlapping = { oneOf: [{ type: 'integer' }, { type: 'number' }] };

  test('break requests', async () => {
    expect(await findingsOf(integers, overlapping)).toContainEqual(
      expect.objectContaining({
        rule: 'schema-changed',
        level: 'major',
        message: expect.stringContaining('values that several alternatives of `oneOf` allow now are rejected'),
      }),
    );
  });

  test('break clients that never got them', async () => {
    expect(await levelsOf(overlapping, integers)).toEqual(['major', 'major']);
  });

  test('are ignored for objects, which would have to mix their properties', async () => {
    const required = (...names: string[]) => ({ oneOf: names.map((name) => ({ type: 'object', required: [name] })) });
    const { verdicts } = await compareValues(sent(required('a')), sent(required('a', 'b')), { failOn: 'major' });
    expect(verdicts.interface.required).toBe('minor');
  });
});

test('a schema without any value has a type in messages', async () => {
  const [finding] = await findingsOf({ type: 'string' }, { not: {} });
  expect(finding!.message).toContain('the type changed from string to nothing');
});

test('`format: byte` of OpenAPI 3.0 is `contentEncoding: base64` of 3.1', async () => {
  const before = { ...returned({ type: 'string', format: 'byte' }), openapi: '3.0.3' };
  const encoded = (contentEncoding: string) => returned({ type: 'string', contentEncoding });
  const required = async (base: unknown, revised: unknown) =>
    (await compareValues(base, revised, { failOn: 'major' })).findings.map(({ rule }) => rule);
  expect(await required(before, encoded('base64'))).toEqual([]);
  expect(await required(encoded('base64'), before)).toEqual([]);
  expect(await required(before, encoded('base32'))).toEqual(['format-changed']);
});

test('`explode` matters only for lists and objects', async () => {
  const withParameter = (type: string, more = {}) => ({
    ...documentOf({}, {}),
    paths: {
      '/pets': {
        get: {
          parameters: [{ name: 'q', in: 'query', schema: { type }, ...more }],
          responses: { '204': { description: 'Nothing.' } },
        },
      },
    },
  });
  const levelOf = async (type: string) => {
    const result = await compareValues(withParameter(type), withParameter(type, { explode: false }), {
      failOn: 'major',
    });
    return result.verdicts.interface.required;
  };
  expect([await levelOf('string'), await levelOf('array')]).toEqual(['none', 'major']);
});
