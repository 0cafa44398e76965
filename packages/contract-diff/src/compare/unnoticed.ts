// Finds edits without effect, because the author may have expected one.

import { Cursor } from '../load/document.ts';
import { equal, isList, isObject, type JsonObject, keysOf, member, segment, visitNodes } from '../model/json.ts';
import { type Comparison, Pair } from './comparison.ts';
import { concernedTypes } from './schemas/limits.ts';

/** Further edits are only counted. */
const mostEdits = 20;

interface Edit {
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Reports differences without a finding; if there are findings, only edits that can't have an effect. */
export function compareUnnoticed(comparison: Comparison, top: Pair): void {
  const found = comparison.pointers;
  const isFound = (pointer: string) =>
    found.some((other) => other === pointer || other.startsWith(`${pointer}/`) || pointer.startsWith(`${other}/`));
  const { base, revised } = comparison;
  const alone = found.length === 0;
  const unnoticed: (Edit & { readonly why: string })[] = [];
  for (const edit of editsOf(base.root, revised.root)) {
    if (versions.test(edit.pointer) || isFound(edit.pointer)) continue;
    const why = reasonOf(comparison, edit) ?? (alone ? 'no client notices' : undefined);
    if (why !== undefined) unnoticed.push({ ...edit, why });
  }
  const cursor = (side: Cursor | undefined, value: unknown, pointer: string) =>
    value === undefined ? undefined : new Cursor(side!.document, value, pointer);
  for (const { pointer, before, after, why } of unnoticed.slice(0, mostEdits)) {
    const done = before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';
    const sides = [cursor(top.base, before, pointer), cursor(top.revised, after, pointer)] as const;
    comparison.report('edit-without-effect', new Pair(...sides, top.traffic, pointer, top), `${done}, but ${why}`);
  }
  const rest = unnoticed.length - mostEdits;
  if (rest > 0) comparison.report('edit-without-effect', top, `${rest} more edits have no effect`, { key: '' });
}

/** The verdicts report these. */
const versions = /^\/info\/(version|x-webhook-payload-version)$/;

/** Why an edit can't have an effect; undefined if unknown. */
function reasonOf(comparison: Comparison, { pointer, before, after }: Edit): string | undefined {
  const { base, revised, reach } = comparison;
  const keys = keysOf(pointer);
  const [first, section] = keys;
  if (first === 'components' && keys.length === 3 && section !== 'schemas' && section !== 'examples') {
    const isUsed = (side: unknown, value: unknown) =>
      value !== undefined &&
      (section === 'securitySchemes' ? schemesAsked(side).has(keys[2]!) : reach.leadsTo(pointer));
    return isUsed(base.root, before) || isUsed(revised.root, after) ? undefined : 'nothing uses it';
  }
  for (const [index, key] of keys.entries()) {
    const types: readonly unknown[] | undefined = structural.get(key) ?? concernedTypes(key);
    if (!types) continue;
    const nodes = [base.root, revised.root].map((root) => keys.slice(0, index).reduce<unknown>(member, root));
    const own = nodes.flatMap((node) => [member(node, 'type')].flat());
    if (own.every((type) => typeof type === 'string' && !types.includes(type)))
      return `\`${key}\` doesn't apply to the type ${own[0]}`;
  }
  const key = keys.at(-1)!;
  const directions = key === 'writeOnly' || key === 'readOnly' ? reach.directionsOf(pointer) : [];
  const concerned = key === 'writeOnly' ? 'emit' : 'accept';
  if (directions.length > 0 && !directions.includes(concerned))
    return `\`${key}\` doesn't apply to ${concerned === 'emit' ? 'what is only accepted' : 'what is only emitted'}`;
  return undefined;
}

/** Keywords that contain schemas, by applicable type. */
const structural: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
    array: ['items', 'prefixItems', 'contains'],
  }).flatMap(([type, keys]) => keys.map((key) => [key, [type]] as const)),
);

/** Names of the security schemes that a document requires. */
function schemesAsked(root: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  visitNodes(root, (node) => {
    const security = member(node, 'security');
    if (isList(security))
      for (const name of security.flatMap((one) => Object.keys(isObject(one) ? one : {}))) names.add(name);
  });
  return names;
}

/** Path to a value; its pointer is built only for a difference. */
interface Way {
  readonly above: Way | undefined;
  readonly key: string | number;
}

const pointerOf = (way: Way | undefined): string => (way ? `${pointerOf(way.above)}/${segment(way.key)}` : '');

/** The smallest differing parts. */
function editsOf(before: unknown, after: unknown, way?: Way, edits: Edit[] = []): Edit[] {
  if (before === after) return edits;
  if (isObject(before) && isObject(after)) {
    for (const key of Object.keys(before)) editsOf(before[key], own(after, key), { above: way, key }, edits);
    for (const key of Object.keys(after))
      if (!Object.hasOwn(before, key))
        edits.push({ pointer: pointerOf({ above: way, key }), before: undefined, after: after[key] });
    return edits;
  }
  if (isList(before) && isList(after) && before.length === after.length) {
    const parts: Edit[] = [];
    for (const [key, item] of before.entries()) editsOf(item, after[key], { above: way, key }, parts);
    const isOrder = parts.length > 1 && before.every((item) => after.some((other) => equal(item, other)));
    edits.push(...(isOrder ? [{ pointer: pointerOf(way), before, after }] : parts));
    return edits;
  }
  edits.push({ pointer: pointerOf(way), before, after });
  return edits;
}

const own = (value: JsonObject, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);
