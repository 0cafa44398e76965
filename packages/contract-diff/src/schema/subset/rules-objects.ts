// Object rules: declared, pattern, and additional properties; their number and dependencies.

import { namedSchemas } from '../normal-form/merge.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import { areDisjoint, refusedBy } from '../patterns.ts';
import { anything, both, compilePattern, conjunction, fragment, nothing } from '../place.ts';
import type { Direction, NormalSchema, SchemaPlace, TypeName } from '../types.ts';
import { type Judge, type Objection, objection, objectionsOfPart } from './judge.ts';

const strings = fragment({ types: new Set<TypeName>(['string']) });

/** All object keywords. */
export function objectRule(a: NormalSchema, wanted: NormalSchema, judge: Judge): Objection[] {
  if (!a.types.has('object')) return [];
  const b = withoutUnsent(a, wanted, judge.direction);
  return [
    ...requiredObjections(a, b),
    ...namedObjections(a, b, judge),
    ...matchingObjections(a, b, judge),
    ...furtherObjections(a, b, judge),
    ...nameObjections(a, b, judge),
    ...countObjections(a, b, judge),
    ...dependentObjections(a, b, judge),
  ];
}

/** Properties that don't exist in this direction. */
export function unsentNames(schema: NormalSchema, direction: Direction): ReadonlySet<string> {
  if (direction === 'any' || schema.properties.size === 0) return noNames;
  const known = unsentBySchema[direction].get(schema);
  if (known) return known;
  const names = new Set<string>();
  for (const [name, place] of schema.properties) {
    const { readOnly, writeOnly } = resolveSchema(place);
    if (direction === 'accept' ? readOnly : writeOnly) names.add(name);
  }
  unsentBySchema[direction].set(schema, names);
  return names;
}

const noNames: ReadonlySet<string> = new Set();
const unsentBySchema = {
  accept: new WeakMap<NormalSchema, ReadonlySet<string>>(),
  emit: new WeakMap<NormalSchema, ReadonlySet<string>>(),
};

/** Sender's view: properties hidden in this direction are never present, so they can't be required. */
export function asSent(schema: NormalSchema, direction: Direction): NormalSchema {
  const unsent = unsentNames(schema, direction);
  if (unsent.size === 0) return schema;
  const properties = new Map(schema.properties);
  for (const name of unsent) properties.set(name, nothing);
  return { ...schema, properties, required: new Set([...schema.required].filter((name) => !unsent.has(name))) };
}

/** Receiver's view: hidden properties are rejected if the sender declares them; otherwise they are never sent. */
function withoutUnsent(a: NormalSchema, b: NormalSchema, direction: Direction): NormalSchema {
  const unsent = unsentNames(b, direction);
  if (unsent.size === 0) return b;
  const properties = new Map(b.properties);
  for (const name of unsent) {
    if (a.properties.has(name)) properties.set(name, nothing);
    else properties.delete(name);
  }
  return { ...b, properties, required: new Set([...b.required].filter((name) => !unsent.has(name))) };
}

export function propertyOf(schema: NormalSchema, name: string): SchemaPlace {
  const said = namedSchemas(schema, name);
  return said.length === 0 ? anything : conjunction(said);
}

function requiredObjections(a: NormalSchema, b: NormalSchema): Objection[] {
  const present = alsoPresent(a, a.required);
  const missing = [...b.required].filter((name) => !present.has(name));
  return missing.map((name) => objection('no', 'required', { path: [name] }));
}

/** Properties that must be present with these, by `dependentRequired`. */
function alsoPresent(schema: NormalSchema, names: Iterable<string>): Set<string> {
  const present = new Set(names);
  // Iterating a set includes names added meanwhile.
  for (const name of present) for (const other of schema.dependentRequired.get(name) ?? []) present.add(other);
  return present;
}

/** The only possible property names, if known. */
function onlyNames(a: NormalSchema, judge: Judge): readonly string[] | undefined {
  const named = a.propertyNames && judge.values(conjunction([a.propertyNames, strings]));
  return named?.filter((name) => typeof name === 'string');
}

function namedObjections(a: NormalSchema, b: NormalSchema, judge: Judge): Objection[] {
  const possible = onlyNames(a, judge);
  return [...b.properties].flatMap(([name, place]) => {
    if (possible && !possible.includes(name)) return [];
    return objectionsOfPart(judge, propertyOf(a, name), place, { kind: 'property', name });
  });
}

function matchingObjections(a: NormalSchema, b: NormalSchema, judge: Judge): Objection[] {
  const possible = onlyNames(a, judge);
  return [...b.patternProperties].flatMap(([pattern, place]) => {
    const matches = (name: string) => compilePattern(pattern)?.test(name) ?? true;
    const found = [...(possible ?? a.properties.keys())]
      .filter(matches)
      .flatMap((name) => objectionsOfPart(judge, propertyOf(a, name), place, { kind: 'property', name }));
    if (possible) return found;
    for (const [other, said] of a.patternProperties) {
      if (other !== pattern && areDisjoint({ patterns: [other] }, { patterns: [pattern] })) continue;
      const certain = other === pattern && a.patternProperties.size === 1;
      found.push(...objectionsOfPart(judge, said, place, { kind: 'matching', pattern: other }, certain));
    }
    const covered = [...a.patternProperties.keys()].some(
      (other) => refusedBy({ patterns: [pattern] }, other)?.length === 0,
    );
    if (!covered) {
      const further = a.additionalProperties ?? anything;
      const certain = a.propertyNames === undefined && a.patternProperties.size === 0;
      found.push(...objectionsOfPart(judge, further, place, { kind: 'matching', pattern }, certain));
    }
    return found;
  });
}

