// Converts a schema for Ajv 2020, restricted to what given instances reach.
//
// A schema in a large document reaches nearly all of it, and compiling that for one instance would take seconds. So references
// are inlined only as deep as the instances are.

import { compilePattern, follow } from '../location.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import { allTypes } from '../normal-form/tidy.ts';
import { unsentNames } from '../subset/rules-objects.ts';
import { Conjunction, type Direction, Fragment, type NormalSchema, type SchemaLocation } from '../types.ts';
import { isObject, type JsonObject, listedValues, notUnderstood } from '../values.ts';

interface AjvSchema {
  readonly schema: JsonObject;
  readonly understood: boolean;
}

/** Converts a schema for the instances, without properties hidden in the direction. */
export function toAjvSchema(location: SchemaLocation, instances: readonly unknown[], direction: Direction): AjvSchema {
  const state: State = { direction, understood: true };
  const schema = { allOf: [convertPart(location, instances, state)] };
  return { schema, understood: state.understood };
}

interface State {
  readonly direction: Direction;
  understood: boolean;
}

/** The same instance, for all schemas that apply at its location. */
interface Here {
  readonly instances: readonly unknown[];
  readonly unsent: ReadonlySet<string>;
  readonly state: State;
  /** Nodes being converted at this location: one that contains itself here adds nothing. */
  readonly within: ReadonlySet<unknown>;
}

const copiedKeywords = new Set([
  'type',
  'const',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
]);

function convertPart(location: SchemaLocation, instances: readonly unknown[], state: State): unknown {
  if (instances.length === 0) return true;
  const objects = state.direction !== 'any' && instances.some(isObject);
  const unsent = objects ? unsentNamesAt(location, state.direction, 0) : new Set<string>();
  return convertHere(location, { instances, unsent, state, within: new Set() });
}

/** Properties hidden in this direction by any schema that applies at this location. */
function unsentNamesAt(location: SchemaLocation, direction: Direction, depth: number): Set<string> {
  const schema = resolveSchema(location);
  const names = new Set(unsentNames(schema, direction));
  if (depth > 5) return names;
  const { anyOf = [], oneOf = [], allOf, conditional, dependentSchemas } = schema;
  const conditionals = [conditional?.holds, conditional?.fails].filter((one) => one !== undefined);
  for (const part of [...anyOf, ...oneOf, ...allOf, ...conditionals, ...dependentSchemas.values()]) {
    for (const name of unsentNamesAt(part, direction, depth + 1)) names.add(name);
  }
  return names;
}

function convertHere(location: SchemaLocation, here: Here): unknown {
  const { schema } = location;
  if (typeof schema === 'boolean') return schema;
  if (here.within.has(schema) || !isObject(schema)) {
    here.state.understood = false;
    return true;
  }
  const inside = { ...here, within: new Set([...here.within, schema]) };
  if (schema instanceof Fragment) return convertFragment(schema.keywords, inside);
  if (schema instanceof Conjunction) {
    const { properties, items } = schema.unevaluated;
    return {
      allOf: schema.members.map((member) => convertHere(member, inside)),
      ...(properties ? { unevaluatedProperties: convertPart(properties, members(inside), here.state) } : {}),
      ...(items ? { unevaluatedItems: convertPart(items, elements(inside), here.state) } : {}),
    };
  }
  const converted = convertNode(location, schema, inside);
  const nullable = schema.nullable === true;
  return nullable ? { anyOf: [converted, { type: 'null' }] } : converted;
}

