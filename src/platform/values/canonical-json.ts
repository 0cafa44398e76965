/** Canonical JSON (RFC 8785): keys in UTF-16 order, numbers and strings as ECMAScript writes them. Omits undefined values. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const inOrder = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${inOrder.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
