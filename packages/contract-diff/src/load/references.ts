// Resolves references by file and JSON pointer, `$anchor`, or `$id`.
import { isObject, type JsonObject, keysOf, member } from '../model/json.ts';
import type { Files } from './read-all.ts';
import type { Source } from './sources/source.ts';

/** Original location of a part: file and keys. */
export interface Origin {
  readonly file: string;
  readonly keys: readonly string[];
}

/** Target of a reference. Its value is undefined if the file has no such value. */
export interface Target {
  readonly value: unknown;
  readonly origin: Origin;
}

/** A file, or a schema with an `$id`: the base for anchors and pointers within it. */
export interface Resource {
  readonly uri: string;
  readonly root: unknown;
  readonly origin: Origin;
  /** Schemas by `$anchor` or `$dynamicAnchor`. */
  readonly anchors: Map<string, Target>;
  /** Schemas by `$dynamicAnchor`. A duplicate name is ambiguous. */
  readonly dynamic: Map<string, Target[]>;
}

/** Members with plain values, which may look like schemas. */
const plain = /^(example|examples|enum|const|default|value|x-.*)$/;
/** Maps of schemas. */
const named = /^(properties|patternProperties|dependentSchemas|\$defs|definitions|schemas|responses)$/;

export class References {
  readonly #source: Source;
  readonly #files: Files;
  readonly #resources = new Map<string, Resource>();
  /** Resource of each object, in files with named schemas. */
  readonly #owners = new WeakMap<object, Resource>();
  readonly #targets = new Map<Resource | string, Map<string, Target>>();

  constructor(source: Source, files: Files) {
    this.#source = source;
    this.#files = files;
    for (const [file, text] of files.texts) if (/\$(id|self|anchor|dynamicAnchor)\b/.test(text)) this.#index(file);
  }

  /** Schemas with this `$dynamicAnchor`, and their resources. */
  dynamicAnchors(name: string): readonly { readonly target: Target; readonly resource: Resource }[] {
    return [...this.#resources.values()].flatMap((resource) =>
      (resource.dynamic.get(name) ?? []).map((target) => ({ target, resource })),
    );
  }

  /** Resource of an object; undefined in files without named schemas. */
  resourceOf(node: object): Resource | undefined {
    return this.#owners.get(node);
  }

  /** Registers a copy of an object. */
  adopt(copy: object, original: object): void {
    const owner = this.#owners.get(original);
    if (owner) this.#owners.set(copy, owner);
  }

  /** @param node the object with the reference. @returns undefined when the file was not read */
  find(reference: string, from: string, node?: object): Target | undefined {
    const owner = (node && this.#owners.get(node)) ?? from;
    const known = this.#targets.get(owner) ?? new Map<string, Target>();
    this.#targets.set(owner, known);
    const present = known.get(reference);
    if (present !== undefined && present.value !== undefined) return present;
    const target = this.#resolve(reference, from, owner);
    if (target) known.set(reference, target);
    return target;
  }

  #resolve(reference: string, from: string, owner: Resource | string): Target | undefined {
    const [path, fragment = ''] = reference.split('#') as [string, string?];
    const uri = uriOf(path, typeof owner === 'string' ? uriOf(from) : owner.uri);
    const resource = uri === undefined ? undefined : this.#resources.get(uri);
    if (resource) {
      const found = this.#within(resource, fragment);
      if (found.value !== undefined) return found;
    }
    const file = path === '' ? from : this.#source.resolve(path, from);
    if (file === undefined || !this.#files.values.has(file)) return undefined;
    const root = this.#files.values.get(file);
    const origin = { file, keys: [] };
    if (fragment === '' || fragment.startsWith('/')) return this.#walk({ value: root, origin }, keysOf(`#${fragment}`));
    // Fall back to an anchor of another schema in the file.
    const inFile = [...this.#resources.values()].filter((one) => one.origin.file === file);
    return inFile.map(({ anchors }) => anchors.get(fragment)).find(Boolean) ?? { value: undefined, origin };
  }

  #within({ root, origin, anchors }: Resource, fragment: string): Target {
    if (fragment === '' || fragment.startsWith('/')) return this.#walk({ value: root, origin }, keysOf(`#${fragment}`));
    return anchors.get(fragment) ?? { value: undefined, origin };
  }

  /** Follows a pointer key by key, resolving references on the way. */
  #walk(start: Target, keys: readonly string[]): Target {
    let { value, origin } = start;
    const direct = keys.reduce<unknown>(member, value);
    if (direct !== undefined) return { value: direct, origin: { ...origin, keys: [...origin.keys, ...keys] } };
    for (const key of keys) {
      const visited = new Set<unknown>();
      while (isObject(value) && !Object.hasOwn(value, key) && typeof value.$ref === 'string' && !visited.has(value)) {
        visited.add(value);
        const next = this.find(value.$ref, origin.file, value);
        if (next === undefined) break;
        ({ value, origin } = next);
      }
      value = member(value, key);
      origin = { ...origin, keys: [...origin.keys, key] };
    }
    return { value, origin };
  }

  #index(file: string): void {
    const root = this.#files.values.get(file);
    const self = isObject(root) && typeof root.$self === 'string' ? uriOf(root.$self, uriOf(file)) : undefined;
    const own = resourceAt(self ?? uriOf(file) ?? file, root, { file, keys: [] });
    this.#resources.set(own.uri, own);
    if (self !== undefined) this.#resources.set(uriOf(file) ?? file, own);
    this.#scan(root, own, [], false);
  }

  /** @param names whether the object is a map with free names */
  #scan(node: unknown, outer: Resource, keys: readonly string[], names: boolean): void {
    if (typeof node !== 'object' || node === null || this.#owners.has(node)) return;
    const { file } = outer.origin;
    const resource = isObject(node) && !names ? this.#resourceOfSchema(node, outer, { file, keys }) : outer;
    this.#owners.set(node, resource);
    for (const [key, value] of Object.entries(node))
      if (names || !plain.test(key)) this.#scan(value, resource, [...keys, key], !names && named.test(key));
  }

  #resourceOfSchema(schema: JsonObject, outer: Resource, origin: Origin): Resource {
    const { $id, $anchor, $dynamicAnchor } = schema;
    const uri = typeof $id === 'string' ? uriOf($id, outer.uri) : undefined;
    const known = uri === undefined || this.#resources.has(uri);
    const resource = known ? outer : resourceAt(uri, schema, origin);
    if (!known) this.#resources.set(uri, resource);
    const target = { value: schema, origin };
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === 'string' && !resource.anchors.has(name)) resource.anchors.set(name, target);
    if (typeof $dynamicAnchor === 'string')
      resource.dynamic.set($dynamicAnchor, [...(resource.dynamic.get($dynamicAnchor) ?? []), target]);
    return resource;
  }
}

const resourceAt = (uri: string, root: unknown, origin: Origin): Resource => ({
  uri,
  root,
  origin,
  anchors: new Map(),
  dynamic: new Map(),
});

/** A URI without its fragment; files have one as well. Undefined for an invalid URI. */
function uriOf(text: string, base = 'file:///'): string | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const uri = new URL(text, base);
  uri.hash = '';
  return uri.href;
}
