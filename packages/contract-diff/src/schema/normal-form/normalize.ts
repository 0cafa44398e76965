// Normalizes schemas: resolves references, merges allOf and siblings, and unifies null, const, and bounds.

import { follow, fragment } from '../location.ts';
import {
  Conjunction,
  Fragment,
  type NormalSchema,
  type SchemaLocation,
  type TypeName,
  type Unevaluated,
} from '../types.ts';
import { hasType, isObject, type JsonObject } from '../values.ts';
import { localKeywords } from './keywords.ts';
import { merge } from './merge.ts';
import { applyNot } from './negation.ts';
import { restrictions, unrestricted } from './normal.ts';
import { tidy } from './tidy.ts';
import { closeUnevaluated } from './unevaluated.ts';

const notUnderstood: NormalSchema = { ...unrestricted, exact: false };

// Cached by document, then by node: a node shared by two documents may refer to different things.
const known = new WeakMap<object, WeakMap<object, NormalSchema>>();
const inProgress = new Set<unknown>();

/**
 * The normal form of a schema.
 *
 * Never throws: an invalid or endlessly recursive schema is unrestricted and not exact.
 */
export function resolveSchema(location: SchemaLocation): NormalSchema {
  const { document, schema } = location;
  if (typeof schema === 'boolean') return schema ? unrestricted : { ...unrestricted, types: new Set() };
  if (typeof schema !== 'object' || schema === null || typeof document.root !== 'object' || document.root === null) {
    return notUnderstood;
  }
  let ofDocument = known.get(document.root);
  if (!ofDocument) {
    ofDocument = new WeakMap();
    known.set(document.root, ofDocument);
  }
  const present = ofDocument.get(schema);
  if (present) return present;
  if (inProgress.has(schema)) return notUnderstood;
  inProgress.add(schema);
  try {
    const normal = normalize(location);
    ofDocument.set(schema, normal);
    return normal;
  } finally {
    inProgress.delete(schema);
  }
}

function normalize(location: SchemaLocation): NormalSchema {
  const { schema } = location;
  if (schema instanceof Fragment) return finish({ ...unrestricted, ...schema.keywords }, {});
  if (schema instanceof Conjunction) {
    const [first = unrestricted, ...others] = schema.members.map(resolveSchema);
    const refName = others.findLast((member) => member.refName !== undefined)?.refName ?? first.refName;
    return { ...finish(others.reduce(merge, first), schema.unevaluated), refName };
  }
  if (!isObject(schema)) return notUnderstood;
  if (schema.nullable === true) return orNull(location, schema);
  return normalizeNode(location, schema);
}

function normalizeNode(location: SchemaLocation, node: JsonObject): NormalSchema {
  const { document } = location;
  const at = (schema: unknown): SchemaLocation => ({ document, schema });
  const members: NormalSchema[] = [];
  let refName: string | undefined;
  if (typeof node.$ref === 'string') {
    const target = follow(document, node.$ref);
    refName = target?.name;
    members.push(target ? resolveSchema(target.location) : notUnderstood);
  }
  if (Array.isArray(node.allOf)) {
    const parts = node.allOf.map((part) => resolveSchema(at(part)));
    // A single member is a reference with a description beside it.
    if (parts.length === 1) refName ??= parts[0]?.refName;
    members.push(...parts);
  }
  const local = localKeywords(node, at);
  const merged = members.reduce(merge, { ...unrestricted, ...local.keywords, exact: local.understood });
  return { ...finish(merged, local.unevaluated), refName: refName ?? undefined };
}

/** Final steps on the merged schema. */
function finish(merged: NormalSchema, unevaluated: Unevaluated): NormalSchema {
  return tidy(narrowTypes(nullBranches(applyNot(tidy(closeUnevaluated(merged, unevaluated)), resolveSchema))));
}

