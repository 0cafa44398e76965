// The subset relation: recursion, equivalent schemas, and no false "yes".

import fc from 'fast-check';
import { visitNodes } from '../../src/model/json.ts';
import { createRelation } from '../../src/schema/index.ts';
import type { SchemaDocument } from '../../src/schema/types.ts';
import { runs, timeoutMs } from '../random/runs.ts';
import { definitions, mutated, type Schema, value } from './arbitrary.ts';
import { checkSubset, isSchema, locationOf, ValidatorDisagreement, validator, witnessOf } from './validators.ts';

const text = { type: 'string' };

describe('recursion', () => {
  const tree = (leaf: unknown) => ({
    node: {
      type: 'object',
      required: ['name'],
      properties: { name: leaf, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    },
  });
  const root = { $ref: '#/$defs/node' };

  it('terminates for a tree, with a valid witness', () => {
    const [short, long] = [tree({ type: 'string', maxLength: 3 }), tree({ type: 'string', maxLength: 4 })];
    expect(checkSubset(locationOf(root, short), locationOf(root, long)).answer).toBe('yes');
    const witness = witnessOf(checkSubset(locationOf(root, long), locationOf(root, short)));
    expect([validator(root, long)(witness), validator(root, short)(witness)]).toEqual([true, false]);
  });

  it('finds a difference behind mutual references', () => {
    const mutual = (leaf: unknown) => ({
      a: { type: 'object', properties: { next: { $ref: '#/$defs/b' } } },
      b: { type: 'object', properties: { next: { $ref: '#/$defs/a' }, value: leaf } },
    });
    const start = { $ref: '#/$defs/a' };
    const [narrow, wide] = [mutual({ type: 'integer' }), mutual({ type: 'number' })];
    expect(checkSubset(locationOf(start, narrow), locationOf(start, wide)).answer).toBe('yes');
    const verdict = checkSubset(locationOf(start, wide), locationOf(start, narrow));
    expect(verdict).toMatchObject({ keyword: 'type', path: ['next', 'value'] });
    const witness = witnessOf(verdict);
    expect([validator(start, wide)(witness), validator(start, narrow)(witness)]).toEqual([true, false]);
  });

  it('discards a proof that assumes a failing schema of the same cycle', () => {
    // a and b are mutually recursive; b fails, so a proof of a that assumes b is invalid, too.
    const withLimit = (limit: number) => ({
      a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } } },
      b: { type: 'object', properties: { a: { $ref: '#/$defs/a' }, z: { type: 'string', maxLength: limit } } },
    });
    const [from, to] = [document(withLimit(2)), document(withLimit(1))];
    const relation = createRelation('any');
    const at = (within: SchemaDocument, name: string) => ({ document: within, schema: { $ref: `#/$defs/${name}` } });
    expect(relation.checkSubset(at(from, 'b'), at(to, 'b')).answer).toBe('no');
    expect(relation.checkSubset(at(from, 'a'), at(to, 'a')).answer).toBe('no');
  });

  it('distinguishes equal references with different targets', () => {
    const withLeaf = (leaf: unknown) => ({ top: { properties: { a: { $ref: '#/$defs/leaf' } } }, leaf });
    const top = { $ref: '#/$defs/top' };
    expect(checkSubset(locationOf(top, withLeaf(text)), locationOf(top, withLeaf({ type: 'integer' }))).answer).toBe(
      'no',
    );
  });

  it('yields `unknown` for a schema that refers only to itself', () => {
    const loop = { loop: { allOf: [{ $ref: '#/$defs/loop' }] } };
    expect(checkSubset(locationOf(text), locationOf({ $ref: '#/$defs/loop' }, loop)).answer).toBe('unknown');
  });
});

function document($defs: unknown): SchemaDocument {
  return { root: { $defs }, dialect: '3.1' };
}