function convertNode({ document }: SchemaLocation, node: JsonObject, here: Here): JsonObject {
  const { state } = here;
  if (notUnderstood.some((keyword) => keyword in node)) state.understood = false;
  const at = (schema: unknown): SchemaLocation => ({ document, schema });
  const same = (schema: unknown) => convertHere(at(schema), here);
  const each = (value: unknown, convertEach: (schema: unknown, name: string) => unknown) =>
    Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).map(([name, one]) => [name, convertEach(one, name)]),
    );
  const converted: Record<string, unknown> = {};
  const all: unknown[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'enum') converted[keyword] = listedValues(node) ?? value;
    else if (copiedKeywords.has(keyword)) converted[keyword] = value;
    else if (keyword === '$ref') all.push(convertReference(at, String(value), here));
    else if (keyword === 'allOf' && Array.isArray(value)) all.push(...value.map(same));
    else if ((keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(value) && value.length > 0) {
      converted[keyword] = value.map(same);
    } else if (['not', 'if', 'then', 'else'].includes(keyword)) converted[keyword] = same(value);
    else if (keyword === 'dependentSchemas') converted[keyword] = each(value, same);
    else if (keyword === 'required' && Array.isArray(value)) {
      converted[keyword] = value.filter((name) => !here.unsent.has(name));
    } else if (keyword === 'properties') {
      converted[keyword] = each(value, (one, name) =>
        here.unsent.has(name)
          ? false
          : convertPart(
              at(one),
              members(here, (other) => other === name),
              state,
            ),
      );
    } else if (keyword === 'patternProperties') {
      converted[keyword] = each(value, (one, pattern) =>
        convertPart(
          at(one),
          members(here, (name) => compilePattern(pattern)?.test(name) ?? true),
          state,
        ),
      );
    } else if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
      converted[keyword] = convertUnlessBoolean(at(value), members(here), state);
    } else if (keyword === 'propertyNames') converted[keyword] = convertPart(at(value), names(here), state);
    else if (keyword === 'prefixItems' && Array.isArray(value) && value.length > 0) {
      converted[keyword] = value.map((one, index) => convertPart(at(one), elements(here, index), state));
    } else if (keyword === 'items' && Array.isArray(value)) {
      converted.prefixItems = value.map((one, index) => convertPart(at(one), elements(here, index), state));
      if ('additionalItems' in node)
        converted.items = convertUnlessBoolean(at(node.additionalItems), elements(here), state);
    } else if (['items', 'contains', 'unevaluatedItems'].includes(keyword)) {
      converted[keyword] = convertUnlessBoolean(at(value), elements(here), state);
    }
  }
  convertBound(node, converted, 'minimum', 'exclusiveMinimum');
  convertBound(node, converted, 'maximum', 'exclusiveMaximum');
  return separateContains(all.length > 0 ? { ...converted, allOf: all } : converted);
}

function convertReference(at: (schema: unknown) => SchemaLocation, ref: string, here: Here): unknown {
  const target = follow(at(undefined).document, ref);
  if (target) return convertHere(target.location, here);
  here.state.understood = false;
  return true;
}

/** 3.0 marks a bound as exclusive with a flag. */
function convertBound(
  node: JsonObject,
  converted: Record<string, unknown>,
  inclusive: string,
  exclusive: string,
): void {
  if (typeof node[exclusive] === 'number') converted[exclusive] = node[exclusive];
  if (typeof node[inclusive] !== 'number') return;
  converted[node[exclusive] === true ? exclusive : inclusive] = node[inclusive];
}

function convertUnlessBoolean(location: SchemaLocation, instances: readonly unknown[], state: State): unknown {
  return typeof location.schema === 'boolean' ? location.schema : convertPart(location, instances, state);
}

