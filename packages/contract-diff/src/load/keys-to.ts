// Where in a file an object stands. It takes a walk through all of the file, so it is asked for complaints only.

/** The keys that lead to an object from the top of a file; none when it is not in there. */
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
