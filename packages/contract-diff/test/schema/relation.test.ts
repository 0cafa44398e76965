// The relation as a whole: recursion, equivalent spellings, and no false "yes".

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

  it('ends on a tree', () => {
    const [short, long] = [tree({ type: 'string', maxLength: 3 }), tree({ type: 'string', maxLength: 4 })];
    expect(checkSubset(locationOf(root, short), locationOf(root, long)).answer).toBe('yes');
    const witness = witnessOf(checkSubset(locationOf(root, long), locationOf(root, short)));
    expect([validator(root, long)(witness), validator(root, short)(witness)]).toEqual([true, false]);
  });

  it('finds what only differs further down', () => {
    const two = (deep: unknown) => ({
      a: { type: 'object', properties: { next: { $ref: '#/$defs/b' } } },
      b: { type: 'object', properties: { next: { $ref: '#/$defs/a' }, value: deep } },
    });
    const start = { $ref: '#/$defs/a' };
    const [narrow, wide] = [two({ type: 'integer' }), two({ type: 'number' })];
    expect(checkSubset(locationOf(start, narrow), locationOf(start, wide)).answer).toBe('yes');
    const verdict = checkSubset(locationOf(start, wide), locationOf(start, narrow));
    expect(verdict).toMatchObject({ keyword: 'type', path: ['next', 'value'] });
    const witness = witnessOf(verdict);
    expect([validator(start, wide)(witness), validator(start, narrow)(witness)]).toEqual([true, false]);
  });

  it('does not take the whole for proven where a part of a circle is not', () => {
    // a and b are mutually recursive; b fails, so a proof of a that assumes b is invalid as well.
    const of = (limit: number) => ({
      a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } } },
      b: { type: 'object', properties: { a: { $ref: '#/$defs/a' }, z: { type: 'string', maxLength: limit } } },
    });
    const [from, to] = [document(of(2)), document(of(1))];
    const relation = createRelation('any');
    const at = (within: SchemaDocument, name: string) => ({ document: within, schema: { $ref: `#/$defs/${name}` } });
    expect(relation.checkSubset(at(from, 'b'), at(to, 'b')).answer).toBe('no');
    expect(relation.checkSubset(at(from, 'a'), at(to, 'a')).answer).toBe('no');
  });

  it('tells schemas of equal text apart by what they refer to', () => {
    const of = (leaf: unknown) => ({ top: { properties: { a: { $ref: '#/$defs/leaf' } } }, leaf });
    const top = { $ref: '#/$defs/top' };
    expect(checkSubset(locationOf(top, of(text)), locationOf(top, of({ type: 'integer' }))).answer).toBe('no');
  });

  it('bears a schema that is only itself', () => {
    const loop = { loop: { allOf: [{ $ref: '#/$defs/loop' }] } };
    expect(checkSubset(locationOf(text), locationOf({ $ref: '#/$defs/loop' }, loop)).answer).toBe('unknown');
  });
});

function document($defs: unknown): SchemaDocument {
  return { root: { $defs }, dialect: '3.1' };
}

describe('other spellings of the same', () => {
  const pet = { type: 'object', required: ['a'], properties: { a: text, b: { type: 'integer' } } };
  const spellings: [string, unknown, unknown][] = [
    [
      'key order and annotations',
      pet,
      { ...Object.fromEntries(Object.entries(pet).reverse()), description: 'x', 'x-y': 1 },
    ],
    ['a reference and what it leads to', { $ref: '#/$defs/pet' }, pet],
    ['allOf of parts', { allOf: [{ $ref: '#/$defs/pet' }, { description: 'a pet' }] }, pet],
    [
      'allOf that is split',
      pet,
      {
        allOf: [
          { required: ['a'], properties: { a: text } },
          { type: 'object', properties: { b: { type: 'integer' } } },
        ],
      },
    ],
    ['siblings of a reference', { $ref: '#/$defs/pet', required: ['b'] }, { ...pet, required: ['a', 'b'] }],
    ['const and enum', { const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      'null by type and by anyOf',
      { type: ['string', 'null'], maxLength: 3 },
      { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 3 }] },
    ],
    ['null by enum and by oneOf', { enum: ['a', null] }, { oneOf: [{ const: 'a' }, { type: 'null' }] }],
    [
      'whole bounds',
      { type: 'integer', exclusiveMinimum: 0, maximum: 3 },
      { type: 'integer', minimum: 1, exclusiveMaximum: 4 },
    ],
    ['types and anyOf', { type: ['string', 'integer'] }, { anyOf: [text, { type: 'integer' }] }],
    ['closed by both keywords', { ...pet, additionalProperties: false }, { ...pet, unevaluatedProperties: false }],
    ['not, twice', { not: { not: pet } }, pet],
    [
      'a property that must not be there',
      { type: 'object', not: { required: ['a'] } },
      { type: 'object', properties: { a: false } },
    ],
    [
      'oneOf and anyOf of what is disjoint',
      { oneOf: [text, { type: 'integer' }] },
      { anyOf: [{ type: 'integer' }, text] },
    ],
    ['patterns', { type: 'string', pattern: '^(?:a|b)+$' }, { type: 'string', pattern: '^[ab]{1,}$' }],
  ];

  it.each(spellings)('%s', (_name, one, other) => {
    const [a, b] = [locationOf(one, { pet }), locationOf(other, { pet })];
    expect([checkSubset(a, b), checkSubset(b, a)]).toEqual([{ answer: 'yes' }, { answer: 'yes' }]);
  });
});

/** Adds null to an enum whose type includes it: that is the intention, though not the literal meaning. */
function asMeant(schema: Schema): Schema {
  const copy = structuredClone(schema);
  visitNodes(copy, (node) => {
    const { type, enum: values } = node as { type?: unknown; enum?: unknown };
    const hasNull = Array.isArray(type) && type.length > 1 && type.includes('null');
    if (hasNull && Array.isArray(values) && !values.includes(null)) values.push(null);
  });
  return copy;
}

describe('generated schemas, before two judges', () => {
  it(
    'says no false yes, and shows no witness that is none',
    () => {
      const values = fc.array(value, { minLength: 40, maxLength: 60 });
      const compare = (a: Schema, b: Schema, tried: readonly unknown[]) => {
        const [inA, inB] = [validator(asMeant(a), definitions), validator(asMeant(b), definitions)];
        const verdict = checkSubset(locationOf(a, definitions), locationOf(b, definitions));
        if (verdict.answer === 'yes')
          expect(JSON.stringify([a, b, tried.filter((one) => inA(one) && !inB(one))[0]])).toBe(
            JSON.stringify([a, b, undefined]),
          );
        else if ('witness' in verdict) expect([inA(verdict.witness), inB(verdict.witness)]).toEqual([true, false]);
        return verdict.answer;
      };
      const answerCounts = new Map<string, number>();
      fc.assert(
        fc.property(mutated, values, ([a, b], tried) => {
          fc.pre(isSchema(a) && isSchema(b));
          try {
            for (const answer of [compare(a, b, tried), compare(b, a, tried)]) {
              answerCounts.set(answer, (answerCounts.get(answer) ?? 0) + 1);
            }
          } catch (error) {
            fc.pre(!(error instanceof ValidatorDisagreement));
            throw error;
          }
        }),
        runs(60),
      );
      // Always answering "unknown" would be sound, but useless.
      const total = [...answerCounts.values()].reduce((sum, count) => sum + count, 0);
      expect((answerCounts.get('unknown') ?? 0) / total).toBeLessThan(0.1);
    },
    timeoutMs(60),
  );
});
