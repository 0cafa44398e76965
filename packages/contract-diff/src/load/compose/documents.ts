// Composes several documents into one API, such as those of the services behind a gateway.
import { CannotCompare } from '../../model/cannot-compare.ts';
import { equal, isObject, type JsonObject, member, visitNodes } from '../../model/json.ts';
import { objectUnder } from '../components.ts';
import { methods } from '../grammar.ts';
import { alike } from './alike.ts';
import { composeComponents } from './components.ts';
import type { Bundle, Part } from './part.ts';

type Writable = Record<string, unknown>;

/**
 * Composes documents, in place. Of `info`, only the version is kept.
 *
 * @param name file name of the composed document
 * @throws CannotCompare when the same method and path differ between two documents, or when their OpenAPI versions read schemas
 *   differently
 */
export function compose(name: string, parts: readonly Part[]): Bundle {
  rejectMixedDialects(parts);
  const origins: Bundle['origins'] = new WeakMap();
  for (const part of parts)
    visitNodes(part.root, (node) => {
      const origin = part.origins.get(node);
      if (origin && node !== part.root) origins.set(node, origin);
    });
  const components = composeComponents(parts, origins);
  const root: Writable = { openapi: parts[0]!.root.openapi, info: infoOf(parts), components };
  inheritSame(parts, root, origins, 'servers', [{ url: '/' }], (item) => [item]);
  inheritSame(parts, root, origins, 'security', [], (item) => operationsIn(item).map(([, operation]) => operation));
  for (const section of ['paths', 'webhooks', 'x-webhooks'])
    if (section === 'paths' || parts.some((part) => part.root[section] !== undefined))
      root[section] = composeItems(root, parts, section, origins);
  origins.set(root, { file: name, keys: [] });
  const texts = new Map([...parts.flatMap((part) => [...part.texts]), [name, '']]);
  return { root, origins, texts, warnings: parts.flatMap(({ warnings }) => warnings) };
}

function rejectMixedDialects(parts: readonly Part[]): void {
  const dialectOf = ({ root }: Part) => String(root.openapi).startsWith('3.0');
  const [first] = parts;
  const other = parts.find((part) => dialectOf(part) !== dialectOf(first!));
  if (first && other)
    throw new CannotCompare(
      `${first.displayName} is OpenAPI ${first.root.openapi}, and ${other.displayName} is ${other.root.openapi}: they can't be read as one API.`,
    );
}

/** The common version; if versions differ, a list of them, which is no semantic version. */
function infoOf(parts: readonly Part[]): JsonObject {
  const all = (key: string) => [
    ...new Set(parts.map(({ root }) => member(root.info, key)).filter((value) => value !== undefined)),
  ];
  const versions = Object.fromEntries(
    ['version', 'x-webhook-payload-version'].flatMap((key) => {
      const values = all(key);
      return values.length === 0 ? [] : [[key, values.length === 1 ? values[0] : values.join(', ')]];
    }),
  );
  return { title: 'Several documents', ...versions };
}

/** Keeps a value that paths inherit if all documents agree; otherwise copies it into each path. @param none the default */
function inheritSame(
  parts: readonly Part[],
  root: Writable,
  origins: Bundle['origins'],
  name: 'servers' | 'security',
  none: readonly unknown[],
  heirsOf: (item: Writable) => Writable[],
): void {
  const values = parts.map(({ root: one }) => one[name] ?? none);
  for (const [index, { file }] of parts.entries()) origins.set(values[index] as object, { file, keys: [name] });
  if (values.every((value) => equal(value, values[0]))) {
    if (parts[0]!.root[name] !== undefined) root[name] = values[0];
    return;
  }
  for (const [index, part] of parts.entries())
    for (const [, item] of itemsOf(part, 'paths'))
      for (const heir of heirsOf(item)) if (heir[name] === undefined) heir[name] = values[index];
}

function composeItems(root: JsonObject, parts: readonly Part[], section: string, origins: Bundle['origins']): Writable {
  const composed = new Map<string, { item: Writable; part: Part }[]>();
  for (const part of parts)
    for (const [path, item] of itemsOf(part, section)) {
      if (!origins.has(item)) origins.set(item, { file: part.file, keys: [section, path] });
      composed.set(path, [...(composed.get(path) ?? []), { item, part }]);
    }
  return Object.fromEntries(
    [...composed].map(([path, all]) => [
      path,
      all.length === 1 ? all[0]!.item : mergeItems(root, path, section, all, origins),
    ]),
  );
}

/** Merges the items of one path, and copies the members shared by all operations of an item into these. */
function mergeItems(
  root: JsonObject,
  path: string,
  section: string,
  all: readonly { readonly item: Writable; readonly part: Part }[],
  origins: Bundle['origins'],
): Writable {
  const result: Writable = {};
  const owners = new Map<string, Part>();
  for (const { item, part } of all) {
    const { parameters = [], ...others } = item;
    for (const [method, operation, keys] of operationsIn(item)) {
      for (const [name, value] of Object.entries(others))
        if (!isMethod(name) && !Object.hasOwn(operation, name)) operation[name] = value;
      const own = [parameters, operation.parameters ?? []].flat();
      if (own.length > 0) operation.parameters = own;
      const target = keys.length === 1 ? result : objectUnder(result, 'additionalOperations');
      const owner = owners.get(method);
      // Services on one server may share an operation, such as a health check.
      if (owner && alike(root, target[method], operation)) continue;
      if (owner)
        throw new CannotCompare(
          `${method.toUpperCase()} ${path} is another one in ${owner.displayName} than in ${part.displayName}.`,
        );
      owners.set(method, part);
      const itemOrigin = origins.get(item) ?? { file: part.file, keys: [section, path] };
      if (!origins.has(operation)) origins.set(operation, { ...itemOrigin, keys: [...itemOrigin.keys, ...keys] });
      target[method] = operation;
    }
  }
  return result;
}

const isMethod = (name: string): boolean =>
  name === 'additionalOperations' || (methods as readonly string[]).includes(name);

const itemsOf = ({ root }: Part, section: string): [path: string, item: Writable][] =>
  Object.entries(isObject(root[section]) ? root[section] : {}).filter((entry): entry is [string, Writable] =>
    isObject(entry[1]),
  );

/** The operations of a path item, with the keys that lead to each. */
function operationsIn(item: Writable): [method: string, operation: Writable, keys: readonly string[]][] {
  const more = isObject(item.additionalOperations) ? Object.entries(item.additionalOperations) : [];
  return [
    ...methods.map((method) => [method, item[method], [method]] as const),
    ...more.map(([method, value]) => [method, value, ['additionalOperations', method]] as const),
  ].flatMap(([method, value, keys]) => (isObject(value) ? [[method, value as Writable, keys]] : []));
}
