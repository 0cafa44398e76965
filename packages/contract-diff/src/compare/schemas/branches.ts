// Matches the alternatives of oneOf and anyOf, and reports added and removed ones.

import type { RuleId } from '../../policy/rules.ts';
import { type NormalSchema, resolveSchema, type SchemaLocation } from '../../schema/index.ts';
import { conjunction, fragment } from '../../schema/location.ts';
import { type Comparison, Pair } from '../comparison.ts';
import { referenceOf } from './discriminator.ts';
import { differItself } from './remainder.ts';
import { cursorOf } from './schema-cursor.ts';
import { isSameReference, probeOf, proofOf, type SchemaPair, verdicts, type Walk } from './schema-pair.ts';

/**
 * Compares the alternatives.
 * @param reportedRefs collects references to components that are reported as added or removed alternatives
 * @returns the number of reported changes of the allowed values, including nested ones
 */
export function compareBranches(
  comparison: Comparison,
  walk: Walk,
  schemas: SchemaPair,
  keyword: 'anyOf' | 'oneOf',
  reportedRefs: Set<unknown>,
): number {
  const { pair, before, after } = schemas;
  const [old, now] = [before[keyword], after[keyword]];
  if (!old || !now) return 0;
  const { matched, removed, added } = matchBranches(comparison, old, now, (x, y) => {
    const { forward, backward } = verdicts(comparison, pair, x, y);
    return forward.answer === 'yes' && backward.answer === 'yes';
  });
  let count = 0;
  for (const [x, y] of matched)
    count += walk.part(inContext(comparison, schemas, keyword, x, y), keyword, x, y, pair.where);
  const report = (rule: RuleId, location: SchemaLocation, base: boolean) => {
    // A change of nullability has its own rule.
    if (isNull(location)) return;
    const name = resolveSchema(location).refName;
    // If both versions allow the same values, only named components matter.
    if (pair.traffic.proven === 'equal' && name === undefined) return;
    count++;
    reportedRefs.add(referenceOf(location));
    const cursor = cursorOf(location, (base ? pair.base : pair.revised)!, keyword);
    comparison.report(
      rule,
      base ? pair.below(cursor, undefined, pair.where) : pair.below(undefined, cursor, pair.where),
      `the alternative ${name ? `${name} ` : ''}of \`${keyword}\` was ${base ? 'removed' : 'added'}`,
      { probe: probeOf(comparison, schemas) },
    );
  };
  for (const location of removed) report('alternative-removed', location, true);
  for (const location of added) report('alternative-added', location, false);
  return count + (keyword === 'oneOf' ? compareOverlap(comparison, schemas) : 0);
}

/**
 * `oneOf` rejects values of several alternatives, so adding or widening an alternative can reject values. Ignores objects: they
 * overlap only in values that mix their properties, and are costly to compare.
 */
function compareOverlap(comparison: Comparison, schemas: SchemaPair): number {
  const { pair, before, after } = schemas;
  const { direction, proven } = pair.traffic;
  const strict = (direction === 'accept' ? after : before).oneOf!;
  if (proven || strict.some((branch) => resolveSchema(branch).types.has('object'))) return 0;
  const found = probeOf(comparison, schemas)();
  if (found.answer !== 'no' || !('witness' in found)) return 0;
  const value: SchemaLocation = { document: schemas.a.document, schema: { enum: [found.witness] } };
  const allowing = strict.filter((branch) => verdicts(comparison, pair, value, branch).forward.answer === 'yes');
  if (allowing.length < 2) return 0;
  const text =
    direction === 'accept'
      ? 'values that several alternatives of `oneOf` allow now are rejected'
      : 'values that several alternatives of `oneOf` allowed, and which were rejected, are possible now';
  comparison.report('schema-changed', pair, text, { key: 'oneOf', probe: () => found });
  return 1;
}

/** Compares alternatives together with the rest of their schema, because keywords may have moved between them. */
function inContext(
  comparison: Comparison,
  schemas: SchemaPair,
  keyword: 'anyOf' | 'oneOf',
  x: SchemaLocation,
  y: SchemaLocation,
): SchemaPair {
  const { pair, before, after } = schemas;
  const branches = { ...schemas, a: x, b: y, before: resolveSchema(x), after: resolveSchema(y) };
  if (pair.traffic.proven === 'equal' || !differItself(comparison, branches)) return schemas;
  const rest = (schema: NormalSchema) => fragment({ ...schema, [keyword]: undefined });
  const proven = proofOf(comparison, pair, conjunction([rest(before), x]), conjunction([rest(after), y]));
  if (!proven) return schemas;
  const { base, revised, where } = pair;
  return { ...schemas, pair: new Pair(base, revised, { ...pair.traffic, proven }, where, pair.parent, pair.use) };
}

const isNull = (location: SchemaLocation): boolean => {
  const { types } = resolveSchema(location);
  return types.size === 1 && types.has('null');
};

interface Branches {
  readonly matched: readonly (readonly [SchemaLocation, SchemaLocation])[];
  readonly removed: readonly SchemaLocation[];
  readonly added: readonly SchemaLocation[];
}

/**
 * Matches alternatives by equivalence, then by component, then by their distinguishing constant, then by type if only one of each
 * is left.
 * @param equivalent whether two schemas allow the same values
 */
function matchBranches(
  comparison: Comparison,
  old: readonly SchemaLocation[],
  now: readonly SchemaLocation[],
  equivalent: (a: SchemaLocation, b: SchemaLocation) => boolean,
): Branches {
  const removed = [...old];
  const added = [...now];
  const matched: [SchemaLocation, SchemaLocation][] = [];
  const match = (same: (a: SchemaLocation, b: SchemaLocation) => boolean) => {
    for (const a of [...removed]) {
      const b = added.find((candidate) => same(a, candidate));
      if (!b) continue;
      removed.splice(removed.indexOf(a), 1);
      added.splice(added.indexOf(b), 1);
      matched.push([a, b]);
    }
  };
  match((a, b) => comparison.sameness.identical(a.schema, b.schema));
  match((a, b) => comparison.sameness.alike(a, b));
  match((a, b) => isSameReference(a, b));
  match((a, b) => sameConstants(resolveSchema(a), resolveSchema(b)));
  match(equivalent);
  if (removed.length === 1 && added.length === 1) match((a, b) => sameKinds(resolveSchema(a), resolveSchema(b)));
  return { matched, removed, added };
}

/** Whether both have a constant property with the same value. */
function sameConstants(a: NormalSchema, b: NormalSchema): boolean {
  for (const [name, location] of a.properties) {
    const other = b.properties.get(name);
    if (!other) continue;
    const [x, y] = [resolveSchema(location).enum, resolveSchema(other).enum];
    if (x?.length === 1 && y?.length === 1 && x[0] === y[0]) return true;
  }
  return false;
}

const sameKinds = (a: NormalSchema, b: NormalSchema): boolean =>
  a.types.size === b.types.size && [...a.types].every((type) => b.types.has(type)) && !constantsDiffer(a, b);

/** Alternatives with different constants are different alternatives, not a changed one. */
function constantsDiffer(a: NormalSchema, b: NormalSchema): boolean {
  for (const [name, location] of a.properties) {
    const other = b.properties.get(name);
    if (!other) continue;
    const [x, y] = [resolveSchema(location).enum, resolveSchema(other).enum];
    if (x?.length === 1 && y?.length === 1 && x[0] !== y[0]) return true;
  }
  return false;
}
