// Fixes common mistakes: null for an empty YAML value, and empty lists for empty objects, as PHP writes them.
import { isList, isObject } from '../model/json.ts';
import { contentOf, grammar, type Kind } from './grammar.ts';

type Writable = Record<string, unknown>;

/**
 * Repairs a member in place: removes a null object, map, or list; replaces a null in a map or list, and an empty list instead of
 * an object, with an empty object.
 * @param report reports a repair
 */
export function repairMember(kind: Kind, object: Writable, name: string, report: (text: string) => void): void {
  const content = contentOf(kind, name);
  if (typeof content !== 'object' || !Object.hasOwn(object, name)) return;
  const value = object[name];
  if (value === null) {
    // A freely named key, such as a path or a status, is meaningful by itself.
    const isFree = !Object.hasOwn(grammar[kind].members, name);
    if (isFree || (kind === 'root' && !('list' in content))) object[name] = {};
    else delete object[name];
    report(`\`${name}\` is null and is treated as empty`);
    return;
  }
  const isEmptyList = isList(value) && value.length === 0;
  if (isEmptyList && !('list' in content)) {
    object[name] = {};
    report(`\`${name}\` is an empty list and is treated as an empty object`);
  } else if ('list' in content && isObject(value) && Object.keys(value).length === 0) {
    object[name] = [];
    report(`\`${name}\` is an empty object and is treated as an empty list`);
  } else if ('list' in content && isList(value) && value.includes(null)) {
    // An empty requirement or schema has a meaning; others can be dropped.
    const isNullMeaningful = content.list === 'requirement' || content.list === 'schema';
    object[name] = value.flatMap((item) => (item !== null ? [item] : isNullMeaningful ? [{}] : []));
    report(`an entry of \`${name}\` is null and is ${isNullMeaningful ? 'treated as an empty object' : 'ignored'}`);
  } else if ('map' in content && isObject(value))
    for (const [key, item] of Object.entries(value)) {
      if (item !== null && !(isList(item) && item.length === 0)) continue;
      if (content.map === 'parameter') delete (value as Writable)[key];
      else (value as Writable)[key] = {};
      report(`an entry of \`${name}\` is empty and is treated as an empty object`);
    }
}
