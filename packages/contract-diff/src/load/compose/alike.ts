// Compares two parts of a document, ignoring the names of the components that they refer to.
import { follow, isList, isObject, type JsonObject } from '../../model/json.ts';

export function alike(root: JsonObject, a: unknown, b: unknown, compared: ReadonlySet<string> = new Set()): boolean {
  if (a === b) return true;
  if (isList(a))
    return isList(b) && a.length === b.length && a.every((item, index) => alike(root, item, b[index], compared));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const [one, other] = [a[key], b[key]];
    if (key !== '$ref' || typeof one !== 'string' || typeof other !== 'string')
      return Object.hasOwn(b, key) && alike(root, one, other, compared);
    const pair = `${one}\n${other}`;
    if (one === other || compared.has(pair)) return true;
    return alike(root, follow(root, one), follow(root, other), new Set([...compared, pair]));
  });
}
