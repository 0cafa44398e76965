// Details of findings besides the level: their number, witnesses, and renames.
import { differOnlyInSpelling } from '../src/compare/rename.ts';
import type { Finding } from '../src/model/findings.ts';
import { absent, type Edit, list, schemas } from './cases/case.ts';
import { documentsOf } from './cases/mutate.ts';
import { compareValues } from './compare-values.ts';

const responsePath = `${schemas}/Collaborator/properties`;

async function found(...edits: Edit[]): Promise<readonly Finding[]> {
  const nothing = { rule: 'none', interface: 'none', webhook_payload: 'none' } as const;
  const [base, revised] = documentsOf({ name: '', edits, expected: nothing, reverse: nothing });
  return (await compareValues(base, revised, { today: '2027-01-31' })).findings;
}
const rulesOf = (findings: readonly Finding[]) => findings.map(({ rule }) => rule).sort();

describe('values of a list', () => {
  test('that are added together are one finding, with a witness for each', async () => {
    const findings = await found({ at: `${responsePath}/role/enum`, before: ['a'], after: ['a', 'b', 'c'] });
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
  ])('the only one of which is replaced are one finding: %j to %j', async (before, after) => {
    const findings = await found({ at: `${responsePath}/kind`, before, after });
    expect(findings).toEqual([
      expect.objectContaining({ rule: 'constant-changed', before: 'a', after: 'b', level: 'major', witness: 'b' }),
    ]);
  });

  test('one of which is replaced are two findings, of one place each', async () => {
    const findings = await found({ at: `${responsePath}/role/enum`, before: ['a', 'b'], after: ['a', 'c'] });
    expect(findings.map(({ rule, before, after }) => [rule, before, after])).toEqual([
      ['enum-value-added', null, ['c']],
      ['enum-value-removed', ['b'], null],
    ]);
  });

  test('of a server variable and of a discriminator are one finding each', async () => {
    const server = (values: string[]) => ({
      url: 'https://{r}.x.test',
      variables: { r: { default: 'a', enum: values } },
    });
    const servers = await found({ at: '/servers/0', before: server(['a']), after: server(['a', 'b', 'c']) });
    expect(servers).toEqual([expect.objectContaining({ rule: 'server-added', after: ['b', 'c'] })]);
    const call = '#/components/schemas/Call';
    const mapping = {
      at: `${schemas}/Contact/discriminator/mapping`,
      before: { call },
      after: { call, ring: call, bell: call },
    };
    const kinds = await found(mapping);
    expect(new Set(rulesOf(kinds))).toEqual(new Set(['discriminator-value-added']));
    expect(kinds[0]?.message).toContain('values `ring`, `bell` were added');
  });

  test('of an extensible list are one finding', async () => {
    const findings = await found({
      at: `${responsePath}/kind/x-extensible-enum`,
      before: ['a'],
      after: ['a', 'b', 'c'],
    });
    expect(findings).toEqual([expect.objectContaining({ rule: 'extensible-value-added', after: ['b', 'c'] })]);
  });
});

describe('a rename', () => {
  const swapped = (from: string, to: string, before: object, after: object = before) =>
    found(
      { at: `${responsePath}/${from}`, before: { type: 'string', ...before }, after: absent },
      { at: `${responsePath}/${to}`, before: absent, after: { type: 'string', ...after } },
    );
  const words = { description: 'Where the parcels are sent to.' };

  test.each<[string, string, object, object?]>([
    ['homeTown', 'home_town', {}],
    ['colour', 'color', {}],
    ['hobby', 'hobbys', {}],
    ['address_line', 'addres_line', {}],
    ['place', 'destination', words],
    ['state_of_work', 'activity', { enum: ['here', 'gone'] }],
    ['place', 'destination', { examples: ['Rua Augusta 5'] }],
    ['place', 'destination', {}, { 'x-renamed-from': 'place' }],
  ])('%s is %s now', async (from, to, before, after = before) => {
    expect(rulesOf(await swapped(from, to, before, after))).toEqual(['property-renamed']);
  });

  test.each<[string, string, object, object?]>([
    ['mail_address', 'zip', {}],
    ['height', 'weight', {}],
    ['first_word', 'last_word', {}],
    ['line1', 'line2', {}],
    ['created_on', 'updated_on', { description: 'When.' }],
    ['minimum_pay', 'maximum_pay', {}],
    ['place', 'destination', words, { description: 'How somebody wants to be called by others.' }],
    ['colour', 'color', words, { description: 'Which paint somebody likes best of all.' }],
    ['home', 'work', { examples: ['a'] }],
  ])('%s is not %s', async (from, to, before, after = before) => {
    const findings = await swapped(from, to, before, after);
    expect(rulesOf(findings)).toEqual(['property-added', 'property-removed']);
  });

  test('needs more than words that unchanged schemas share', async () => {
    const grant = (thing: string) => ({
      description: `The level of permission to manage ${thing}.`,
      enum: ['read', 'write'],
    });
    const findings = await found(
      {
        at: `${responsePath}/issues`,
        before: { type: 'string', ...grant('issues') },
        after: { type: 'string', ...grant('issues') },
      },
      { at: `${responsePath}/talks`, before: { type: 'string', ...grant('talks') }, after: absent },
      { at: `${responsePath}/quality`, before: absent, after: { type: 'string', ...grant('quality') } },
    );
    expect(rulesOf(findings)).toEqual(['property-added', 'property-removed']);
  });

  test('that only perhaps is one is a hint', async () => {
    const findings = await swapped('first_word', 'last_word', {});
    expect(findings[0]?.message).toMatch(/first_word: was removed \(perhaps renamed to `last_word`\)$/);
    const [other] = await swapped('mail_address', 'zip', {}, { type: 'integer' });
    expect(other?.message).toMatch(/was removed$/);
  });

  test.each([
    ['firstName', 'first_name', true],
    ['receive_at', 'recieve_at', true],
    ['user', 'users', true],
    ['id', 'if', false],
    ['input', 'output', false],
    ['v1_name', 'v2_name', false],
  ])('%s and %s are spelled alike: %s', (a, b, alike) => {
    expect(differOnlyInSpelling(a, b)).toBe(alike);
    expect(differOnlyInSpelling(b, a)).toBe(alike);
  });

  const removal = (thing: string) => ({
    summary: `Remove a ${thing}`,
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { '204': { description: 'Gone.' } },
  });
  test('of operations is not assumed for two similar ones', async () => {
    const findings = await found(
      { at: '/paths/~1cats~1{id}', before: { delete: removal('cat') }, after: absent },
      { at: '/paths/~1dogs~1{id}', before: absent, after: { delete: removal('dog') } },
    );
    expect(rulesOf(findings)).toEqual(['operation-added', 'operation-removed']);
  });
});

