// Converts a schema for Ajv 2020, restricted to what given instances reach.
//
// A schema in a large document reaches nearly all of it, and compiling that for one instance would take seconds. So references
// are inlined only as deep as the instances are.

import { resolveSchema } from '../normal-form/normalize.ts';
import { allTypes } from '../normal-form/tidy.ts';
import { compilePattern, follow } from '../place.ts';
import { unsentNames } from '../subset/rules-objects.ts';
import { Conjunction, type Direction, Fragment, type NormalSchema, type SchemaPlace } from '../types.ts';
import { isObject, type JsonObject, listedValues, notUnderstood } from '../values.ts';

interface Spelled {
  readonly schema: JsonObject;
  readonly understood: boolean;
}

/** Converts a schema for the instances, without properties hidden in the direction. */
export function spell(place: SchemaPlace, instances: readonly unknown[], direction: Direction): Spelled {
  const state: State = { direction, understood: true };
  const schema = { allOf: [spellPart(place, instances, state)] };
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

const copied = new Set([
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

function spellPart(place: SchemaPlace, instances: readonly unknown[], state: State): unknown {
  if (instances.length === 0) return true;
  const objects = state.direction !== 'any' && instances.some(isObject);
  const unsent = objects ? unsentHere(place, state.direction, 0) : new Set<string>();
  return spellHere(place, { instances, unsent, state, within: new Set() });
}

/** Properties hidden in this direction by any schema that applies at this location. */
function unsentHere(place: SchemaPlace, direction: Direction, depth: number): Set<string> {
  const schema = resolveSchema(place);
  const names = new Set(unsentNames(schema, direction));
  if (depth > 5) return names;
  const { anyOf = [], oneOf = [], allOf, conditional, dependentSchemas } = schema;
  const conditionals = [conditional?.holds, conditional?.fails].filter((one) => one !== undefined);
  for (const part of [...anyOf, ...oneOf, ...allOf, ...conditionals, ...dependentSchemas.values()]) {
    for (const name of unsentHere(part, direction, depth + 1)) names.add(name);
  }
  return names;
}

function spellHere(place: SchemaPlace, here: Here): unknown {
  const { schema } = place;
  if (typeof schema === 'boolean') return schema;
  if (here.within.has(schema) || !isObject(schema)) {
    here.state.understood = false;
    return true;
  }
  const inside = { ...here, within: new Set([...here.within, schema]) };
  if (schema instanceof Fragment) return spellFragment(schema.keywords, inside);
  if (schema instanceof Conjunction) {
    const { properties, items } = schema.unevaluated;
    return {
      allOf: schema.members.map((member) => spellHere(member, inside)),
      ...(properties ? { unevaluatedProperties: spellPart(properties, members(inside), here.state) } : {}),
      ...(items ? { unevaluatedItems: spellPart(items, elements(inside), here.state) } : {}),
    };
  }
  const spelled = spellNode(place, schema, inside);
  const nullable = schema.nullable === true;
  return nullable ? { anyOf: [spelled, { type: 'null' }] } : spelled;
}

function spellNode({ document }: SchemaPlace, node: JsonObject, here: Here): JsonObject {
  const { state } = here;
  if (notUnderstood.some((keyword) => keyword in node)) state.understood = false;
  const at = (schema: unknown): SchemaPlace => ({ document, schema });
  const same = (schema: unknown) => spellHere(at(schema), here);
  const each = (value: unknown, spellEach: (schema: unknown, name: string) => unknown) =>
    Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([name, one]) => [name, spellEach(one, name)]));
  const spelled: Record<string, unknown> = {};
  const all: unknown[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'enum') spelled[keyword] = listedValues(node) ?? value;
    else if (copied.has(keyword)) spelled[keyword] = value;
    else if (keyword === '$ref') all.push(spellReference(at, String(value), here));
    else if (keyword === 'allOf' && Array.isArray(value)) all.push(...value.map(same));
    else if ((keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(value) && value.length > 0) {
      spelled[keyword] = value.map(same);
    } else if (['not', 'if', 'then', 'else'].includes(keyword)) spelled[keyword] = same(value);
    else if (keyword === 'dependentSchemas') spelled[keyword] = each(value, same);
    else if (keyword === 'required' && Array.isArray(value)) {
      spelled[keyword] = value.filter((name) => !here.unsent.has(name));
    } else if (keyword === 'properties') {
      spelled[keyword] = each(value, (one, name) =>
        here.unsent.has(name)
          ? false
          : spellPart(
              at(one),
              members(here, (other) => other === name),
              state,
            ),
      );
    } else if (keyword === 'patternProperties') {
      spelled[keyword] = each(value, (one, pattern) =>
        spellPart(
          at(one),
          members(here, (name) => compilePattern(pattern)?.test(name) ?? true),
          state,
        ),
      );
    } else if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
      spelled[keyword] = spellUnlessBoolean(at(value), members(here), state);
    } else if (keyword === 'propertyNames') spelled[keyword] = spellPart(at(value), names(here), state);
    else if (keyword === 'prefixItems' && Array.isArray(value) && value.length > 0) {
      spelled[keyword] = value.map((one, index) => spellPart(at(one), elements(here, index), state));
    } else if (keyword === 'items' && Array.isArray(value)) {
      spelled.prefixItems = value.map((one, index) => spellPart(at(one), elements(here, index), state));
      if ('additionalItems' in node)
        spelled.items = spellUnlessBoolean(at(node.additionalItems), elements(here), state);
    } else if (['items', 'contains', 'unevaluatedItems'].includes(keyword)) {
      spelled[keyword] = spellUnlessBoolean(at(value), elements(here), state);
    }
  }
  spellBound(node, spelled, 'minimum', 'exclusiveMinimum');
  spellBound(node, spelled, 'maximum', 'exclusiveMaximum');
  return apartFromPrefix(all.length > 0 ? { ...spelled, allOf: all } : spelled);
}

