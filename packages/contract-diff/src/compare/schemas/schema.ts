// Traverses two schemas in parallel, and reports each change at the affected property.

import { Cursor } from '../../load/document.ts';
import { resolveSchema, type SchemaLocation } from '../../schema/index.ts';
import { Conjunction } from '../../schema/types.ts';
import { type Comparison, Pair, type Traffic } from '../comparison.ts';
import { compareAnnotations } from './annotations.ts';
import { compareBranches } from './branches.ts';
import { compareDefault } from './default.ts';
import { compareDiscriminator } from './discriminator.ts';
import { compareFormat } from './format-change.ts';
import { compareLimits } from './limits.ts';
import { compareOtherProperties, compareProperties } from './properties.ts';
import { differItself, uncoveredChanges } from './remainder.ts';
import { cursorOf } from './schema-cursor.ts';
import { isPlain, probeOf, proofOf, type SchemaPair, verdicts, type Walk } from './schema-pair.ts';
import { compareTexts } from './texts.ts';
import { compareEnumeration, compareTypes } from './types.ts';

/**
 * Compares the schema under a key of a parameter, header, or media type.
 * @param context serialization of its values, and whether the value is always present
 */
export function compareSchemaAt(
  comparison: Comparison,
  pair: Pair,
  key: string,
  { traffic, always }: { readonly traffic: Traffic; readonly always: boolean },
): void {
  const [base, revised] = [pair.base?.raw(key), pair.revised?.raw(key)];
  if (!base && !revised) return;
  const anything = (cursor: Cursor | undefined, side: Cursor) =>
    cursor ?? new Cursor(side.document, true, `${side.pointer}/${key}`);
  new SchemaWalk(comparison, pair.where).compare(
    pair.below(anything(base, pair.base!), anything(revised, pair.revised!), pair.where, traffic),
    locationOf(anything(base, pair.base!)),
    locationOf(anything(revised, pair.revised!)),
    always,
  );
}

/** Compares two schemas at different locations. `pair` has the locations. */
export function compareSchemas(
  comparison: Comparison,
  pair: Pair,
  a: SchemaLocation,
  b: SchemaLocation,
  { traffic, always }: { readonly traffic: Traffic; readonly always: boolean },
): void {
  new SchemaWalk(comparison, pair.where).compare(
    pair.below(pair.base, pair.revised, pair.where, traffic),
    a,
    b,
    always,
  );
}

const locationOf = (cursor: Cursor): SchemaLocation => ({ document: cursor.document, schema: cursor.value });

const caches = new WeakMap<Comparison, Map<string, number>>();
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Cached result for identical schemas. */
const identical = -1;

class SchemaWalk implements Walk {
  readonly #comparison: Comparison;
  readonly #use: string;
  /** Cached number of changes of the allowed values by schema pair. */
  readonly #cache: Map<string, number>;

