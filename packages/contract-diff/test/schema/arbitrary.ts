// Schemas and values for property tests, from a few names, numbers, and strings, so that values often match schemas.

import fc from 'fast-check';

export type Schema = boolean | { readonly [keyword: string]: unknown };

const names = ['a', 'b', 'c', 'x-d'];
const strings = ['', 'a', 'b', 'ab', 'abc', 'A1', 'x-d', '2024-02-29', 'a@example.com'];
const numbers = [-2, -1, 0, 0.5, 1, 1.5, 2, 3, 4, 6, 10];
const scalars = [null, true, false, ...numbers, ...strings];
const patterns = ['^a', 'b$', '^[a-z]+$', '^x-', '^(a|b)$', '^(?=a)', '[0-9]'];
const formats = ['date', 'email', 'uuid', 'int32', 'double', 'uri'];
const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

const name = fc.constantFrom(...names);
const scalar = fc.constantFrom(...scalars);
const small = fc.integer({ min: 0, max: 3 });
const bound = fc.constantFrom(...numbers);

/** Any value from this small domain. */
export const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 4, arbitrary: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }) },
  ),
})).value;

/** One keyword, or several related ones. */
function keyword(schema: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const record = (model: Record<string, fc.Arbitrary<unknown>>) =>
    fc.record(model) as fc.Arbitrary<Record<string, unknown>>;
  const byName = (of: fc.Arbitrary<unknown>) =>
    fc.dictionary(name, of, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  const byPattern = fc.dictionary(fc.constantFrom(...patterns), schema, {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  });
  const someNames = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const properties = record({ type: fc.constant('object'), properties: byName(schema) });
  const taggedUnion = fc.array(byName(schema), { minLength: 2, maxLength: 3 }).map((branches) => ({
    oneOf: branches.map((of, index) => ({
      type: 'object',
      properties: { ...of, a: { const: `k${index}` } },
      required: ['a'],
    })),
  }));
  return fc.oneof(
    { weight: 6, arbitrary: record({ type: fc.constantFrom(...types) }) },
    {
      weight: 2,
      arbitrary: record({ type: fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }) }),
    },
    { weight: 2, arbitrary: record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }) }) },
    record({ const: value }),
    record({ type: fc.constantFrom('integer', 'number'), minimum: bound }),
    record({ type: fc.constantFrom('integer', 'number'), maximum: bound }),
    record({ exclusiveMinimum: bound }),
    record({ exclusiveMaximum: bound }),
    record({ multipleOf: fc.constantFrom(0.5, 1, 2, 3, 4) }),
    record({ type: fc.constant('string'), minLength: small }),
    record({ type: fc.constant('string'), maxLength: small }),
    record({ pattern: fc.constantFrom(...patterns) }),
    record({ format: fc.constantFrom(...formats) }),
    { weight: 5, arbitrary: properties },
    { weight: 3, arbitrary: record({ required: someNames }) },
    { weight: 2, arbitrary: record({ additionalProperties: schema }) },
    record({ patternProperties: byPattern }),
    record({ propertyNames: schema }),
    record({ minProperties: small }),
    record({ maxProperties: small }),
    record({ dependentRequired: byName(someNames) }),
    record({ dependentSchemas: byName(schema) }),
    record({ unevaluatedProperties: schema }),
    { weight: 2, arbitrary: record({ type: fc.constant('array'), items: schema }) },
    record({ prefixItems: list }),
    record({ minItems: small }),
    record({ maxItems: small }),
    record({ uniqueItems: fc.boolean() }),
    record({ contains: schema, minContains: small }),
    record({ contains: schema, maxContains: small }),
    record({ unevaluatedItems: schema }),
    { weight: 2, arbitrary: record({ anyOf: list }) },
    { weight: 2, arbitrary: record({ oneOf: list }) },
    { weight: 2, arbitrary: taggedUnion },
    record({ allOf: list }),
    record({ not: schema }),
    conditional(schema, ['if', 'then']),
    conditional(schema, ['if', 'else']),
    conditional(schema, ['if', 'then', 'else']),
    record({ $ref: fc.constantFrom('#/$defs/tree', '#/$defs/odd', '#/$defs/plain') }),
  );
}