function spellReference(at: (schema: unknown) => SchemaPlace, ref: string, here: Here): unknown {
  const target = follow(at(undefined).document, ref);
  if (target) return spellHere(target.place, here);
  here.state.understood = false;
  return true;
}

/** 3.0 marks a bound as exclusive with a flag. */
function spellBound(node: JsonObject, spelled: Record<string, unknown>, inclusive: string, exclusive: string): void {
  if (typeof node[exclusive] === 'number') spelled[exclusive] = node[exclusive];
  if (typeof node[inclusive] !== 'number') return;
  spelled[node[exclusive] === true ? exclusive : inclusive] = node[inclusive];
}

function spellUnlessBoolean(place: SchemaPlace, instances: readonly unknown[], state: State): unknown {
  return typeof place.schema === 'boolean' ? place.schema : spellPart(place, instances, state);
}

function spellFragment(keywords: Partial<NormalSchema>, here: Here): JsonObject {
  const { state } = here;
  if (keywords.exact === false) state.understood = false;
  const same = (place: SchemaPlace) => spellHere(place, here);
  const map = (
    places: ReadonlyMap<string, SchemaPlace> = new Map(),
    spellEach: (place: SchemaPlace, name: string) => unknown,
  ) => Object.fromEntries([...places].map(([name, place]) => [name, spellEach(place, name)]));
  const part = (place: SchemaPlace | undefined, instances: readonly unknown[]) =>
    place && spellUnlessBoolean(place, instances, state);
  const { types, minimum, maximum, contains, conditional } = keywords;
  const spelled: Record<string, unknown> = {
    type: types && types.size < allTypes.size ? [...types] : undefined,
    enum: keywords.enum,
    [minimum?.exclusive ? 'exclusiveMinimum' : 'minimum']: minimum?.value,
    [maximum?.exclusive ? 'exclusiveMaximum' : 'maximum']: maximum?.value,
    multipleOf: keywords.multipleOf,
    minLength: keywords.minLength,
    maxLength: keywords.maxLength,
    format: keywords.format,
    properties: map(keywords.properties, (place, name) =>
      here.unsent.has(name)
        ? false
        : spellPart(
            place,
            members(here, (other) => other === name),
            state,
          ),
    ),
    patternProperties: map(keywords.patternProperties, (place, pattern) =>
      spellPart(
        place,
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
    spelled.prefixItems = keywords.prefixItems.map((place, index) => spellPart(place, elements(here, index), state));
  }
  if (contains) {
    spelled.contains = part(contains.schema, elements(here));
    spelled.minContains = contains.min;
    if (contains.max < Number.POSITIVE_INFINITY) spelled.maxContains = contains.max;
  }
  if (conditional) {
    const { if: condition, holds, fails } = conditional;
    for (const [keyword, place] of [
      ['if', condition],
      ['then', holds],
      ['else', fails],
    ] as const) {
      if (place) spelled[keyword] = same(place);
    }
  }
  if (types?.size === 0 || keywords.enum?.length === 0) spelled.not = {};
  const said = Object.entries(spelled).filter(([, value]) => value !== undefined && !isEmptyList(value));
  return apartFromPrefix(Object.fromEntries(said));
}

/** Works around Ajv 8, which skips `contains` for empty arrays beside `prefixItems`: moves it into a separate schema. */
function apartFromPrefix(spelled: JsonObject): JsonObject {
  if (!('prefixItems' in spelled && 'contains' in spelled)) return spelled;
  const { contains, minContains, maxContains, ...rest } = spelled;
  const given = Object.entries({ contains, minContains, maxContains }).filter(([, value]) => value !== undefined);
  const all = Array.isArray(rest.allOf) ? rest.allOf : [];
  return { ...rest, allOf: [...all, Object.fromEntries(given)] };
}

/** JSON Schema forbids empty lists of schemas, types, or values. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function members({ instances }: Here, wanted: (name: string) => boolean = () => true): unknown[] {
  return instances.filter(isObject).flatMap((object) =>
    Object.entries(object)
      .filter(([name]) => wanted(name))
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