/**
 * `nullable: true` of OpenAPI 3.0. Also honored in 3.1, and beside a `$ref` or an `enum` without null, where the specification
 * gives it no effect: authors mean "or null", and most tools read it so.
 */
function orNull(location: SchemaLocation, node: JsonObject): NormalSchema {
  const { nullable: _, ...rest } = node;
  const normal = normalizeNode(location, rest);
  return withNull(normal) ?? { ...annotationsOf(normal), anyOf: [{ ...location, schema: rest }, nullSchema] };
}

const nullSchema = fragment({ types: new Set<TypeName>(['null']) });

/** Adds null; undefined if more than types and values would have to change. */
function withNull(schema: NormalSchema): NormalSchema | undefined {
  const restriction =
    schema.anyOf ??
    schema.oneOf ??
    schema.not ??
    schema.conditional ??
    (schema.allOf.length > 0 ? schema.allOf : undefined);
  if (restriction !== undefined || !schema.exact) return undefined;
  const types = new Set<TypeName>([...schema.types, 'null']);
  return { ...schema, types, enum: schema.enum && (schema.types.has('null') ? schema.enum : [...schema.enum, null]) };
}

function annotationsOf(schema: NormalSchema): NormalSchema {
  const { refName, readOnly, writeOnly, deprecated, title, description, hasDefault, examples, extensions } = schema;
  return {
    ...unrestricted,
    refName,
    readOnly,
    writeOnly,
    deprecated,
    title,
    description,
    default: schema.default,
    hasDefault,
    examples,
    extensions,
  };
}

/** `oneOf: [X, {type: 'null'}]` equals X with null among its types. */
function nullBranches(schema: NormalSchema): NormalSchema {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = schema[keyword];
    if (branches?.length !== 2) continue;
    const normals = branches.map(resolveSchema);
    const index = normals.findIndex(isNullOnly);
    const other = normals[1 - index];
    if (index < 0 || !other || (keyword === 'oneOf' && hasType(other.types, 'null'))) continue;
    const united = withNull(other);
    if (!united) continue;
    const merged = merge({ ...schema, [keyword]: undefined }, united);
    return { ...merged, refName: schema.refName ?? other.refName };
  }
  return schema;
}

function isNullOnly(schema: NormalSchema): boolean {
  return schema.exact && schema.types.size === 1 && schema.types.has('null') && onlyTypes(schema);
}

/** Whether the schema has only types (and the null value). */
function onlyTypes(schema: NormalSchema): boolean {
  const plain: (keyof NormalSchema)[] = ['exact', 'types', 'enum'];
  if (schema.enum && !(schema.types.size === 1 && schema.types.has('null'))) return false;
  return restrictions(schema).every((keyword) => plain.includes(keyword));
}

/** Whether every value of a type is valid. */
function allowsAll(schema: NormalSchema, type: TypeName): boolean {
  if (!schema.exact || !schema.types.has(type)) return false;
  return restrictions(tidy({ ...schema, types: new Set([type]) })).every((keyword) => keyword === 'types');
}

/** Narrows types to those of at least one branch of each choice. */
function narrowTypes(schema: NormalSchema): NormalSchema {
  let types: ReadonlySet<TypeName> = schema.types;
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (!branches) continue;
    const normals = branches.map(resolveSchema);
    const branchTypes = normals.map((branch) => branch.types);
    types = new Set(
      [...types].flatMap((type): TypeName[] => {
        // `oneOf` rejects all values of a type that two branches don't limit.
        if (branches === schema.oneOf && normals.filter((branch) => allowsAll(branch, type)).length > 1) return [];
        if (type !== 'number') return branchTypes.some((some) => hasType(some, type)) ? [type] : [];
        if (branchTypes.some((some) => some.has('number'))) return ['number'];
        return branchTypes.some((some) => some.has('integer')) ? ['integer'] : [];
      }),
    );
  }
  return types === schema.types ? schema : { ...schema, types };
}
