// Splits a schema into several that together have the same instances.
//
// Expands choices of the narrower side. A choice of the wider side that can't be proven for all instances at once may be provable
// for each kind: by type, property value, property presence, or range.

import { resolveSchema } from '../normal-form/normalize.ts';
import { conjunction, fragment, nothing } from '../place.ts';
import type { NormalSchema, SchemaPlace } from '../types.ts';
import { hasType } from '../values.ts';
import type { Judge } from './judge.ts';
import { propertyOf } from './rules-objects.ts';

const mostValues = 32;

/** Expands the schema's first choice; undefined if it has none. */
export function byOwnChoice(a: NormalSchema, judge: Judge): SchemaPlace[] | undefined {
  if (a.oneOf) {
    const base = fragment({ ...a, oneOf: undefined });
    const branches = a.oneOf;
    return branches.map((branch, index) => {
      // oneOf excludes the other branches; state that only where it is not implied.
      const others = branches.filter((other, at) => at !== index && !judge.areDisjoint(branch, other));
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
    const [name, place] = dependent;
    const others = new Map(a.dependentSchemas);
    others.delete(name);
    const base = fragment({ ...a, dependentSchemas: others });
    return [conjunction([base, lacking(name)]), conjunction([base, having(name), place])];
  }
  return byInnerChoice(a);
}

/** Replaces the schema's own choice with the first one in its `allOf`, which could not be merged. */
function byInnerChoice(a: NormalSchema): SchemaPlace[] | undefined {
  const index = a.allOf.findIndex((place) => {
    const { oneOf, anyOf, conditional, dependentSchemas } = resolveSchema(place);
    return oneOf ?? anyOf ?? conditional ?? (dependentSchemas.size > 0 ? dependentSchemas : undefined);
  });
  const chosen = a.allOf[index];
  if (!chosen) return undefined;
  return [conjunction([fragment({ ...a, allOf: a.allOf.filter((_, at) => at !== index) }), chosen])];
}

/** Kinds of instances that a choice of `b` may distinguish; undefined if there are none. */
export function byKind(a: NormalSchema, b: NormalSchema, judge: Judge): SchemaPlace[] | undefined {
  const choices = choicesOf(b);
  if (choices.length === 0 && !b.enum) return undefined;
  const whole = fragment(a);
  if (a.types.size > 1) return [...a.types].map((type) => conjunction([whole, fragment({ types: new Set([type]) })]));
  if (a.types.has('object')) return byProperty(a, choices, judge);
  return hasType(a.types, 'integer') ? byRange(a, choices) : undefined;
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

function byProperty(a: NormalSchema, choices: readonly NormalSchema[], judge: Judge): SchemaPlace[] | undefined {
  const whole = fragment(a);
  const named = new Set(choices.flatMap((choice) => [...choice.properties.keys(), ...choice.required]));
  for (const name of named) {
    if (!a.required.has(name)) continue;
    const values = judge.values(propertyOf(a, name));
    if (!values || values.length < 2 || values.length > mostValues) continue;
    return values.map((value) => {
      const property = fragment({ enum: [value] });
      return conjunction([whole, fragment({ properties: new Map([[name, property]]) })]);
    });
  }
  const asked = new Set(choices.flatMap((choice) => [...choice.required, ...refusedNames(choice)]));
  for (const name of asked) {
    if (a.required.has(name) || judge.isEmpty(propertyOf(a, name))) continue;
    return [conjunction([whole, lacking(name)]), conjunction([whole, having(name)])];
  }
  return undefined;
}

function refusedNames(choice: NormalSchema): string[] {
  const refused = ([, place]: [string, SchemaPlace]) => resolveSchema(place).types.size === 0;
  return [...choice.properties].filter(refused).map(([name]) => name);
}

function byRange(a: NormalSchema, choices: readonly NormalSchema[]): SchemaPlace[] | undefined {
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

function lacking(name: string): SchemaPlace {
  return fragment({ properties: new Map([[name, nothing]]) });
}

function having(name: string): SchemaPlace {
  return fragment({ required: new Set([name]) });
}
