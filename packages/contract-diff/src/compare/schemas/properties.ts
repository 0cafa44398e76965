// Compares properties: added, removed, renamed, required, hidden, and additional ones.

import type { Cursor } from '../../load/document.ts';
import { type NormalSchema, resolveSchema, type SchemaLocation } from '../../schema/index.ts';
import { restrictions } from '../../schema/normal-form/normal.ts';
import { propertyOf } from '../../schema/subset/rules-objects.ts';
import type { Comparison, Traffic } from '../comparison.ts';
import { removal } from '../lifecycle.ts';
import { hintOf, matchRenames, renameEvidence } from '../rename.ts';
import { cursorOf } from './schema-cursor.ts';
import { isNever, isPlain, probeOf, type SchemaPair, type Walk } from './schema-pair.ts';
import { kinds } from './types.ts';

/** Compares the properties. @returns the number of reported changes of the allowed values, including nested ones */
export function compareProperties(comparison: Comparison, walk: Walk, schemas: SchemaPair): number {
  const { pair, before, after } = schemas;
  const { direction } = pair.traffic;
  const probe = probeOf(comparison, schemas);
  const removed: Property[] = [];
  const added: Property[] = [];
  let count = 0;
  const names = new Set([
    ...before.properties.keys(),
    ...after.properties.keys(),
    ...before.required,
    ...after.required,
  ]);
  for (const name of names) {
    if (unchanged(comparison, name, before, after)) continue;
    const named = (schema: NormalSchema) => schema.properties.has(name) || schema.required.has(name);
    const implied = named(before) && named(after);
    const old = property(name, before, pair.base!, direction, implied);
    const now = property(name, after, pair.revised!, direction, implied);
    const where = `${pair.where}.${name}`;
    if (old && now) {
      count += compareShared(comparison, walk, schemas, old, now, where);
      continue;
    }
    // A property that moves into or out of alternatives is compared with them.
    if (old?.visible && !(isChoice(after) && !isChoice(before) && inBranches(after, name))) removed.push(old);
    if (now?.visible && !(isChoice(before) && !isChoice(after) && inBranches(before, name))) added.push(now);
    if (!old && !now) count += compareRequired(comparison, schemas, name, where);
  }
  const similarity = (from: Property, to: Property) =>
    comparison.sameness.alike(from.location, to.location) ? 1 : kindSimilarity(from, to);
  const unchangedSiblings = () =>
    [...before.properties.keys()].flatMap((name) => {
      const same = after.properties.has(name) ? property(name, after, pair.revised!, direction) : undefined;
      return same ? [same] : [];
    });
  const found = matchRenames(removed, added, similarity, renameEvidence(unchangedSiblings));
  for (const [from, to] of found.renames) {
    count++;
    comparison.report(
      'property-renamed',
      pair.below(from.cursor, to.cursor, `${pair.where}.${from.name}`),
      `was renamed to \`${to.name}\``,
      { before: from.name, after: to.name, probe },
    );
  }
  for (const property of removed) {
    count++;
    const { name, cursor } = property;
    const { rule, text } = removal(comparison, 'property-removed', cursor);
    const where = `${pair.where}.${name}`;
    comparison.report(rule, pair.below(cursor, undefined, where), `${text}${hintOf(found, property)}`, { probe });
  }
  for (const now of added) {
    count++;
    const { name, cursor, required } = now;
    const where = `${pair.where}.${name}`;
    const rule = required ? 'required-property-added' : 'property-added';
    comparison.report(rule, pair.below(undefined, cursor, where), `was added${required ? ', and is required' : ''}`, {
      probe,
    });
    // The schema of other properties already applied to it.
    const other = property(name, before, pair.base!, direction, isLimited(before, name));
    if (other) count += walk.compare(pair.below(other.cursor, cursor, where), other.location, now.location, false);
  }
  return count;
}

const isLimited = (schema: NormalSchema, name: string): boolean =>
  restrictions(resolveSchema(propertyOf(schema, name))).length > 0;

const isChoice = ({ anyOf, oneOf }: NormalSchema): boolean => anyOf !== undefined || oneOf !== undefined;

const inBranches = ({ anyOf = [], oneOf = [] }: NormalSchema, name: string): boolean =>
  [...anyOf, ...oneOf].some((branch) => resolveSchema(branch).properties.has(name));

