// Every keyword in both directions: loosening is accepted, tightening is rejected with a valid witness.

import { checkSubset, locationOf, validator, witnessOf } from './validators.ts';

const text = { type: 'string' };
const cat = { type: 'object', required: ['kind'], properties: { kind: { const: 'cat' }, lives: { type: 'integer' } } };
const dog = { type: 'object', required: ['kind'], properties: { kind: { const: 'dog' }, tricks: { type: 'integer' } } };
const snail = { type: 'object', required: ['kind'], properties: { kind: { const: 'snail' } } };

const pairs: [keyword: string, narrower: unknown, wider: unknown][] = [
  ['type', { type: 'integer' }, { type: 'number' }],
  ['type', text, { type: ['string', 'integer'] }],
  ['type', text, {}],
  ['enum', { enum: ['a'] }, { enum: ['a', 'b', 3] }],
  ['enum', { enum: ['a', 'b'] }, text],
  ['enum', { type: 'integer', minimum: 1, maximum: 4 }, { enum: [1, 2, 3, 4, 5] }],
  ['enum', { type: 'boolean' }, { enum: [true, false, null] }],
  ['const', { const: { a: [1] } }, { enum: [{ a: [1] }, 2] }],
  ['null', text, { type: ['string', 'null'] }],
  ['null', { enum: ['a'] }, { enum: ['a', null] }],
  ['null', text, { oneOf: [text, { type: 'null' }] }],
  ['required', { type: 'object', required: ['a', 'b'] }, { type: 'object', required: ['a'] }],
  ['properties', { properties: { a: { maxLength: 3 } } }, { properties: { a: { maxLength: 4 } } }],
  ['properties', { type: 'object', properties: { a: { properties: { b: text } } } }, { type: 'object' }],
  ['additionalProperties', { properties: { a: text }, additionalProperties: false }, { properties: { a: text } }],
  ['additionalProperties', { additionalProperties: { type: 'integer' } }, { additionalProperties: { type: 'number' } }],
  ['patternProperties', { patternProperties: { '^x-': text } }, { patternProperties: { '^x-': {} } }],
  ['patternProperties', { patternProperties: { '^x': text } }, { patternProperties: { '^x-': text } }],
  ['propertyNames', { propertyNames: { pattern: '^[a-z]{1,3}$' } }, { propertyNames: { pattern: '^[a-z]+$' } }],
  ['propertyNames', { propertyNames: { enum: ['a'] } }, { propertyNames: { enum: ['a', 'b'] } }],
  ['minProperties', { type: 'object', minProperties: 2 }, { type: 'object', minProperties: 1 }],
  ['maxProperties', { type: 'object', maxProperties: 1 }, { type: 'object', maxProperties: 2 }],
  [
    'dependentRequired',
    { type: 'object', dependentRequired: { a: ['b', 'c'] } },
    { type: 'object', dependentRequired: { a: ['b'] } },
  ],
  [
    'dependentSchemas',
    { dependentSchemas: { a: { required: ['b'] } } },
    { type: ['object', 'string', 'number', 'array', 'boolean', 'null'] },
  ],
  ['items', { type: 'array', items: { type: 'integer' } }, { type: 'array', items: { type: 'number' } }],
  ['prefixItems', { type: 'array', prefixItems: [text, text] }, { type: 'array', prefixItems: [text] }],
  ['prefixItems', { type: 'array', prefixItems: [text], items: false }, { type: 'array', items: text }],
  ['contains', { type: 'array', contains: { const: 1 } }, { type: 'array', contains: { type: 'integer' } }],
  ['minContains', { type: 'array', contains: { const: 1 }, minContains: 2 }, { type: 'array', contains: { const: 1 } }],
  ['maxContains', { type: 'array', contains: text, maxContains: 1 }, { type: 'array', contains: text, maxContains: 2 }],
  ['minItems', { type: 'array', minItems: 2 }, { type: 'array', minItems: 1 }],
  ['maxItems', { type: 'array', maxItems: 2 }, { type: 'array', maxItems: 3 }],
  ['uniqueItems', { type: 'array', uniqueItems: true }, { type: 'array' }],
  ['minimum', { type: 'number', minimum: 1 }, { type: 'number', minimum: 0 }],
  ['maximum', { type: 'integer', maximum: 9 }, { type: 'integer', maximum: 10 }],
  ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 0 }],
  ['exclusiveMaximum', { type: 'number', exclusiveMaximum: 1 }, { type: 'number', maximum: 1 }],
  ['multipleOf', { type: 'number', multipleOf: 0.05 }, { type: 'number', multipleOf: 0.01 }],
  ['multipleOf', { type: 'integer', multipleOf: 6 }, { type: 'integer', multipleOf: 3 }],
  ['minLength', { type: 'string', minLength: 2 }, { type: 'string', minLength: 1 }],
  ['maxLength', { type: 'string', maxLength: 200 }, { type: 'string', maxLength: 201 }],
  ['pattern', { type: 'string', pattern: '^[A-Z]{2}$' }, { type: 'string', pattern: '^[A-Z]+$' }],
  ['pattern', { type: 'string', pattern: '^(a|b)$' }, { enum: ['a', 'b', 'c'] }],
  ['pattern', { type: 'string', pattern: '^[0-9]{3}$' }, { type: 'string', maxLength: 5 }],
  ['format', { type: 'string', format: 'uuid' }, text],
  ['format', { type: 'string', format: 'uri' }, { type: 'string', format: 'uri-reference' }],
  ['format', { type: 'integer', minimum: 0, maximum: 9 }, { type: 'integer', format: 'int32' }],
  ['oneOf', { oneOf: [cat, dog] }, { oneOf: [cat, dog, snail] }],
  ['anyOf', { anyOf: [text, { type: 'integer' }] }, { anyOf: [text, { type: 'number' }] }],
  ['anyOf', { type: ['string', 'integer'] }, { anyOf: [text, { type: 'integer' }, { type: 'null' }] }],
  ['allOf', { allOf: [text, { minLength: 2 }, { maxLength: 5 }] }, { type: 'string', minLength: 2 }],
  ['not', { type: 'string', not: { const: 'x' } }, text],
  ['not', { type: 'object', not: { required: ['a'] } }, { type: 'object' }],
  ['not', { type: 'integer', not: { minimum: 3 } }, { type: 'integer', not: { minimum: 5 } }],
  [
    'discriminator',
    { oneOf: [cat], discriminator: { propertyName: 'kind' } },
    { oneOf: [cat, dog], discriminator: { propertyName: 'kind' } },
  ],
  [
    'if',
    {
      type: 'object',
      properties: { a: text },
      if: { properties: { a: { const: 'x' } }, required: ['a'] },
      ...branch('then', { required: ['b'] }),
    },
    { type: 'object', properties: { a: text } },
  ],
  [
    'else',
    { type: 'object', if: { required: ['a'] }, else: { required: ['b', 'c'] } },
    { type: 'object', if: { required: ['a'] }, else: { required: ['b'] } },
  ],
  [
    'unevaluatedProperties',
    { type: 'object', allOf: [{ properties: { a: text } }], unevaluatedProperties: false },
    { type: 'object', properties: { a: text } },
  ],
  [
    'unevaluatedProperties',
    { oneOf: [cat, dog], unevaluatedProperties: false },
    { oneOf: [cat, dog], unevaluatedProperties: text },
  ],
  [
    'unevaluatedItems',
    { type: 'array', allOf: [{ prefixItems: [text] }], unevaluatedItems: false },
    { type: 'array', prefixItems: [text] },
  ],
  ['boolean schemas', { type: 'object', properties: { a: false } }, { type: 'object', properties: { a: true } }],
  ['boolean schemas', false, true],
];