function furtherObjections(a: NormalSchema, b: NormalSchema, judge: Judge): Objection[] {
  const allowed = b.additionalProperties;
  if (!allowed || allowed.schema === true) return [];
  const patterns = [...b.patternProperties.keys()];
  const named = (name: string) =>
    b.properties.has(name) || patterns.some((pattern) => compilePattern(pattern)?.test(name) ?? false);
  const possible = onlyNames(a, judge);
  const found = [...(possible ?? a.properties.keys())]
    .filter((name) => !named(name))
    .flatMap((name) => objectionsOfPart(judge, propertyOf(a, name), allowed, { kind: 'property', name }));
  if (possible) return asAdditional(found);
  for (const [pattern, said] of a.patternProperties) {
    if (patterns.some((other) => refusedBy({ patterns: [pattern] }, other)?.length === 0)) continue;
    const certain = patterns.length === 0 && a.propertyNames === undefined;
    found.push(...objectionsOfPart(judge, said, allowed, { kind: 'matching', pattern }, certain));
  }
  const further = a.additionalProperties ?? anything;
  const names = patternsOfNames(a);
  if (!patterns.some((other) => refusedBy({ patterns: names }, other)?.length === 0)) {
    const certain = patterns.length === 0 && a.propertyNames === undefined && a.patternProperties.size === 0;
    found.push(...objectionsOfPart(judge, further, allowed, { kind: 'further' }, certain));
  }
  return asAdditional(found);
}

/** Blames the keyword that forbids additional properties, rather than its `false`. */
function asAdditional(objections: readonly Objection[]): Objection[] {
  return objections.map((one) => (one.path.length === 1 ? { ...one, keyword: 'additionalProperties' } : one));
}

function patternsOfNames(a: NormalSchema): readonly string[] {
  return a.propertyNames ? resolveSchema(a.propertyNames).patterns : [];
}

function nameObjections(a: NormalSchema, b: NormalSchema, judge: Judge): Objection[] {
  if (!b.propertyNames) return [];
  const wanted = b.propertyNames;
  const found: Objection[] = [];
  const possible = onlyNames(a, judge);
  for (const name of possible ?? a.properties.keys()) {
    const accepted = judge.accepts(wanted, name);
    if (accepted || judge.isEmpty(propertyOf(a, name))) continue;
    const via = { step: { kind: 'property', name } as const, a: propertyOf(a, name), b: nothing };
    found.push(objection(accepted === false ? 'no' : 'unknown', 'propertyNames', { via }));
  }
  if (possible) return found;
  const names = (pattern?: string) => {
    const matching = pattern === undefined ? strings : fragment({ types: new Set(['string']), patterns: [pattern] });
    return both(matching, a.propertyNames) as SchemaPlace;
  };
  const judgeNames = (pattern?: string) => {
    const step = { kind: 'name', pattern } as const;
    for (const one of objectionsOfPart(judge, names(pattern), wanted, step)) {
      found.push({ ...one, keyword: 'propertyNames', path: [] });
    }
  };
  for (const [pattern, said] of a.patternProperties) if (!judge.isEmpty(said)) judgeNames(pattern);
  if (!judge.isEmpty(a.additionalProperties ?? anything)) judgeNames();
  return found;
}

function countObjections(a: NormalSchema, b: NormalSchema, judge: Judge): Objection[] {
  const least = Math.max(a.minProperties ?? 0, alsoPresent(a, a.required).size);
  const found: Objection[] = [];
  if (least < (b.minProperties ?? 0)) found.push(objection('no', 'minProperties'));
  if (b.maxProperties !== undefined && mostProperties(a, judge) > b.maxProperties) {
    found.push(objection('no', 'maxProperties'));
  }
  return found;
}

function mostProperties(a: NormalSchema, judge: Judge): number {
  const limit = a.maxProperties ?? Number.POSITIVE_INFINITY;
  const possible = onlyNames(a, judge);
  const closed = possible ?? (isClosed(a, judge) ? [...a.properties.keys()] : undefined);
  if (!closed) return limit;
  return Math.min(limit, closed.filter((name) => !judge.isEmpty(propertyOf(a, name))).length);
}

function isClosed(a: NormalSchema, judge: Judge): boolean {
  const further = [...a.patternProperties.values(), a.additionalProperties ?? anything];
  return further.every((place) => judge.isEmpty(place));
}

function dependentObjections(a: NormalSchema, b: NormalSchema, judge: Judge): Objection[] {
  const found: Objection[] = [];
  const possible = (name: string) => !judge.isEmpty(propertyOf(a, name));
  for (const [name, needed] of b.dependentRequired) {
    const present = alsoPresent(a, [...a.required, name]);
    const missing = [...needed].find((other) => !present.has(other));
    if (missing === undefined || !possible(name)) continue;
    found.push(objection('no', 'dependentRequired', { path: [missing] }));
  }
  for (const [name, place] of b.dependentSchemas) {
    if (!possible(name)) continue;
    const having = conjunction([fragment(a), fragment({ required: new Set([name]) })]);
    for (const one of judge.objections(having, place)) {
      found.push({ ...one, keyword: 'dependentSchemas', via: { a: having, b: place } });
    }
  }
  return found;
}