/** Compares additional properties. @returns the number of reported changes */
export function compareOtherProperties(comparison: Comparison, walk: Walk, schemas: SchemaPair): number {
  const { pair, before, after } = schemas;
  const [old, now] = [before.additionalProperties, after.additionalProperties];
  const [oldClosed, nowClosed] = [isNever(old), isNever(now)];
  if (oldClosed && nowClosed) return 0;
  if (oldClosed === nowClosed) return walk.part(schemas, 'additionalProperties', old, now, `${pair.where}{}`);
  comparison.report(
    nowClosed ? 'other-properties-refused' : 'other-properties-allowed',
    pair,
    nowClosed ? 'unlisted properties are rejected now' : 'unlisted properties are allowed now',
    { key: 'additionalProperties', probe: probeOf(comparison, schemas) },
  );
  return 1;
}

/** Fast path: most properties are unchanged. */
function unchanged(comparison: Comparison, name: string, before: NormalSchema, after: NormalSchema): boolean {
  const [a, b] = [before.properties.get(name), after.properties.get(name)];
  if (!a || !b || before.required.has(name) !== after.required.has(name) || !isPlain(a) || !isPlain(b)) return false;
  return comparison.sameness.identical(a.schema, b.schema);
}

/** A property on both sides; one of them may hide it in this direction. */
function compareShared(
  comparison: Comparison,
  walk: Walk,
  schemas: SchemaPair,
  old: Property,
  now: Property,
  where: string,
): number {
  const { pair } = schemas;
  const { texts } = pair.traffic;
  // Form fields are parts.
  const traffic: Traffic =
    texts?.kind === 'form' ? { ...pair.traffic, texts: { ...texts, kind: 'part' } } : pair.traffic;
  const at = pair.below(old.cursor, now.cursor, where, traffic);
  const accepting = pair.traffic.direction === 'accept';
  const probe = probeOf(comparison, schemas);
  if (old.visible !== now.visible) {
    const key = accepting ? 'readOnly' : 'writeOnly';
    if (old.visible)
      comparison.report(
        'property-hidden',
        at,
        accepting ? 'can no longer be sent: it is read-only' : 'is no longer sent: it is write-only',
        { key, probe },
      );
    else
      comparison.report(
        now.required ? 'required-property-added' : 'property-added',
        at,
        accepting ? 'can be sent now: it is no longer read-only' : 'is sent now: it is no longer write-only',
        { key, probe },
      );
    return 1;
  }
  if (!old.visible) return 0;
  let count = 0;
  if (old.required !== now.required) {
    count++;
    comparison.report(
      now.required ? 'property-became-required' : 'property-became-optional',
      at,
      now.required ? 'is required now' : 'is no longer required',
      { before: old.required ? 'required' : 'optional', after: now.required ? 'required' : 'optional', probe },
    );
  }
  return count + walk.compare(at, old.location, now.location, old.required && now.required);
}

/** `required` may list a property without a schema. */
function compareRequired(comparison: Comparison, schemas: SchemaPair, name: string, where: string): number {
  const { pair, before, after } = schemas;
  if (before.required.has(name) === after.required.has(name)) return 0;
  const required = after.required.has(name);
  comparison.report(
    required ? 'property-became-required' : 'property-became-optional',
    pair.below(pair.base, pair.revised, where),
    required ? 'is required now' : 'is no longer required',
    { key: 'required', probe: probeOf(comparison, schemas) },
  );
  return 1;
}

interface Property {
  readonly name: string;
  readonly location: SchemaLocation;
  readonly cursor: Cursor;
  readonly required: boolean;
  /** Whether it is visible in this direction. */
  readonly visible: boolean;
}

/** @param implied whether a property without a schema gets that of other properties */
function property(
  name: string,
  schema: NormalSchema,
  parent: Cursor,
  direction: 'accept' | 'emit',
  implied = false,
): Property | undefined {
  const location = schema.properties.get(name) ?? (implied ? propertyOf(schema, name) : undefined);
  if (!location) return undefined;
  const { readOnly, writeOnly, types } = resolveSchema(location);
  // `false` forbids the property.
  if (types.size === 0) return undefined;
  return {
    name,
    location,
    cursor: cursorOf(location, parent, `properties/${name}`),
    required: schema.required.has(name),
    visible: direction === 'accept' ? !readOnly : !writeOnly,
  };
}

const kindSimilarity = (from: Property, to: Property): number => {
  const [a, b] = [kinds(resolveSchema(from.location)), kinds(resolveSchema(to.location))];
  return a.size === b.size && [...a].every((type) => b.has(type)) ? 0.5 : 0;
};
