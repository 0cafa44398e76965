// Finds an object's path in a file. It searches the whole file, so use it for error messages only.

/** Keys from the root to an object; empty if it is not found. */
export function keysTo(node: object, top: unknown): string[] {
  const visited = new Set<unknown>();
  const keys: string[] = [];
  const search = (value: unknown): boolean => {
    if (value === node) return true;
    if (typeof value !== 'object' || value === null || visited.has(value)) return false;
    visited.add(value);
    for (const [key, item] of Object.entries(value)) {
      keys.push(key);
      if (search(item)) return true;
      keys.pop();
    }
    return false;
  };
  search(top);
  return keys;
}