  /** @param use human-readable usage of the outermost schema */
  constructor(comparison: Comparison, use: string) {
    this.#comparison = comparison;
    this.#use = use;
    this.#cache = caches.get(comparison) ?? new Map();
    caches.set(comparison, this.#cache);
  }

  compare(pair: Pair, a: SchemaLocation, b: SchemaLocation, always: boolean): number {
    const traffic = inside(pair.traffic, a, b);
    const key = `${trafficKey(traffic)} ${identity(a)} ${identity(b)}`;
    const known = this.#cache.get(key);
    if (known === identical) return 0;
    if (known === undefined) {
      if (isPlain(a) && isPlain(b) && this.#comparison.sameness.identical(a.schema, b.schema)) {
        this.#cache.set(key, identical);
        return 0;
      }
      this.#cache.set(key, 0);
    }
    // Not cached: whether a default applies depends on the usage.
    compareDefault(this.#comparison, pair, a, b, always);
    if (known !== undefined) return known;
    const [base, revised] = [pair.base?.resolveRefs(), pair.revised?.resolveRefs()];
    const where = this.#where(pair, revised);
    const here = new Pair(base, revised, traffic, where, pair.parent, pair.where);
    compareAnnotations(this.#comparison, here);
    if (this.#comparison.sameness.alike(a, b)) {
      this.#descend({ pair: here, a, b, before: resolveSchema(a), after: resolveSchema(b), always });
      return 0;
    }
    let schemas: SchemaPair = { pair: here, a, b, before: resolveSchema(a), after: resolveSchema(b), always };
    if (traffic.proven !== 'equal' && differItself(this.#comparison, schemas)) {
      const proven = proofOf(this.#comparison, here, a, b) ?? traffic.proven;
      if (proven)
        schemas = { ...schemas, pair: new Pair(base, revised, { ...traffic, proven }, where, pair.parent, pair.where) };
    }
    let count = this.#values(schemas);
    if (count === 0) count = this.#compareBySubset(schemas, 'the allowed values');
    this.#cache.set(key, count);
    return count;
  }

  /** Inside a component, locations are relative to it: there may be many long paths to it. */
  #where(pair: Pair, revised: Cursor | undefined): string {
    const component = /^\/components\/schemas\/([^/]+)$/.exec(revised?.pointer ?? '')?.[1];
    return component === undefined || revised?.pointer === pair.revised?.pointer
      ? pair.where
      : `${this.#use}, ${component}`;
  }

  /** The allowed values are the same, so only nested annotations can differ. */
  #descend(schemas: SchemaPair): void {
    this.#children(schemas);
  }

  #values(schemas: SchemaPair): number {
    const { texts } = schemas.pair.traffic;
    if (texts && texts.kind !== 'form' && compareTexts(this.#comparison, schemas, texts)) return 1;
    const types = compareTypes(this.#comparison, schemas);
    if (types.disjoint) return types.count;
    let count = types.count + compareEnumeration(this.#comparison, schemas) + compareLimits(this.#comparison, schemas);
    count += compareFormat(this.#comparison, schemas);
    count += this.#children(schemas);
    const uncovered = uncoveredChanges(this.#comparison, schemas);
    if (uncovered.length > 0)
      count += this.#compareBySubset(schemas, uncovered.map((keyword) => `\`${keyword}\``).join(', '), types.step);
    return count;
  }

  #children(schemas: SchemaPair): number {
    const { pair, before, after } = schemas;
    let count = 0;
    if (before.types.has('object') && after.types.has('object'))
      count +=
        compareProperties(this.#comparison, this, schemas) + compareOtherProperties(this.#comparison, this, schemas);
    if (before.types.has('array') && after.types.has('array')) {
      count += this.part(schemas, 'items', before.items, after.items, `${pair.where}[]`);
      if (before.prefixItems.length === after.prefixItems.length)
        for (const [index, location] of before.prefixItems.entries())
          count += this.part(
            schemas,
            `prefixItems/${index}`,
            location,
            after.prefixItems[index],
            `${pair.where}[${index}]`,
          );
    }
    for (const [pattern, location] of before.patternProperties) {
      const other = after.patternProperties.get(pattern);
      if (other)
        count += this.part(schemas, `patternProperties/${pattern}`, location, other, `${pair.where}{${pattern}}`);
    }
    count += this.#decoded(schemas);
    const reported = new Set<unknown>();
    for (const keyword of ['anyOf', 'oneOf'] as const)
      count += compareBranches(this.#comparison, this, schemas, keyword, reported);
    return count + compareDiscriminator(this.#comparison, schemas, reported);
  }

  /** Compares the schema of an encoded document inside a string. */
  #decoded({ pair, a, b }: SchemaPair): number {
    const key = 'contentSchema';
    const [base, revised] = [pair.base?.raw(key), pair.revised?.raw(key)];
    if (!base && !revised) return 0;
    const anything = (side: Cursor) => new Cursor(side.document, true, `${side.pointer}/${key}`);
    // The relation ignores encoded documents.
    const { texts: _, proven: __, ...traffic } = pair.traffic;
    return this.compare(
      pair.below(base ?? anything(pair.base!), revised ?? anything(pair.revised!), `${pair.where}, decoded`, traffic),
      { document: a.document, schema: base?.value ?? true },
      { document: b.document, schema: revised?.value ?? true },
      true,
    );
  }

  part(
    { pair, a, b, always }: SchemaPair,
    key: string,
    x: SchemaLocation | undefined,
    y: SchemaLocation | undefined,
    where: string,
  ): number {
    if (!x && !y) return 0;
    const before = x ?? { document: a.document, schema: true };
    const after = y ?? { document: b.document, schema: true };
    // Elements of lists and maps are always present; an alternative is the value itself.
    const chosen = key === 'anyOf' || key === 'oneOf';
    return this.compare(
      pair.below(cursorOf(before, pair.base!, key), cursorOf(after, pair.revised!, key), where),
      before,
      after,
      !chosen || always,
    );
  }

  /** Uses the subset relation for changes without a specific rule. @param reported the reported change of types */
  #compareBySubset(schemas: SchemaPair, subject: string, reported?: 'widened' | 'narrowed'): number {
    const { pair, a, b } = schemas;
    const { forward, backward } = verdicts(this.#comparison, pair, a, b);
    if (forward.answer === 'yes' && (backward.answer === 'yes' || reported === 'widened')) return 0;
    if (backward.answer === 'yes' && reported === 'narrowed') return 0;
    const rule =
      forward.answer === 'yes' ? 'schema-loosened' : backward.answer === 'yes' ? 'schema-tightened' : 'schema-changed';
    const breaking = pair.traffic.direction === 'accept' ? forward : backward;
    const unsure = breaking.answer === 'unknown' ? '; whether this is compatible is undecided' : '';
    this.#comparison.report(rule, pair, `${subject} changed${unsure}`, { probe: probeOf(this.#comparison, schemas) });
    return 1;
  }
}

/** Serialization within a schema; objects in a form part are JSON. */
function inside(traffic: Traffic, a: SchemaLocation, b: SchemaLocation): Traffic {
  if (traffic.texts?.kind !== 'part') return traffic;
  const isObject = [a, b].some((location) => resolveSchema(location).types.has('object'));
  const { texts: _, ...json } = traffic;
  return isObject ? json : traffic;
}

/** Cache key for the traffic. */
const trafficKey = ({ scope, direction, texts, xml, proven }: Traffic): string =>
  `${scope} ${direction} ${proven ?? ''} ${xml ? 'xml' : ''} ${texts ? `${texts.kind} ${texts.exploded}` : ''}`;

/** Cache key for a location: its object, or the objects it is merged from. */
function identity({ schema }: SchemaLocation): string {
  if (schema instanceof Conjunction) return `(${schema.members.map(identity).join(' ')})`;
  if (typeof schema !== 'object' || schema === null) return String(schema);
  let number = numbers.get(schema);
  if (number === undefined) {
    number = ++lastNumber;
    numbers.set(schema, number);
  }
  return String(number);
}