/** Schemas with `then` are thenables, which break when awaited, so build them from entries. */
function branch(keyword: string, schema: unknown): Record<string, unknown> {
  return Object.fromEntries([[keyword, schema]]);
}

describe.each(pairs)('%s: %j within %j', (_keyword, narrower, wider) => {
  it('accepts the change to the wider schema', () => {
    expect(checkSubset(locationOf(narrower), locationOf(wider))).toEqual({ answer: 'yes' });
  });

  it('rejects the change to the narrower schema, with a valid witness', () => {
    const witness = witnessOf(checkSubset(locationOf(wider), locationOf(narrower)));
    expect([validator(wider)(witness), validator(narrower)(witness)]).toEqual([true, false]);
  });
});

describe('OpenAPI 3.0 keywords', () => {
  const in30 = (schema: unknown) => locationOf(schema, {}, '3.0');

  it('allow null with `nullable` next to a type, an enum, or a reference', () => {
    const definitions = { named: { type: 'object', required: ['a'] } };
    const reference = { $ref: '#/$defs/named' };
    expect(checkSubset(in30({ type: 'string', nullable: true }), locationOf({ type: ['string', 'null'] })).answer).toBe(
      'yes',
    );
    expect(checkSubset(locationOf({ enum: ['a', null] }), in30({ enum: ['a'], nullable: true })).answer).toBe('yes');
    const nullable = locationOf({ allOf: [reference], nullable: true }, definitions, '3.0');
    expect(checkSubset(locationOf({ anyOf: [{ type: 'null' }, reference] }, definitions), nullable).answer).toBe('yes');
    expect(witnessOf(checkSubset(nullable, locationOf(reference, definitions)))).toBeNull();
  });

  it('make bounds exclusive with a boolean', () => {
    const exclusive = in30({ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true });
    const in31 = locationOf({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 5 });
    expect([checkSubset(exclusive, in31).answer, checkSubset(in31, exclusive).answer]).toEqual(['yes', 'yes']);
    expect(witnessOf(checkSubset(in30({ type: 'number', minimum: 0, maximum: 5 }), exclusive))).toBe(0);
  });

  it('include `nullable` in OpenAPI 3.1 documents', () => {
    const verdict = checkSubset(locationOf({ type: 'string', nullable: true }), locationOf(text));
    expect(verdict.answer).toBe('no');
    expect(witnessOf(verdict)).toBeNull();
    expect(
      checkSubset(locationOf({ type: 'string', nullable: true }), locationOf({ type: ['string', 'null'] })).answer,
    ).toBe('yes');
  });
});

