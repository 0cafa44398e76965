// JSON types and helpers.

export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Strings of a list, without other items; empty for anything but a list. */
export const texts = (value: unknown): string[] =>
  isList(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** Deep equality: ignores the order of keys, but not of list items. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}

export function visitNodes(value: unknown, visit: (node: object) => void): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value);
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) visitNodes(inner, visit);
}

export const segment = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** Keys of a JSON pointer, with or without `#` and percent-encoding, as in `$ref`. */
export function keysOf(pointer: string): string[] {
  const bare = pointer.startsWith('#') ? decode(pointer.slice(1)) : pointer;
  return bare === ''
    ? []
    : bare
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A member of an object or list; undefined for missing and inherited ones. */
export function member(value: unknown, key: string | number): unknown {
  if (isList(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export const follow = (root: unknown, pointer: string): unknown => keysOf(pointer).reduce<unknown>(member, root);