/** Combines keywords. Schemas with `then` are thenables, which break when awaited, so none is created here. */
function conditional(
  schema: fc.Arbitrary<unknown>,
  keywords: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .tuple(...keywords.map(() => schema))
    .map((parts) => Object.fromEntries(keywords.map((one, at) => [one, parts[at]])));
}

/** A schema with any keywords. References point to `definitions`. */
const schema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    { weight: 1, arbitrary: fc.constantFrom(true, false, {}, { type: 'string' }, { type: 'integer' }) },
    {
      weight: 4,
      arbitrary: fc
        .array(keyword(tie('schema')), { minLength: 1, maxLength: 4 })
        .map((keywords) => Object.assign({}, ...keywords) as Schema),
    },
  ),
})).schema;

/** Reference targets: a tree, two mutually recursive schemas, and a non-recursive one. */
export const definitions = {
  tree: {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string' }, b: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  },
  odd: { type: 'object', properties: { c: { $ref: '#/$defs/even' } }, additionalProperties: false },
  even: { type: 'object', required: ['c'], properties: { c: { $ref: '#/$defs/odd' } } },
  plain: { type: ['string', 'null'], maxLength: 2 },
};

/** A schema, and a copy with a few random changes. */
export const mutated: fc.Arbitrary<readonly [Schema, Schema]> = fc
  .tuple(schema, fc.array(fc.tuple(fc.nat(), fc.nat(), schema, keyword(schema)), { minLength: 1, maxLength: 3 }))
  .map(([original, changes]) => {
    const changed = changes.reduce<Schema>((current, change) => mutate(current, ...change), original);
    return [original, changed] as const;
  });

/** Changes one nested schema; `where` and `how` select the change. */
function mutate(original: Schema, where: number, how: number, other: Schema, added: Record<string, unknown>): Schema {
  // Not structuredClone: its objects are from another realm in jest, and Ajv considers them unequal.
  const copy = JSON.parse(JSON.stringify(original)) as Schema;
  const nodes: Record<string, unknown>[] = [];
  collect({ root: copy }, nodes);
  const holder = nodes[where % nodes.length] ?? {};
  const keys = Object.keys(holder);
  const key = keys[where % keys.length];
  if (key === undefined) return Object.assign(holder, added) && copy;
  const isRoot = holder.root === copy;
  if (isRoot) return how % 3 === 0 || typeof copy === 'boolean' ? other : ({ ...copy, ...added } as Schema);
  if (how % 4 === 0) delete holder[key];
  else if (how % 4 === 1) Object.assign(holder, added);
  else if (typeof holder[key] === 'number')
    holder[key] = Math.max(0, (holder[key] as number) + (how % 2 === 0 ? 1 : -1));
  else if (isSchema(holder[key])) holder[key] = other;
  else Object.assign(holder, added);
  return copy;
}

/** All nodes with schemas or keywords, without plain values. */
function collect(node: unknown, into: Record<string, unknown>[]): void {
  if (Array.isArray(node)) for (const item of node) collect(item, into);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  into.push(node as Record<string, unknown>);
  for (const [keyword, child] of Object.entries(node)) {
    if (['enum', 'const', 'required', 'type', 'dependentRequired'].includes(keyword)) continue;
    if (['properties', 'patternProperties', 'dependentSchemas'].includes(keyword)) {
      for (const member of Object.values(child as object)) collect(member, into);
    } else collect(child, into);
  }
}

function isSchema(node: unknown): boolean {
  return typeof node === 'boolean' || (typeof node === 'object' && node !== null && !Array.isArray(node));
}
