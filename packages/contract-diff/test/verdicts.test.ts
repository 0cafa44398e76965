// Number of findings, witnesses, and renames.
import { differOnlyInSpelling } from '../src/compare/rename.ts';
import type { Finding } from '../src/model/findings.ts';
import { absent, type Edit, list, schemas } from './cases/case.ts';
import { documentsOf } from './cases/mutate.ts';
import { compareValues } from './compare-values.ts';

const responseProperties = `${schemas}/Collaborator/properties`;

async function findingsOf(...edits: Edit[]): Promise<readonly Finding[]> {
  const noFindings = { rule: 'none', interface: 'none', webhook_payload: 'none' } as const;
  const [base, revised] = documentsOf({ name: '', edits, expected: noFindings, reverse: noFindings });
  return (await compareValues(base, revised, { today: '2027-01-31' })).findings;
}
const rulesOf = (findings: readonly Finding[]) => findings.map(({ rule }) => rule).sort();

describe('values of an enum', () => {
  test('cause one finding if they are added together, with a witness for each', async () => {
    const findings = await findingsOf({ at: `${responseProperties}/role/enum`, before: ['a'], after: ['a', 'b', 'c'] });
    expect(findings).toEqual([
      expect.objectContaining({ rule: 'enum-value-added', before: null, after: ['b', 'c'], witness: 'b' }),
    ]);
    expect(findings[0]?.witnesses).toEqual(['b', 'c']);
    expect(findings[0]?.message).toContain('the values "b", "c" were added');
  });

  test.each([
    [{ const: 'a' }, { const: 'b' }],
    [{ const: 'a' }, { type: 'string', enum: ['b'] }],
    [
      { type: ['string', 'null'], enum: ['a', null] },
      { type: ['string', 'null'], enum: ['b', null] },
    ],
  ])('cause one finding if the only value is replaced: %j to %j', async (before, after) => {
    const findings = await findingsOf({ at: `${responseProperties}/kind`, before, after });
    expect(findings).toEqual([
      expect.objectContaining({ rule: 'constant-changed', before: 'a', after: 'b', level: 'major', witness: 'b' }),
    ]);
  });

  test('cause two findings if one of several values is replaced', async () => {
    const findings = await findingsOf({ at: `${responseProperties}/role/enum`, before: ['a', 'b'], after: ['a', 'c'] });
    expect(findings.map(({ rule, before, after }) => [rule, before, after])).toEqual([
      ['enum-value-added', null, ['c']],
      ['enum-value-removed', ['b'], null],
    ]);
  });

  test('are grouped if added to a server variable or a discriminator', async () => {
    const server = (values: string[]) => ({
      url: 'https://{r}.x.test',
      variables: { r: { default: 'a', enum: values } },
    });
    const servers = await findingsOf({ at: '/servers/0', before: server(['a']), after: server(['a', 'b', 'c']) });
    expect(servers).toEqual([expect.objectContaining({ rule: 'server-added', after: ['b', 'c'] })]);
    const call = '#/components/schemas/Call';
    const mapping = {
      at: `${schemas}/Contact/discriminator/mapping`,
      before: { call },
      after: { call, ring: call, bell: call },
    };
    // The schema is in responses and requests: one finding for each.
    const message = expect.stringContaining('values `ring`, `bell` were added');
    expect(await findingsOf(mapping)).toEqual([
      expect.objectContaining({ rule: 'discriminator-value-added', direction: 'emit', level: 'major', message }),
      expect.objectContaining({ rule: 'discriminator-value-added', direction: 'accept', level: 'minor', message }),
    ]);
  });

  test('cause one finding in an extensible enum', async () => {
    const findings = await findingsOf({
      at: `${responseProperties}/kind/x-extensible-enum`,
      before: ['a'],
      after: ['a', 'b', 'c'],
    });
    expect(findings).toEqual([expect.objectContaining({ rule: 'extensible-value-added', after: ['b', 'c'] })]);
  });
});

