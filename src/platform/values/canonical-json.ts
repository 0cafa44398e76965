/**
 * Equal JSON values as equal text (RFC 8785, the JSON Canonicalization Scheme): members in the order of the UTF-16 units of their
 * names, and numbers and texts as ECMAScript writes them. Members that are undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const inOrder = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${inOrder.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
