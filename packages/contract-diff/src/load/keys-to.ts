// Finds an object's path in a file. It searches the whole file, so use it for error messages only.

/** Keys from the root to an object; empty if it is not found. */
export function keysTo(node: object, top: unknown): string[] {
  const seen = new Set<unknown>();
  const keys: string[] = [];
  const look = (value: unknown): boolean => {
    if (value === node) return true;
    if (typeof value !== 'object' || value === null || seen.has(value)) return false;
    seen.add(value);
    for (const [key, item] of Object.entries(value)) {
      keys.push(key);
      if (look(item)) return true;
      keys.pop();
    }
    return false;
  };
  look(top);
  return keys;
}