describe('rename', () => {
  const renameProperty = (from: string, to: string, before: object, after: object = before) =>
    findingsOf(
      { at: `${responseProperties}/${from}`, before: { type: 'string', ...before }, after: absent },
      { at: `${responseProperties}/${to}`, before: absent, after: { type: 'string', ...after } },
    );
  const described = { description: 'Where the parcels are sent to.' };

  test.each<[string, string, object, object?]>([
    ['homeTown', 'home_town', {}],
    ['colour', 'color', {}],
    ['hobby', 'hobbys', {}],
    ['address_line', 'addres_line', {}],
    ['place', 'destination', described],
    ['state_of_work', 'activity', { enum: ['here', 'gone'] }],
    ['place', 'destination', { examples: ['Rua Augusta 5'] }],
    ['place', 'destination', {}, { 'x-renamed-from': 'place' }],
  ])('is detected from %s to %s, with %j', async (from, to, before, after = before) => {
    expect(rulesOf(await renameProperty(from, to, before, after))).toEqual(['property-renamed']);
  });

  test.each<[string, string, object, object?]>([
    ['mail_address', 'zip', {}],
    ['height', 'weight', {}],
    ['first_word', 'last_word', {}],
    ['line1', 'line2', {}],
    ['created_on', 'updated_on', { description: 'When.' }],
    ['minimum_pay', 'maximum_pay', {}],
    ['place', 'destination', described, { description: 'How somebody wants to be called by others.' }],
    ['colour', 'color', described, { description: 'Which paint somebody likes best of all.' }],
    ['home', 'work', { examples: ['a'] }],
  ])('is not detected from %s to %s', async (from, to, before, after = before) => {
    const findings = await renameProperty(from, to, before, after);
    expect(rulesOf(findings)).toEqual(['property-added', 'property-removed']);
  });

  test('is not detected if unchanged schemas are equally similar', async () => {
    const grant = (thing: string) => ({
      description: `The level of permission to manage ${thing}.`,
      enum: ['read', 'write'],
    });
    const findings = await findingsOf(
      {
        at: `${responseProperties}/issues`,
        before: { type: 'string', ...grant('issues') },
        after: { type: 'string', ...grant('issues') },
      },
      { at: `${responseProperties}/talks`, before: { type: 'string', ...grant('talks') }, after: absent },
      { at: `${responseProperties}/quality`, before: absent, after: { type: 'string', ...grant('quality') } },
    );
    expect(rulesOf(findings)).toEqual(['property-added', 'property-removed']);
  });

  test('is suggested in the message if it is uncertain', async () => {
    const findings = await renameProperty('first_word', 'last_word', {});
    expect(findings[0]?.message).toMatch(/first_word: was removed \(perhaps renamed to `last_word`\)$/);
    const [other] = await renameProperty('mail_address', 'zip', {}, { type: 'integer' });
    expect(other?.message).toMatch(/was removed$/);
  });

  test.each([
    ['firstName', 'first_name', true],
    ['receive_at', 'recieve_at', true],
    ['user', 'users', true],
    ['id', 'if', false],
    ['input', 'output', false],
    ['v1_name', 'v2_name', false],
  ])('treats %s and %s as spelling variants: %s', (a, b, areVariants) => {
    expect(differOnlyInSpelling(a, b)).toBe(areVariants);
    expect(differOnlyInSpelling(b, a)).toBe(areVariants);
  });

  const removal = (thing: string) => ({
    summary: `Remove a ${thing}`,
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { '204': { description: 'Gone.' } },
  });
  test('is not detected between two similar operations', async () => {
    const findings = await findingsOf(
      { at: '/paths/~1cats~1{id}', before: { delete: removal('cat') }, after: absent },
      { at: '/paths/~1dogs~1{id}', before: absent, after: { delete: removal('dog') } },
    );
    expect(rulesOf(findings)).toEqual(['operation-added', 'operation-removed']);
  });
});

