// Finds edits without effect, because the author may have expected one.

import { Cursor } from '../load/document.ts';
import { equal, isList, isObject, type JsonObject, keysOf, member, segment, visitNodes } from '../model/json.ts';
import { type Comparison, Pair } from './comparison.ts';
import { applicableTypes } from './schemas/limits.ts';

/** Further edits are only counted. */
const maxEdits = 20;

interface Edit {
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Reports differences without a finding; if there are findings, only edits that can't have an effect. */
export function compareIneffectiveEdits(comparison: Comparison, top: Pair): void {
  const found = comparison.pointers;
  const isFound = (pointer: string) =>
    found.some((other) => other === pointer || other.startsWith(`${pointer}/`) || pointer.startsWith(`${other}/`));
  const { base, revised } = comparison;
  const alone = found.length === 0;
  const ineffective: (Edit & { readonly reason: string })[] = [];
  for (const edit of editsOf(base.root, revised.root)) {
    if (versions.test(edit.pointer) || isFound(edit.pointer)) continue;
    const reason = reasonOf(comparison, edit) ?? (alone ? 'no client notices' : undefined);
    if (reason !== undefined) ineffective.push({ ...edit, reason });
  }
  const cursor = (side: Cursor | undefined, value: unknown, pointer: string) =>
    value === undefined ? undefined : new Cursor(side!.document, value, pointer);
  for (const { pointer, before, after, reason } of ineffective.slice(0, maxEdits)) {
    const change = before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';
    const sides = [cursor(top.base, before, pointer), cursor(top.revised, after, pointer)] as const;
    comparison.report('edit-without-effect', new Pair(...sides, top.traffic, pointer, top), `${change}, but ${reason}`);
  }
  const rest = ineffective.length - maxEdits;
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
      (section === 'securitySchemes' ? requiredSchemes(side).has(keys[2]!) : reach.hasUsers(pointer));
    return isUsed(base.root, before) || isUsed(revised.root, after) ? undefined : 'nothing uses it';
  }
  for (const [index, key] of keys.entries()) {
    const types: readonly unknown[] | undefined = structural.get(key) ?? applicableTypes(key);
    if (!types) continue;
    const nodes = [base.root, revised.root].map((root) => keys.slice(0, index).reduce<unknown>(member, root));
    const own = nodes.flatMap((node) => [member(node, 'type')].flat());
    if (own.every((type) => typeof type === 'string' && !types.includes(type)))
      return `\`${key}\` doesn't apply to the type ${own[0]}`;
  }
  const key = keys.at(-1)!;
  const directions = key === 'writeOnly' || key === 'readOnly' ? reach.directionsOf(pointer) : [];
  const applicable = key === 'writeOnly' ? 'emit' : 'accept';
  if (directions.length > 0 && !directions.includes(applicable))
    return `\`${key}\` doesn't apply to ${applicable === 'emit' ? 'what is only accepted' : 'what is only emitted'}`;
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
function requiredSchemes(root: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  visitNodes(root, (node) => {
    const security = member(node, 'security');
    if (isList(security))
      for (const name of security.flatMap((one) => Object.keys(isObject(one) ? one : {}))) names.add(name);
  });
  return names;
}

/** Path to a value; its pointer is built only for a difference. */
interface NodePath {
  readonly parent: NodePath | undefined;
  readonly key: string | number;
}

const pointerOf = (path: NodePath | undefined): string =>
  path ? `${pointerOf(path.parent)}/${segment(path.key)}` : '';

/** The smallest differing parts. */
function editsOf(before: unknown, after: unknown, path?: NodePath, edits: Edit[] = []): Edit[] {
  if (before === after) return edits;
  if (isObject(before) && isObject(after)) {
    for (const key of Object.keys(before)) editsOf(before[key], own(after, key), { parent: path, key }, edits);
    for (const key of Object.keys(after))
      if (!Object.hasOwn(before, key))
        edits.push({ pointer: pointerOf({ parent: path, key }), before: undefined, after: after[key] });
    return edits;
  }
  if (isList(before) && isList(after) && before.length === after.length) {
    const parts: Edit[] = [];
    for (const [key, item] of before.entries()) editsOf(item, after[key], { parent: path, key }, parts);
    const isOrder = parts.length > 1 && before.every((item) => after.some((other) => equal(item, other)));
    edits.push(...(isOrder ? [{ pointer: pointerOf(path), before, after }] : parts));
    return edits;
  }
  edits.push({ pointer: pointerOf(path), before, after });
  return edits;
}

const own = (value: JsonObject, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);