function convertFragment(keywords: Partial<NormalSchema>, here: Here): JsonObject {
  const { state } = here;
  if (keywords.exact === false) state.understood = false;
  const same = (location: SchemaLocation) => convertHere(location, here);
  const map = (
    locations: ReadonlyMap<string, SchemaLocation> = new Map(),
    convertEach: (location: SchemaLocation, name: string) => unknown,
  ) => Object.fromEntries([...locations].map(([name, location]) => [name, convertEach(location, name)]));
  const part = (location: SchemaLocation | undefined, instances: readonly unknown[]) =>
    location && convertUnlessBoolean(location, instances, state);
  const { types, minimum, maximum, contains, conditional } = keywords;
  const converted: Record<string, unknown> = {
    type: types && types.size < allTypes.size ? [...types] : undefined,
    enum: keywords.enum,
    [minimum?.exclusive ? 'exclusiveMinimum' : 'minimum']: minimum?.value,
    [maximum?.exclusive ? 'exclusiveMaximum' : 'maximum']: maximum?.value,
    multipleOf: keywords.multipleOf,
    minLength: keywords.minLength,
    maxLength: keywords.maxLength,
    format: keywords.format,
    properties: map(keywords.properties, (location, name) =>
      here.unsent.has(name)
        ? false
        : convertPart(
            location,
            members(here, (other) => other === name),
            state,
          ),
    ),
    patternProperties: map(keywords.patternProperties, (location, pattern) =>
      convertPart(
        location,
        members(here, (name) => compilePattern(pattern)?.test(name) ?? true),
        state,
      ),
    ),
    required: keywords.required && [...keywords.required].filter((name) => !here.unsent.has(name)),
    additionalProperties: part(keywords.additionalProperties, members(here)),
    unevaluatedProperties: part(keywords.unevaluatedProperties, members(here)),
    propertyNames: part(keywords.propertyNames, names(here)),
    minProperties: keywords.minProperties,
    maxProperties: keywords.maxProperties,
    dependentRequired: Object.fromEntries([...(keywords.dependentRequired ?? [])].map(([name, of]) => [name, [...of]])),
    dependentSchemas: map(keywords.dependentSchemas, same),
    minItems: keywords.minItems,
    maxItems: keywords.maxItems,
    uniqueItems: keywords.uniqueItems,
    items: part(keywords.items, elements(here)),
    unevaluatedItems: part(keywords.unevaluatedItems, elements(here)),
    anyOf: keywords.anyOf?.map(same),
    oneOf: keywords.oneOf?.map(same),
    not: keywords.not && same(keywords.not),
    allOf: [...(keywords.patterns ?? []).map((pattern) => ({ pattern })), ...(keywords.allOf ?? []).map(same)],
  };
  if (keywords.prefixItems && keywords.prefixItems.length > 0) {
    converted.prefixItems = keywords.prefixItems.map((location, index) =>
      convertPart(location, elements(here, index), state),
    );
  }
  if (contains) {
    converted.contains = part(contains.schema, elements(here));
    converted.minContains = contains.min;
    if (contains.max < Number.POSITIVE_INFINITY) converted.maxContains = contains.max;
  }
  if (conditional) {
    const { if: condition, holds, fails } = conditional;
    for (const [keyword, location] of [
      ['if', condition],
      ['then', holds],
      ['else', fails],
    ] as const) {
      if (location) converted[keyword] = same(location);
    }
  }
  if (types?.size === 0 || keywords.enum?.length === 0) converted.not = {};
  const definedKeywords = Object.entries(converted).filter(([, value]) => value !== undefined && !isEmptyList(value));
  return separateContains(Object.fromEntries(definedKeywords));
}

/** Works around Ajv 8, which skips `contains` for empty arrays beside `prefixItems`: moves it into a separate schema. */
function separateContains(converted: JsonObject): JsonObject {
  if (!('prefixItems' in converted && 'contains' in converted)) return converted;
  const { contains, minContains, maxContains, ...rest } = converted;
  const containsKeywords = Object.entries({ contains, minContains, maxContains }).filter(
    ([, value]) => value !== undefined,
  );
  const all = Array.isArray(rest.allOf) ? rest.allOf : [];
  return { ...rest, allOf: [...all, Object.fromEntries(containsKeywords)] };
}

/** JSON Schema forbids empty lists of schemas, types, or values. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function members({ instances }: Here, isSelected: (name: string) => boolean = () => true): unknown[] {
  return instances.filter(isObject).flatMap((object) =>
    Object.entries(object)
      .filter(([name]) => isSelected(name))
      .map(([, value]) => value),
  );
}

function names({ instances }: Here): string[] {
  return instances.filter(isObject).flatMap((object) => Object.keys(object));
}

function elements({ instances }: Here, index?: number): unknown[] {
  const arrays = instances.filter((instance): instance is unknown[] => Array.isArray(instance));
  return arrays.flatMap((array) => (index === undefined ? array : array.slice(index, index + 1)));
}