test.each<[string, string, unknown, unknown, string]>([
  [
    'an unrestricted schema becomes a string',
    `${responseProperties}/nickname`,
    {},
    { type: 'string' },
    'type-narrowed',
  ],
  [
    'properties move into alternatives',
    `${responseProperties}/contact`,
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'string' } } },
      ],
    },
    'schema-changed',
  ],
  [
    'an unrestricted schema becomes an enum of strings',
    `${responseProperties}/nickname`,
    {},
    { type: 'string', maxLength: 5, enum: ['a', 'b'] },
    'type-narrowed',
  ],
  [
    'a closed object becomes unrestricted',
    `${responseProperties}/nickname`,
    { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
    {},
    'type-widened',
  ],
  [
    'an alternative of another type is removed',
    `${responseProperties}/contact`,
    { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] },
    { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
    'alternative-removed',
  ],
  [
    'an alternative of another type is added',
    `${responseProperties}/contact`,
    { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] },
    'alternative-added',
  ],
  [
    'the alternative null is removed',
    `${responseProperties}/contact`,
    { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    'null-refused',
  ],
  [
    'a type becomes one of several alternatives',
    `${responseProperties}/contact`,
    { type: 'string' },
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    'type-widened',
  ],
  [
    'one of several alternatives becomes the only type',
    `${responseProperties}/contact`,
    { oneOf: [{ type: 'string' }, { type: 'object' }] },
    { type: 'string' },
    'type-narrowed',
  ],
  [
    'a type next to alternatives narrows them',
    `${responseProperties}/contact`,
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    { type: 'string', anyOf: [{ type: 'string' }, { type: 'integer' }] },
    'type-narrowed',
  ],
])('reports only the cause: %s', async (_, at, before, after, rule) => {
  expect(rulesOf(await findingsOf({ at, before, after }))).toEqual([rule]);
});

test.each([
  // Other types are valid in both alternatives, so `oneOf` rejects them.
  ['oneOf', ['schema-changed']],
  ['anyOf', ['schema-changed', 'type-widened']],
])('reports a removed type only if added `%s` alternatives allow other types', async (keyword, rules) => {
  const [a, b] = ['a', 'b'].map((name) => ({ required: [name], properties: { [name]: { type: 'string' } } }));
  const before = { type: 'object', properties: { ...a!.properties, ...b!.properties } };
  const findings = await findingsOf({ at: `${responseProperties}/contact`, before, after: { [keyword]: [a, b] } });
  expect(rulesOf(findings)).toEqual(rules);
});

test('reports an added success status next to a default error response as one finding', async () => {
  const response = (schema: object) => ({ description: 'A.', content: { 'application/json': { schema } } });
  const failure = response({ type: 'object', properties: { error: { type: 'string' } } });
  const done = response({ type: 'object', properties: { id: { type: 'string' } } });
  const responses = { '200': done, default: failure };
  const at = `${list}/responses`;
  expect(rulesOf(await findingsOf({ at, before: responses, after: { ...responses, '201': done } }))).toEqual([
    'success-status-added',
  ]);
  // If no other status is declared, `default` is the success response.
  const all = await findingsOf({ at, before: { default: failure }, after: { default: failure, '200': done } });
  expect(rulesOf(all)).toEqual(['property-added', 'property-removed', 'success-status-added']);
});

test('reports an alternative and its discriminator value as one finding', async () => {
  const kind = (name: string) => ({ type: 'object', required: ['k'], properties: { k: { const: name } } });
  const choice = (...names: string[]) => ({
    oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
    discriminator: {
      propertyName: 'k',
      mapping: Object.fromEntries(names.map((name) => [name.toLowerCase(), `#/components/schemas/${name}`])),
    },
  });
  const parts = ['Cat', 'Dog', 'Cow'].map((name) => {
    const schema = kind(name.toLowerCase());
    return { at: `${schemas}/${name}`, before: schema, after: schema };
  });
  const [two, three] = [choice('Cat', 'Dog'), choice('Cat', 'Dog', 'Cow')];
  expect(rulesOf(await findingsOf(...parts, { at: `${responseProperties}/pet`, before: two, after: three }))).toEqual([
    'alternative-added',
  ]);
  expect(rulesOf(await findingsOf(...parts, { at: `${responseProperties}/pet`, before: three, after: two }))).toEqual([
    'alternative-removed',
  ]);
});

test('distinguishes effective and unused defaults of a shared schema', async () => {
  const status = `${schemas}/Status/default`;
  expect(rulesOf(await findingsOf({ at: status, before: 'pending', after: 'active' }))).toEqual([
    'default-changed',
    'default-hint-changed',
    'default-hint-changed',
  ]);
});