describe('equivalent schemas', () => {
  const pet = { type: 'object', required: ['a'], properties: { a: text, b: { type: 'integer' } } };
  const equivalents: [string, unknown, unknown][] = [
    [
      'key order and annotations',
      pet,
      { ...Object.fromEntries(Object.entries(pet).reverse()), description: 'x', 'x-y': 1 },
    ],
    ['a reference and its target', { $ref: '#/$defs/pet' }, pet],
    ['allOf with a description', { allOf: [{ $ref: '#/$defs/pet' }, { description: 'a pet' }] }, pet],
    [
      'a schema split into allOf',
      pet,
      {
        allOf: [
          { required: ['a'], properties: { a: text } },
          { type: 'object', properties: { b: { type: 'integer' } } },
        ],
      },
    ],
    ['keywords next to a reference', { $ref: '#/$defs/pet', required: ['b'] }, { ...pet, required: ['a', 'b'] }],
    ['const and enum', { const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      'null in type and in anyOf',
      { type: ['string', 'null'], maxLength: 3 },
      { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 3 }] },
    ],
    ['null in enum and in oneOf', { enum: ['a', null] }, { oneOf: [{ const: 'a' }, { type: 'null' }] }],
    [
      'inclusive and exclusive bounds of integers',
      { type: 'integer', exclusiveMinimum: 0, maximum: 3 },
      { type: 'integer', minimum: 1, exclusiveMaximum: 4 },
    ],
    ['a list of types and anyOf', { type: ['string', 'integer'] }, { anyOf: [text, { type: 'integer' }] }],
    [
      'additionalProperties and unevaluatedProperties',
      { ...pet, additionalProperties: false },
      { ...pet, unevaluatedProperties: false },
    ],
    ['double negation', { not: { not: pet } }, pet],
    [
      'a forbidden property',
      { type: 'object', not: { required: ['a'] } },
      { type: 'object', properties: { a: false } },
    ],
    [
      'oneOf and anyOf of disjoint schemas',
      { oneOf: [text, { type: 'integer' }] },
      { anyOf: [{ type: 'integer' }, text] },
    ],
    [
      'different patterns for the same strings',
      { type: 'string', pattern: '^(?:a|b)+$' },
      { type: 'string', pattern: '^[ab]{1,}$' },
    ],
  ];

  it.each(equivalents)('are subsets of each other: %s', (_name, one, other) => {
    const [a, b] = [locationOf(one, { pet }), locationOf(other, { pet })];
    expect([checkSubset(a, b), checkSubset(b, a)]).toEqual([{ answer: 'yes' }, { answer: 'yes' }]);
  });
});

/** Adds null to an enum if its type includes null: the relation allows it, although the specification does not. */
function withImpliedNull(schema: Schema): Schema {
  const copy = structuredClone(schema);
  visitNodes(copy, (node) => {
    const { type, enum: values } = node as { type?: unknown; enum?: unknown };
    const hasNull = Array.isArray(type) && type.length > 1 && type.includes('null');
    if (hasNull && Array.isArray(values) && !values.includes(null)) values.push(null);
  });
  return copy;
}

describe('relation of generated schemas', () => {
  it(
    'never accepts an incompatible schema, has only valid witnesses, and is rarely undecided',
    () => {
      const values = fc.array(value, { minLength: 40, maxLength: 60 });
      const compare = (a: Schema, b: Schema, samples: readonly unknown[]) => {
        const [inA, inB] = [validator(withImpliedNull(a), definitions), validator(withImpliedNull(b), definitions)];
        const verdict = checkSubset(locationOf(a, definitions), locationOf(b, definitions));
        if (verdict.answer === 'yes')
          expect(JSON.stringify([a, b, samples.filter((one) => inA(one) && !inB(one))[0]])).toBe(
            JSON.stringify([a, b, undefined]),
          );
        else if ('witness' in verdict) expect([inA(verdict.witness), inB(verdict.witness)]).toEqual([true, false]);
        return verdict.answer;
      };
      const verdictCounts = new Map<string, number>();
      fc.assert(
        fc.property(mutated, values, ([a, b], samples) => {
          fc.pre(isSchema(a) && isSchema(b));
          try {
            for (const answer of [compare(a, b, samples), compare(b, a, samples)]) {
              verdictCounts.set(answer, (verdictCounts.get(answer) ?? 0) + 1);
            }
          } catch (error) {
            fc.pre(!(error instanceof ValidatorDisagreement));
            throw error;
          }
        }),
        runs(12),
      );
      // A relation that is always "unknown" would be sound, but useless.
      const total = [...verdictCounts.values()].reduce((sum, count) => sum + count, 0);
      expect((verdictCounts.get('unknown') ?? 0) / total).toBeLessThan(0.1);
    },
    timeoutMs(25),
  );
});
