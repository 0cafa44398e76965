// Splits a schema into several that together have the same instances.
//
// Expands choices of the narrower side. A choice of the wider side that can't be proven for all instances at once may be provable
// for each kind: by type, property value, property presence, or range.

import { conjunction, fragment, nothing } from '../location.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import type { NormalSchema, SchemaLocation } from '../types.ts';
import { hasType } from '../values.ts';
import type { SubsetChecker } from './checker.ts';
import { propertyOf } from './rules-objects.ts';

const maxValues = 32;

/** Expands the schema's first choice; undefined if it has none. */
export function splitByOwnChoice(a: NormalSchema, checker: SubsetChecker): SchemaLocation[] | undefined {
  if (a.oneOf) {
    const base = fragment({ ...a, oneOf: undefined });
    const branches = a.oneOf;
    return branches.map((branch, index) => {
      // oneOf excludes the other branches; state that only where it is not implied.
      const others = branches.filter((other, at) => at !== index && !checker.areDisjoint(branch, other));
      return conjunction([
        base,
        branch,
        ...(others.length > 0 ? [fragment({ not: fragment({ anyOf: others }) })] : []),
      ]);
    });
  }
  if (a.anyOf) {
    const base = fragment({ ...a, anyOf: undefined });
    return a.anyOf.map((branch) => conjunction([base, branch]));
  }
  if (a.conditional) {
    const { if: condition, holds, fails } = a.conditional;
    const base = fragment({ ...a, conditional: undefined });
    return [
      conjunction([base, condition, ...(holds ? [holds] : [])]),
      conjunction([base, fragment({ not: condition }), ...(fails ? [fails] : [])]),
    ];
  }
  const [dependent] = a.dependentSchemas;
  if (dependent) {
    const [name, location] = dependent;
    const others = new Map(a.dependentSchemas);
    others.delete(name);
    const base = fragment({ ...a, dependentSchemas: others });
    return [conjunction([base, lacking(name)]), conjunction([base, having(name), location])];
  }
  return splitByInnerChoice(a);
}

/** Replaces the schema's own choice with the first one in its `allOf`, which could not be merged. */
function splitByInnerChoice(a: NormalSchema): SchemaLocation[] | undefined {
  const index = a.allOf.findIndex((location) => {
    const { oneOf, anyOf, conditional, dependentSchemas } = resolveSchema(location);
    return oneOf ?? anyOf ?? conditional ?? (dependentSchemas.size > 0 ? dependentSchemas : undefined);
  });
  const chosen = a.allOf[index];
  if (!chosen) return undefined;
  return [conjunction([fragment({ ...a, allOf: a.allOf.filter((_, at) => at !== index) }), chosen])];
}

/** Kinds of instances that a choice of `b` may distinguish; undefined if there are none. */
export function splitByKind(a: NormalSchema, b: NormalSchema, checker: SubsetChecker): SchemaLocation[] | undefined {
  const choices = choicesOf(b);
  if (choices.length === 0 && !b.enum) return undefined;
  const whole = fragment(a);
  if (a.types.size > 1) return [...a.types].map((type) => conjunction([whole, fragment({ types: new Set([type]) })]));
  if (a.types.has('object')) return splitByProperty(a, choices, checker);
  return hasType(a.types, 'integer') ? splitByRange(a, choices) : undefined;
}

/** All schemas that b's instances must or must not match, including nested ones. */
function choicesOf(b: NormalSchema, depth = 0): NormalSchema[] {
  const { conditional } = b;
  const direct = [
    ...(b.anyOf ?? []),
    ...(b.oneOf ?? []),
    ...b.allOf,
    ...(b.not ? [b.not] : []),
    ...(conditional ? [conditional.if] : []),
  ].map(resolveSchema);
  return depth > 3 ? direct : direct.flatMap((branch) => [branch, ...choicesOf(branch, depth + 1)]);
}

function splitByProperty(
  a: NormalSchema,
  choices: readonly NormalSchema[],
  checker: SubsetChecker,
): SchemaLocation[] | undefined {
  const whole = fragment(a);
  const named = new Set(choices.flatMap((choice) => [...choice.properties.keys(), ...choice.required]));
  for (const name of named) {
    if (!a.required.has(name)) continue;
    const values = checker.values(propertyOf(a, name));
    if (!values || values.length < 2 || values.length > maxValues) continue;
    return values.map((value) => {
      const property = fragment({ enum: [value] });
      return conjunction([whole, fragment({ properties: new Map([[name, property]]) })]);
    });
  }
  const distinguishingNames = new Set(choices.flatMap((choice) => [...choice.required, ...forbiddenNames(choice)]));
  for (const name of distinguishingNames) {
    if (a.required.has(name) || checker.isEmpty(propertyOf(a, name))) continue;
    return [conjunction([whole, lacking(name)]), conjunction([whole, having(name)])];
  }
  return undefined;
}

function forbiddenNames(choice: NormalSchema): string[] {
  const isForbidden = ([, location]: [string, SchemaLocation]) => resolveSchema(location).types.size === 0;
  return [...choice.properties].filter(isForbidden).map(([name]) => name);
}

function splitByRange(a: NormalSchema, choices: readonly NormalSchema[]): SchemaLocation[] | undefined {
  const low = a.minimum?.value ?? Number.NEGATIVE_INFINITY;
  const high = a.maximum?.value ?? Number.POSITIVE_INFINITY;
  const ends = choices.flatMap(({ minimum, maximum }) => [minimum, maximum]);
  const end = ends.find((bound) => bound && bound.value > low && bound.value < high);
  if (!end) return undefined;
  const { value } = end;
  const part = (keywords: Partial<NormalSchema>) => conjunction([fragment(a), fragment(keywords)]);
  return [
    part({ maximum: { value, exclusive: true } }),
    part({ minimum: { value, exclusive: false }, maximum: { value, exclusive: false } }),
    part({ minimum: { value, exclusive: true } }),
  ];
}

function lacking(name: string): SchemaLocation {
  return fragment({ properties: new Map([[name, nothing]]) });
}

function having(name: string): SchemaLocation {
  return fragment({ required: new Set([name]) });
}