test.each<[string, string, unknown, unknown, string[]]>([
  ['anything becomes a text', `${responsePath}/nickname`, {}, { type: 'string' }, ['type-narrowed']],
  [
    'properties move into alternatives',
    `${responsePath}/contact`,
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
    { oneOf: [{ required: ['a'], properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }] },
    ['schema-changed', 'type-widened'],
  ],
  [
    'anything becomes one of some texts',
    `${responsePath}/nickname`,
    {},
    { type: 'string', maxLength: 5, enum: ['a', 'b'] },
    ['type-narrowed'],
  ],
  [
    'a closed object becomes anything',
    `${responsePath}/nickname`,
    { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
    {},
    ['type-widened'],
  ],
  [
    'an alternative of another type goes',
    `${responsePath}/contact`,
    { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] },
    { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
    ['alternative-removed'],
  ],
  [
    'an alternative of another type comes',
    `${responsePath}/contact`,
    { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] },
    ['alternative-added'],
  ],
  [
    'null is no alternative anymore',
    `${responsePath}/contact`,
    { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    ['null-refused'],
  ],
  [
    'a type becomes one of several',
    `${responsePath}/contact`,
    { type: 'string' },
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    ['type-widened'],
  ],
  [
    'one of several types becomes the only one',
    `${responsePath}/contact`,
    { oneOf: [{ type: 'string' }, { type: 'object' }] },
    { type: 'string' },
    ['type-narrowed'],
  ],
  [
    'the type beside alternatives narrows them',
    `${responsePath}/contact`,
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    { type: 'string', anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ['type-narrowed'],
  ],
])('%s: one finding for one cause', async (_, at, before, after, rules) => {
  expect(rulesOf(await found({ at, before, after }))).toEqual(rules);
});

test('a success that is added beside a response to errors is one finding', async () => {
  const response = (schema: object) => ({ description: 'A.', content: { 'application/json': { schema } } });
  const failure = response({ type: 'object', properties: { error: { type: 'string' } } });
  const done = response({ type: 'object', properties: { id: { type: 'string' } } });
  const responses = { '200': done, default: failure };
  const at = `${list}/responses`;
  expect(rulesOf(await found({ at, before: responses, after: { ...responses, '201': done } }))).toEqual([
    'success-status-added',
  ]);
  // If no other status is declared, `default` is the success response.
  const all = await found({ at, before: { default: failure }, after: { default: failure, '200': done } });
  expect(rulesOf(all)).toEqual(['property-added', 'property-removed', 'success-status-added']);
});

test('an alternative that comes with its value of a discriminator is one finding', async () => {
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
  expect(rulesOf(await found(...parts, { at: `${responsePath}/pet`, before: two, after: three }))).toEqual([
    'alternative-added',
  ]);
  expect(rulesOf(await found(...parts, { at: `${responsePath}/pet`, before: three, after: two }))).toEqual([
    'alternative-removed',
  ]);
});

test('a default in a shared schema counts where something can be left out', async () => {
  const status = `${schemas}/Status/default`;
  expect(rulesOf(await found({ at: status, before: 'pending', after: 'active' }))).toEqual([
    'default-changed',
    'default-hint-changed',
    'default-hint-changed',
  ]);
});
