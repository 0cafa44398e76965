// Matches the alternatives of oneOf and anyOf, and reports added and removed ones.

import { isObject } from '../../model/json.ts';
import type { RuleId } from '../../policy/rules.ts';
import { type NormalSchema, resolveSchema, type SchemaPlace } from '../../schema/index.ts';
import type { Comparison } from '../comparison.ts';
import { referenceOf } from './discriminator.ts';
import { cursorOf } from './schema-cursor.ts';
import { probeOf, type SchemaPair, verdicts, type Walk } from './schema-pair.ts';

/**
 * Compares the alternatives.
 * @param told collects references to components that are reported as added or removed alternatives
 * @returns the number of reported changes of the allowed values, including nested ones
 */
export function compareBranches(
  comparison: Comparison,
  walk: Walk,
  schemas: SchemaPair,
  keyword: 'anyOf' | 'oneOf',
  told: Set<unknown>,
): number {
  const { pair, before, after } = schemas;
  const [old, now] = [before[keyword], after[keyword]];
  if (!old || !now) return 0;
  const { matched, gone, come } = matchBranches(comparison, old, now, (x, y) => {
    const { forth, back } = verdicts(comparison, pair, x, y);
    return forth.answer === 'yes' && back.answer === 'yes';
  });
  let count = 0;
  for (const [x, y] of matched) count += walk.part(schemas, keyword, x, y, pair.where);
  const report = (rule: RuleId, place: SchemaPlace, base: boolean) => {
    // A change of nullability has its own rule.
    if (isNull(place)) return;
    count++;
    told.add(referenceOf(place));
    const cursor = cursorOf(place, (base ? pair.base : pair.revised)!, keyword);
    const name = resolveSchema(place).refName;
    comparison.report(
      rule,
      base ? pair.below(cursor, undefined, pair.where) : pair.below(undefined, cursor, pair.where),
      `the alternative ${name ? `${name} ` : ''}of \`${keyword}\` was ${base ? 'removed' : 'added'}`,
      { probe: probeOf(comparison, schemas) },
    );
  };
  for (const place of gone) report('alternative-removed', place, true);
  for (const place of come) report('alternative-added', place, false);
  return count;
}

const isNull = (place: SchemaPlace): boolean => {
  const { types } = resolveSchema(place);
  return types.size === 1 && types.has('null');
};

interface Branches {
  readonly matched: readonly (readonly [SchemaPlace, SchemaPlace])[];
  readonly gone: readonly SchemaPlace[];
  readonly come: readonly SchemaPlace[];
}

/**
 * Matches alternatives by equivalence, then by component, then by their distinguishing constant, then by type if only one of each
 * is left.
 * @param equivalent whether two schemas allow the same values
 */
function matchBranches(
  comparison: Comparison,
  old: readonly SchemaPlace[],
  now: readonly SchemaPlace[],
  equivalent: (a: SchemaPlace, b: SchemaPlace) => boolean,
): Branches {
  const gone = [...old];
  const come = [...now];
  const matched: [SchemaPlace, SchemaPlace][] = [];
  const take = (same: (a: SchemaPlace, b: SchemaPlace) => boolean) => {
    for (const a of [...gone]) {
      const b = come.find((candidate) => same(a, candidate));
      if (!b) continue;
      gone.splice(gone.indexOf(a), 1);
      come.splice(come.indexOf(b), 1);
      matched.push([a, b]);
    }
  };
  take((a, b) => comparison.sameness.identical(a.schema, b.schema));
  take((a, b) => comparison.sameness.alike(a, b));
  take((a, b) => sameReference(a, b));
  take((a, b) => sameConstants(resolveSchema(a), resolveSchema(b)));
  take(equivalent);
  if (gone.length === 1 && come.length === 1) take((a, b) => sameKinds(resolveSchema(a), resolveSchema(b)));
  return { matched, gone, come };
}

const sameReference = ({ schema: a }: SchemaPlace, { schema: b }: SchemaPlace): boolean =>
  isObject(a) && isObject(b) && a.$ref !== undefined && a.$ref === b.$ref;

/** Whether both have a constant property with the same value. */
function sameConstants(a: NormalSchema, b: NormalSchema): boolean {
  for (const [name, place] of a.properties) {
    const other = b.properties.get(name);
    if (!other) continue;
    const [x, y] = [resolveSchema(place).enum, resolveSchema(other).enum];
    if (x?.length === 1 && y?.length === 1 && x[0] === y[0]) return true;
  }
  return false;
}

const sameKinds = (a: NormalSchema, b: NormalSchema): boolean =>
  a.types.size === b.types.size && [...a.types].every((type) => b.types.has(type)) && !constantsDiffer(a, b);

/** Alternatives with different constants are different alternatives, not a changed one. */
function constantsDiffer(a: NormalSchema, b: NormalSchema): boolean {
  for (const [name, place] of a.properties) {
    const other = b.properties.get(name);
    if (!other) continue;
    const [x, y] = [resolveSchema(place).enum, resolveSchema(other).enum];
    if (x?.length === 1 && y?.length === 1 && x[0] !== y[0]) return true;
  }
  return false;
}
