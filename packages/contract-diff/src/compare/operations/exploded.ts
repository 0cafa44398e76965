// Detects parameters merged into or split from an object: in `a=1&b=2`, each property is a parameter on the wire.

import { Cursor } from '../../load/document.ts';
import type { Parameter } from '../../load/operations.ts';
import { resolveSchema, type SchemaLocation } from '../../schema/index.ts';
import type { Comparison, Pair } from '../comparison.ts';
import { compareSchemas } from '../schemas/schema.ts';
import { cursorOf } from '../schemas/schema-cursor.ts';
import { kinds } from '../schemas/types.ts';
import { isExploded } from './serialization.ts';

interface Part {
  readonly name: string;
  readonly cursor: Cursor;
  readonly place: SchemaLocation;
  readonly required: boolean;
}

/** Compares parameters that became properties of an object, or vice versa. Removes matched ones from both lists. */
export function matchExploded(
  comparison: Comparison,
  pair: Pair,
  removed: Parameter[],
  added: Parameter[],
  label: (parameter: Pick<Parameter, 'name' | 'place'>) => string,
): void {
  for (const group of [...added]) regroup(group, added, removed, false);
  for (const group of [...removed]) regroup(group, removed, added, true);

  /** @param isSplit whether the object is on the old side */
  function regroup(group: Parameter, groups: Parameter[], singles: Parameter[], isSplit: boolean): void {
    const parts = partsOf(group);
    const single = ({ name }: Part) => singles.find((one) => one.name === name && one.place === group.place);
    const matched = parts.flatMap((part) => single(part) ?? []);
    if (matched.length === 0) return;
    groups.splice(groups.indexOf(group), 1);
    const below = (one: Cursor | undefined, other: Cursor | undefined, where: string) =>
      isSplit ? pair.below(other, one, where) : pair.below(one, other, where);
    const names = matched.map(({ name }) => `\`${name}\``).join(', ');
    comparison.report(
      'parameters-regrouped',
      below(matched[0]!.cursor, group.cursor, label(group)),
      isSplit ? `was split into ${names}` : `now holds the former parameters ${names}`,
    );
    for (const part of parts) {
      const found = single(part);
      const where = label({ name: part.name, place: group.place });
      if (found) {
        singles.splice(singles.indexOf(found), 1);
        comparePart(below(plainPart(found).cursor, part.cursor, where), plainPart(found), part, isSplit);
      } else if (isSplit) comparison.report('parameter-removed', below(undefined, part.cursor, where), 'was removed');
      else {
        const rule = part.required ? 'required-parameter-added' : 'parameter-added';
        const text = `was added${part.required ? ', and is required' : ''}`;
        comparison.report(rule, below(undefined, part.cursor, where), text);
      }
    }
  }

  function comparePart(at: Pair, single: Part, part: Part, isSplit: boolean): void {
    const [before, after] = isSplit ? [part, single] : [single, part];
    comparison.reportRequired(at, before.required, after.required, { before: before.required, after: after.required });
    compareSchemas(comparison, at, before.place, after.place, {
      traffic: { ...at.traffic, texts: { kind: 'parameter', exploded: true } },
      always: before.required && after.required,
    });
  }
}

/** Properties that are separate parameters on the wire; empty for other serializations. */
function partsOf({ cursor, place }: Parameter): Part[] {
  const schema = cursor.raw('schema');
  if (!schema || (place !== 'query' && place !== 'cookie') || !isExploded(cursor, place)) return [];
  const normal = resolveSchema({ document: schema.document, schema: schema.value });
  if (kinds(normal).size !== 1 || !normal.types.has('object')) return [];
  const required = cursor.get('required') === true;
  return [...normal.properties].map(([name, property]) => ({
    name,
    place: property,
    cursor: cursorOf(property, schema, `properties/${name}`),
    required: required && normal.required.has(name),
  }));
}

/** A parameter with a single value. */
function plainPart({ name, cursor }: Parameter): Part {
  const schema = cursor.raw('schema') ?? new Cursor(cursor.document, true, `${cursor.pointer}/schema`);
  const place = { document: schema.document, schema: schema.value };
  return { name, cursor: schema, place, required: cursor.get('required') === true };
}
