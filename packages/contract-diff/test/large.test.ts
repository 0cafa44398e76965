// Performance of the subset relation in large documents.

import { createRelation } from '../src/schema/index.ts';
import type { SchemaDocument, SchemaLocation } from '../src/schema/types.ts';
import { witnessOf } from './schema/validators.ts';

describe('CPU time of the relation', () => {
  const side = (root: unknown): SchemaDocument => ({ root, dialect: '3.1' });
  // Clone, because results are cached per document.
  const fresh = (...roots: [unknown, unknown]) =>
    roots.map((root) => side(structuredClone(root))) as [SchemaDocument, SchemaDocument];
  const at = (within: SchemaDocument, name: string): SchemaLocation => ({
    document: within,
    schema: { $ref: `#/components/schemas/${name}` },
  });
  const namesOf = (document: ReturnType<typeof manySchemas>) => Object.keys(document.components.schemas);

  it('grows less than quadratically if all schemas are loosened', () => {
    const work = (count: number) => {
      const document = manySchemas(count);
      const loosened = JSON.parse(JSON.stringify(document), (key, one) => (key === 'maxLength' ? one + 1 : one));
      return () => {
        const [base, revision] = fresh(document, loosened);
        const relation = createRelation('any');
        const results = namesOf(document).map(
          (name) => relation.checkSubset(at(base, name), at(revision, name)).answer,
        );
        expect(new Set(results)).toEqual(new Set(['yes']));
      };
    };
    expect(slowdown(work(200), work(800))).toBeLessThan(8);
  }, 60_000);

  it('grows at most linearly with circular references, in 2 MB', () => {
    const work = (count: number) => {
      const large = manySchemas(count);
      const changed = structuredClone(large);
      (changed.components.schemas.Thing7 as { properties: { id: { maxLength: number } } }).properties.id.maxLength += 1;
      return () => {
        const [base, revision] = fresh(large, changed);
        const relation = createRelation('any');
        const differing = namesOf(large).filter(
          (name) => relation.checkSubset(at(base, name), at(revision, name)).answer !== 'yes',
        );
        expect(differing).toEqual([]);
        expect(relation.checkSubset(at(revision, 'Thing0'), at(base, 'Thing0')).answer).not.toBe('yes');
        expect(witnessOf(relation.checkSubset(at(revision, 'Thing7'), at(base, 'Thing7')))).toBeDefined();
      };
    };
    expect(JSON.stringify(manySchemas(600)).length).toBeGreaterThan(2_000_000);
    // Thing0 and Thing7 refer to cycles of the same size in both.
    expect(slowdown(work(150), work(600))).toBeLessThan(4);
  }, 60_000);
});

/** Ratio of CPU times. `large` has four times the work: quadratic growth would give 16. */
function slowdown(small: () => void, large: () => void): number {
  small(); // warm up the JIT
  const [control, measured] = [small, large].map((work) => {
    const { user, system } = process.cpuUsage();
    work();
    const after = process.cpuUsage();
    return after.user + after.system - user - system;
  }) as [number, number];
  return measured / control;
}

/** A document like those of large public APIs: schemas with about 30 properties and circular references. */
function manySchemas(count: number): { components: { schemas: Record<string, unknown> } } {
  const schemas: Record<string, unknown> = {};
  // Size of the cycles: changes in much larger cycles are "unknown".
  const cycle = 50;
  for (let index = 0; index < count; index += 1) {
    const refer = (step: number) => ({
      $ref: `#/components/schemas/Thing${index - (index % cycle) + ((index * 7 + step) % cycle)}`,
    });
    const plain = Array.from({ length: 24 }, (_, at) => [
      `field_${at}`,
      { type: at % 3 === 0 ? 'integer' : 'string', description: `The field ${at} of thing ${index}. `.repeat(3) },
    ]);
    schemas[`Thing${index}`] = {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string', maxLength: 64 },
        ...Object.fromEntries(plain),
        owner: { anyOf: [{ type: 'string' }, refer(1)] },
        parts: { type: 'array', items: refer(2) },
        last: { anyOf: [refer(3), refer(7)] },
      },
    };
  }
  return { components: { schemas } };
}
