// Maps merged schemas back to locations in the document.
import { Cursor } from '../../load/document.ts';
import { isObject, segment } from '../../model/json.ts';
import type { SchemaPlace } from '../../schema/index.ts';
import { Conjunction } from '../../schema/types.ts';
import { mergedParts } from './annotations.ts';

/**
 * Finds the location of a merged schema among the parts of its parent.
 * @param key its key in the parent, such as `items` or `properties/name`
 */
export function cursorOf(place: SchemaPlace, parent: Cursor, key: string): Cursor {
  const nodes = place.schema instanceof Conjunction ? place.schema.members.map(({ schema }) => schema) : [place.schema];
  const [first, ...others] = nodes.map((node) => cursorOfPart(node, parent, key)) as [Cursor, ...Cursor[]];
  return others.length === 0 ? first : first.mergedWith(others);
}

function cursorOfPart(node: unknown, parent: Cursor, key: string): Cursor {
  // A property name may contain slashes.
  const [keyword, ...rest] = key.split('/') as [string, ...string[]];
  const wanted = rest.length > 0 ? [keyword, rest.join('/')] : [keyword];
  const old = older[keyword];
  return (
    findPart(parent.followed(), wanted, node, new Set()) ??
    (old === undefined ? undefined : findPart(parent.followed(), [old, ...wanted.slice(1)], node, new Set())) ??
    new Cursor(parent.document, node, `${parent.pointer}${wanted.map((part) => `/${segment(part)}`).join('')}`)
  );
}

/** Keyword names in drafts 4 to 7. */
const older: Readonly<Record<string, string>> = { prefixItems: 'items', items: 'additionalItems' };

function findPart(parent: Cursor, keys: readonly string[], node: unknown, seen: Set<unknown>): Cursor | undefined {
  if (seen.has(parent.value) || !isObject(parent.value)) return undefined;
  seen.add(parent.value);
  const direct = keys.reduce<Cursor | undefined>((cursor, key) => cursor?.raw(key), parent);
  if (direct && direct.value === node) return direct;
  if (direct && Array.isArray(direct.value)) {
    const index = direct.value.indexOf(node);
    if (index !== -1) return direct.raw(index);
  }
  for (const part of mergedParts(parent)) {
    const found = findPart(part, keys, node, seen);
    if (found) return found;
  }
  return undefined;
}