describe('readOnly and writeOnly', () => {
  const withId = { type: 'object', required: ['id'], properties: { id: { type: 'string', readOnly: true }, a: text } };
  const withoutId = { type: 'object', properties: { a: text } };
  const writable = { type: 'object', properties: { id: text, a: text } };

  it('never require a readOnly property in a request', () => {
    expect(checkSubset(locationOf(withoutId), locationOf(withId), 'accept').answer).toBe('yes');
    expect(checkSubset(locationOf(withoutId), locationOf(withId), 'emit').answer).toBe('no');
  });

  it('reject a property in a request if it is readOnly', () => {
    expect(checkSubset(locationOf(withId), locationOf(writable), 'accept').answer).toBe('yes');
    expect(witnessOf(checkSubset(locationOf(writable), locationOf(withId), 'accept'))).toHaveProperty('id');
  });

  it('never require a writeOnly property in a response', () => {
    const secret = { type: 'object', required: ['p'], properties: { p: { type: 'string', writeOnly: true } } };
    expect(checkSubset(locationOf({ type: 'object' }), locationOf(secret), 'emit').answer).toBe('yes');
    expect(checkSubset(locationOf({ type: 'object' }), locationOf(secret), 'accept').answer).toBe('no');
  });

  it('ignore the type of a readOnly property in a request', () => {
    const number = { ...withId, properties: { ...withId.properties, id: { type: 'number', readOnly: true } } };
    expect(checkSubset(locationOf(withId), locationOf(number), 'accept').answer).toBe('yes');
    expect(checkSubset(locationOf(withId), locationOf(number), 'emit').answer).toBe('no');
  });
});

describe('undecidable schema', () => {
  it('yields `unknown` instead of `yes`', () => {
    const lookAhead = { type: 'string', pattern: '^(?=.*[0-9])[a-z0-9]+$' };
    expect(checkSubset(locationOf(lookAhead), locationOf({ type: 'string', pattern: '^[a-z0-9]+$' })).answer).toBe(
      'unknown',
    );
    expect(checkSubset(locationOf(text), locationOf({ type: 'string', format: 'phone' })).answer).toBe('unknown');
    expect(checkSubset(locationOf(text), locationOf({ $ref: '#/$defs/missing' })).answer).toBe('unknown');
  });

  it('yields `yes` if only annotations differ', () => {
    const undecidable = { type: 'string', pattern: '^(?=a)', format: 'phone', not: { pattern: '(?<!b)c' } };
    expect(
      checkSubset(locationOf(undecidable), locationOf({ ...undecidable, maxLength: undefined, description: 'x' }))
        .answer,
    ).toBe('yes');
  });
});

describe('incompatible result', () => {
  it('includes the keyword, the path in the instance, and a witness', () => {
    const withLimit = (limit: number) => ({
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', maxLength: limit } } } },
      },
    });
    const verdict = checkSubset(locationOf(withLimit(5)), locationOf(withLimit(4)));
    expect(verdict).toMatchObject({ answer: 'no', keyword: 'maxLength', path: ['list', '[]', 'a'] });
    expect(witnessOf(verdict)).toMatchObject({ list: [{ a: 'aaaaa' }] });
  });
});
