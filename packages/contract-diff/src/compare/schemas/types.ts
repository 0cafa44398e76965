// Compares types and enums.

import type { Cursor } from '../../load/document.ts';
import { equal, isList, isObject } from '../../model/json.ts';
import type { RuleId } from '../../policy/rules.ts';
import { type NormalSchema, resolveSchema, type SchemaLocation, type TypeName } from '../../schema/index.ts';
import { restrictions } from '../../schema/normal-form/normal.ts';
import type { Comparison, Pair } from '../comparison.ts';
import { probeOf, type SchemaPair } from './schema-pair.ts';

/**
 * Compares the types.
 * @returns the number of reported changes, whether the sides have no common type, and the reported direction
 */
export function compareTypes(
  comparison: Comparison,
  schemas: SchemaPair,
): { count: number; disjoint: boolean; step?: 'widened' | 'narrowed' } {
  const { pair, before, after } = schemas;
  const accepting = pair.traffic.direction === 'accept';
  const [old, now] = [kinds(before), kinds(after)];
  const found = (rule: RuleId, text: string, certain?: true) =>
    comparison.report(rule, pair, text, {
      key: 'type',
      ...(certain && { certain }),
      before: typeList(before),
      after: typeList(after),
      probe: probeOf(comparison, schemas),
    });
  let count = 0;
  // If one side allows anything, null is nothing special.
  const anything = [before, after].some(({ types }) => types.size >= 6);
  // An enum that loses null rejects it, even if `type` still includes it.
  if (before.types.has('null') && after.types.has('null') && accepting && removesNull(pair)) {
    count++;
    found('null-refused', 'null is no longer listed among the values', true);
  }
  if (before.types.has('null') !== after.types.has('null') && old.size + now.size > 0 && !anything) {
    count++;
    found(
      after.types.has('null') ? 'null-allowed' : 'null-refused',
      after.types.has('null') ? 'may be null now' : 'is never null now',
    );
  }
  const widened = [...now].some((type) => !covers(old, type));
  const narrowed = [...old].some((type) => !covers(now, type));
  // Enums or alternatives on both sides describe the change better.
  if ((before.enum && after.enum) || (areBranches(before, after) && (widened || narrowed)))
    return { count, disjoint: false };
  let step: 'widened' | 'narrowed' | undefined;
  if (widened || narrowed) {
    count++;
    const rule = widened && narrowed ? 'type-changed' : widened ? 'type-widened' : 'type-narrowed';
    found(rule, `the type changed from ${typeList(before).join(' or ')} to ${typeList(after).join(' or ')}`);
    if (widened !== narrowed) step = widened ? 'widened' : 'narrowed';
  }
  // An added or removed schema is one change, except that requests lose the properties of a removed one.
  const isWhole =
    step !== undefined &&
    !(accepting && step === 'widened') &&
    [before, after].some((schema) => restrictions(schema).length === 0);
  const disjoint =
    isWhole ||
    (old.size > 0 &&
      now.size > 0 &&
      ![...old].some((type) => covers(now, type)) &&
      ![...now].some((type) => covers(old, type)));
  return { count, disjoint, ...(step && { step }) };
}

const removesNull = ({ base, revised }: Pair): boolean => {
  const [old, now] = [base?.get('enum'), revised?.get('enum')];
  return isList(old) && isList(now) && old.includes(null) && !now.includes(null);
};

/** Whether the types of both sides come only from their alternatives. */
function areBranches(before: NormalSchema, after: NormalSchema): boolean {
  return (['anyOf', 'oneOf'] as const).some((keyword) =>
    [before, after].every((schema) => {
      const branches = schema[keyword]?.map((location) => resolveSchema(location).types);
      return branches?.every((types) => [...types].every((type) => covers(schema.types, type)));
    }),
  );
}

/** Compares the enums. @returns the number of reported changes */
export function compareEnumeration(comparison: Comparison, schemas: SchemaPair): number {
  const { pair, before, after } = schemas;
  const key = hasConst(pair.base) || hasConst(pair.revised) ? 'const' : 'enum';
  const probe = probeOf(comparison, schemas);
  const values = (schema: NormalSchema) => schema.enum?.filter((value) => value !== null);
  const [old, now] = [values(before), values(after)];
  if (!old && !now) return 0;
  if (!old || !now) {
    // A boolean enum with true and false adds nothing.
    if (
      (old ?? now)!.length === 0 ||
      [...before.types, ...after.types].every((type) => type === 'boolean' || type === 'null')
    )
      return 0;
    comparison.report(
      old ? 'enum-opened' : 'enum-closed',
      pair,
      old ? 'the list of values is no longer closed' : 'only listed values are allowed now',
      { key, before: old, after: now, probe },
    );
    return 1;
  }
  const removed = old.filter((value) => !now.some((other) => equal(value, other)));
  const added = now.filter((value) => !old.some((other) => equal(value, other)));
  // Each value demonstrates the break by itself.
  const witnesses = (values: readonly unknown[], from: SchemaLocation, to: SchemaLocation) => () =>
    values.filter((value) => {
      const alone: SchemaLocation = { document: from.document, schema: { enum: [value] } };
      const relation = comparison.relation(pair.traffic.direction);
      return relation.checkSubset(alone, from).answer === 'yes' && relation.checkSubset(alone, to).answer !== 'yes';
    });
  // Replacing the only value is one change.
  if (old.length === 1 && now.length === 1 && removed.length === 1) {
    comparison.report(
      'constant-changed',
      pair,
      `the only value changed from ${JSON.stringify(removed[0])} to ${JSON.stringify(added[0])}`,
      { key, before: removed[0], after: added[0], probe },
    );
    return 1;
  }
  if (removed.length > 0)
    comparison.report('enum-value-removed', pair, `the ${listed(removed)} removed`, {
      key,
      before: removed,
      after: undefined,
      probe,
      witnesses: witnesses(removed, schemas.a, schemas.b),
    });
  if (added.length > 0)
    comparison.report('enum-value-added', pair, `the ${listed(added)} added`, {
      key,
      before: undefined,
      after: added,
      probe,
      witnesses: witnesses(added, schemas.b, schemas.a),
    });
  return Number(removed.length > 0) + Number(added.length > 0);
}

const listed = (values: readonly unknown[]): string =>
  `${values.length === 1 ? 'value' : 'values'} ${values.map((value) => JSON.stringify(value)).join(', ')} ${values.length === 1 ? 'was' : 'were'}`;

/** All types except null, which has its own rules. */
export const kinds = (schema: NormalSchema): ReadonlySet<TypeName> =>
  new Set([...schema.types].filter((type) => type !== 'null'));
/** Whether a type is included: an integer is a number. */
export const covers = (types: ReadonlySet<TypeName>, type: TypeName): boolean =>
  types.has(type) || (type === 'integer' && types.has('number'));
const typeList = ({ types }: NormalSchema): string[] =>
  types.size >= 6 ? ['anything'] : types.size === 0 ? ['nothing'] : [...types].sort();

const hasConst = (cursor: Cursor | undefined): boolean =>
  isObject(cursor?.value) && Object.hasOwn(cursor.value, 'const');
