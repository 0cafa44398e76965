// Merges the components of several documents. A name used by more than one is prefixed with its document's name and a colon,
// which component names can't contain otherwise.
import { equal, isList, isObject, type JsonObject, keysOf, member, segment, visitNodes } from '../../model/json.ts';
import { objectUnder } from '../components.ts';
import type { Bundle, Part } from './part.ts';

type Writable = Record<string, unknown>;

/** A section of components, such as `components/schemas`, or `definitions` of Swagger 2.0. */
interface Section {
  readonly keys: readonly string[];
  /** The section of the composed document. */
  readonly name: string;
  readonly entries: JsonObject;
}

/** Merges the components of all documents, and rewrites references in place. */
export function composeComponents(parts: readonly Part[], origins: Bundle['origins']): Writable {
  const composed: Writable = {};
  const prefixes = prefixesOf(parts.map(({ displayName }) => displayName));
  const all = parts.map((part) => ({ part, sections: sectionsOf(part.root) }));
  const schemes = sameSchemes(all.flatMap(({ sections }) => sections));
  for (const [index, { part, sections }] of all.entries()) {
    const pointers = new Map<string, string>();
    for (const { keys, name: section, entries } of sections) {
      const target = objectUnder(composed, section);
      for (const [name, value] of Object.entries(entries)) {
        const scheme = section === 'securitySchemes' ? schemes.get(name) : undefined;
        const isShared = all.filter((one) => one.sections.some((other) => has(other, section, name))).length > 1;
        const own = scheme || !isShared ? name : `${prefixes[index]}:${name}`;
        target[own] ??= scheme ?? value;
        if (isObject(value) && !origins.has(value)) origins.set(value, { file: part.file, keys: [...keys, name] });
        if (scheme && !origins.has(scheme)) origins.set(scheme, { file: part.file, keys: [...keys, name] });
        pointers.set(`#/${[...keys, name].map(segment).join('/')}`, `#/components/${section}/${segment(own)}`);
      }
    }
    rename(part.root, pointers);
  }
  return composed;
}

const has = (one: Section, section: string, name: string): boolean =>
  one.name === section && Object.hasOwn(one.entries, name);

function sectionsOf(root: JsonObject): Section[] {
  const own = Object.keys(isObject(root.components) ? root.components : {}).map((name) => ['components', name]);
  return [...own, ['definitions']].flatMap((keys) => {
    const entries = keys.reduce<unknown>(member, root);
    return isObject(entries) ? [{ keys, name: keys[1] ?? 'schemas', entries }] : [];
  });
}

/** Document names without their common prefix, as prefixes of component names. */
function prefixesOf(names: readonly string[]): string[] {
  const split = names.map((name) => name.replace(/\.(json|ya?ml)$/i, '').split(/[/:]/));
  const [first = []] = split;
  const same = first.findIndex((part, index) =>
    split.some((other) => other[index] !== part || index === other.length - 1),
  );
  return split.map((parts) =>
    parts
      .slice(Math.max(same, 0))
      .join('.')
      .replace(/[^\w.-]/g, '_'),
  );
}

/** Security schemes that are equivalent in all documents that have them, with their scopes merged. */
function sameSchemes(sections: readonly Section[]): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject[]>();
  for (const { name: section, entries } of sections)
    if (section === 'securitySchemes')
      for (const [name, scheme] of Object.entries(entries))
        if (isObject(scheme)) found.set(name, [...(found.get(name) ?? []), scheme]);
  const same = [...found].filter(
    ([, all]) => all.length > 1 && all.every((one) => equal(meaningOf(one), meaningOf(all[0]!))),
  );
  return new Map(same.map(([name, all]) => [name, withAllScopes(all)]));
}

/** A scheme without description and scopes. */
function meaningOf({ description: _, ...scheme }: JsonObject): JsonObject {
  if (!isObject(scheme.flows)) return scheme;
  const flows = Object.entries(scheme.flows).map(([name, flow]) => [
    name,
    isObject(flow) ? { ...flow, scopes: {} } : flow,
  ]);
  return { ...scheme, flows: Object.fromEntries(flows) };
}

function withAllScopes(all: readonly JsonObject[]): JsonObject {
  const [first] = all;
  if (!isObject(first!.flows)) return { ...first };
  const flows = Object.entries(first!.flows).map(([name, flow]) => {
    const scopes = all.map(({ flows: others }) => member(member(others, name), 'scopes'));
    return [name, isObject(flow) ? { ...flow, scopes: Object.assign({}, ...scopes) } : flow];
  });
  return { ...first, flows: Object.fromEntries(flows) };
}

/** Rewrites references by pointer, and by name: security schemes, and schemas in discriminators. */
function rename(root: JsonObject, pointers: ReadonlyMap<string, string>): void {
  const renamed = (reference: string): string => {
    const keys = keysOf(reference);
    const depth = keys[0] === 'components' ? 3 : 2;
    const pointer = (list: readonly string[]) => list.map((key) => `/${segment(key)}`).join('');
    const target = reference.startsWith('#') ? pointers.get(`#${pointer(keys.slice(0, depth))}`) : undefined;
    return target === undefined ? reference : `${target}${pointer(keys.slice(depth))}`;
  };
  const newSchemaName = (name: string) => pointers.get(`#/components/schemas/${segment(name)}`) ?? name;
  const newSchemeName = (name: string) =>
    keysOf(pointers.get(`#/components/securitySchemes/${segment(name)}`) ?? '').at(-1);
  visitNodes(root, (node) => {
    const own = node as Writable;
    if (isObject(own.discriminator)) mapNames(own);
    const mapping = member(own.discriminator, 'mapping');
    if (isObject(mapping))
      for (const [value, target] of Object.entries(mapping))
        if (typeof target === 'string')
          (mapping as Writable)[value] = /[#/]/.test(target) ? renamed(target) : newSchemaName(target);
    if (isList(own.security))
      own.security = own.security.map((one) =>
        isObject(one)
          ? Object.fromEntries(Object.entries(one).map(([name, scopes]) => [newSchemeName(name) ?? name, scopes]))
          : one,
      );
    if (typeof own.$ref === 'string') own.$ref = renamed(own.$ref);
  });
}

/** Adds an explicit mapping: without one, schema names are the values, and renaming a schema would change them. */
function mapNames(schema: Writable): void {
  const discriminator = schema.discriminator as Writable;
  const mapping: Writable = isObject(discriminator.mapping) ? { ...discriminator.mapping } : {};
  const mapped = new Set(Object.values(mapping).map((target) => keysOf(String(target)).at(-1) || target));
  for (const one of [schema.oneOf, schema.anyOf].flat()) {
    const reference = member(one, '$ref');
    const name = typeof reference === 'string' ? keysOf(reference).at(-1) : undefined;
    if (name !== undefined && !mapped.has(name) && !Object.hasOwn(mapping, name)) mapping[name] = reference;
  }
  if (Object.keys(mapping).length > 0) discriminator.mapping = mapping;
}
