// Maps merged schemas back to locations in the document.
import { Cursor } from '../../load/document.ts';
import { isObject, segment } from '../../model/json.ts';
import type { SchemaLocation } from '../../schema/index.ts';
import { Conjunction } from '../../schema/types.ts';
import { mergedParts } from './annotations.ts';

/**
 * Finds the location of a merged schema among the parts of its parent.
 * @param key its key in the parent, such as `items` or `properties/name`
 */
export function cursorOf(location: SchemaLocation, parent: Cursor, key: string): Cursor {
  const nodes =
    location.schema instanceof Conjunction ? location.schema.members.map(({ schema }) => schema) : [location.schema];
  const [first, ...others] = nodes.map((node) => cursorOfPart(node, parent, key)) as [Cursor, ...Cursor[]];
  return others.length === 0 ? first : first.mergedWith(others);
}

function cursorOfPart(node: unknown, parent: Cursor, key: string): Cursor {
  // A property name may contain slashes.
  const [keyword, ...rest] = key.split('/') as [string, ...string[]];
  const keyPath = rest.length > 0 ? [keyword, rest.join('/')] : [keyword];
  const old = legacyKeywords[keyword];
  return (
    findPart(parent.resolveRefs(), keyPath, node, new Set()) ??
    (old === undefined ? undefined : findPart(parent.resolveRefs(), [old, ...keyPath.slice(1)], node, new Set())) ??
    new Cursor(parent.document, node, `${parent.pointer}${keyPath.map((part) => `/${segment(part)}`).join('')}`)
  );
}

/** Keyword names in drafts 4 to 7. */
const legacyKeywords: Readonly<Record<string, string>> = { prefixItems: 'items', items: 'additionalItems' };

function findPart(parent: Cursor, keys: readonly string[], node: unknown, visited: Set<unknown>): Cursor | undefined {
  if (visited.has(parent.value) || !isObject(parent.value)) return undefined;
  visited.add(parent.value);
  const direct = keys.reduce<Cursor | undefined>((cursor, key) => cursor?.raw(key), parent);
  if (direct && direct.value === node) return direct;
  if (direct && Array.isArray(direct.value)) {
    const index = direct.value.indexOf(node);
    if (index !== -1) return direct.raw(index);
  }
  for (const part of mergedParts(parent)) {
    const found = findPart(part, keys, node, visited);
    if (found) return found;
  }
  return undefined;
}
