// Makes one document of one that is spread over files, and remembers where each part of it was written.

import { CannotCompare } from '../model/cannot-compare.ts';
import { follow, isObject, keysOf, member } from '../model/json.ts';
import { contentOf, grammar, type Kind, objectsIn } from './grammar.ts';
import type { Source } from './source.ts';
import { parse } from './yaml.ts';

/** Where a part of a document was written: the file, and the keys that lead to it there, from what is around it. */
export interface Origin {
  readonly file: string;
  readonly around?: Origin;
  readonly keys: readonly string[];
}

/** All keys that lead to a part from the top of its file. */
export const keysFromTop = ({ around, keys }: Origin): string[] => [...(around ? keysFromTop(around) : []), ...keys];

/** A document in one piece: every `$ref` in it begins with `#`. */
export interface Bundle {
  readonly root: Readonly<Record<string, unknown>>;
  /** Where each object of the document was written. */
  readonly origins: WeakMap<object, Origin>;
  /** The texts it was read from, by file. */
  readonly texts: ReadonlyMap<string, string>;
}

type Writable = Record<string, unknown>;

/**
 * Reads a document and whatever it refers to. What stands in other files becomes a component, under the last part of its
 * reference; path items take the place of their references.
 *
 * @throws CannotCompare when a file is missing, is no YAML or JSON, or a reference leads nowhere
 */
export async function bundle(source: Source): Promise<Bundle> {
  const { texts, values } = await readAll(source);
  const root = values.get(source.entry);
  if (!isObject(root)) throw new CannotCompare(`${source.show(source.entry)} is not an OpenAPI document.`);
  const origins = new Merger(source, values, root).merge();
  return { root, origins, texts };
}

/** Reads the document, then all files that it names, then all that these name, and so on. */
async function readAll(source: Source) {
  const texts = new Map<string, string>();
  const values = new Map<string, unknown>();
  let wanted = [source.entry];
  while (wanted.length > 0) {
    const read = await source.read(wanted);
    if (wanted[0] === source.entry && !read.has(source.entry))
      throw new CannotCompare(`There is no ${source.show(source.entry)}.`);
    const next = new Set<string>();
    for (const [name, text] of read) {
      texts.set(name, text);
      const value = parse(text, source.show(name));
      values.set(name, value);
      for (const reference of references(value, text)) next.add(source.resolve(reference, name));
    }
    // A name that was asked for and not found stays out of `values`; it matters only if a real reference needs it.
    const asked = new Set([...values.keys(), ...wanted]);
    wanted = [...next].filter((name) => !asked.has(name));
  }
  return { texts, values };
}

/** The files named by anything that looks like a reference; examples may look so too. */
function references(value: unknown, text: string): Set<string> {
  const found = new Set<string>();
  if (!text.includes('$ref') && !text.includes('mapping')) return found;
  const note = (reference: unknown) => {
    if (typeof reference !== 'string' || reference.startsWith('#')) return;
    const file = reference.split('#')[0]!;
    if (file !== '') found.add(file);
  };
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isObject(node)) {
      note(node.$ref);
      const mapping = member(node.discriminator, 'mapping');
      if (isObject(mapping)) for (const target of Object.values(mapping)) if (isReference(target)) note(target);
    }
    for (const item of Object.values(node)) look(item);
  };
  look(value);
  return found;
}

/** A target of `discriminator.mapping` is a reference, or just the name of a component. */
const isReference = (target: unknown): target is string => typeof target === 'string' && /[#/.]/.test(target);

/** Walks the document as the grammar says, and rewrites each reference to another file where it stands. */
class Merger {
  readonly #source: Source;
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #root: Writable;
  readonly #origins = new WeakMap<object, Origin>();
  readonly #visited = new WeakMap<object, Kind>();
  /** The component that each object from another file became. */
  readonly #placed = new Map<object, string>();
  /** What references lead to, still to be walked: references form long chains, and a walk along them a deep stack. */
  readonly #waiting: [kind: Kind, node: object, origin: Origin][] = [];

  constructor(source: Source, values: ReadonlyMap<string, unknown>, root: object) {
    this.#source = source;
    this.#values = values;
    this.#root = root as Writable;
  }

  merge(): WeakMap<object, Origin> {
    this.#adoptComponents();
    this.#visit('root', this.#root, { file: this.#source.entry, keys: [] });
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#visit(...next);
    return this.#origins;
  }

  /** A component of the root that is nothing but a reference to another file keeps its name for what it refers to. */
  #adoptComponents(): void {
    for (const [section, entries] of Object.entries((this.#root.components ?? {}) as object)) {
      if (!isObject(entries)) continue;
      for (const [name, entry] of Object.entries(entries)) {
        if (!isObject(entry) || Object.keys(entry).length !== 1 || typeof entry.$ref !== 'string') continue;
        if (entry.$ref.startsWith('#')) continue;
        const target = this.#target(entry.$ref, this.#source.entry);
        if (!isObject(target.value) || this.#placed.has(target.value)) continue;
        (entries as Writable)[name] = target.value;
        this.#origins.set(target.value, target.origin);
        this.#placed.set(target.value, `#/components/${section}/${name}`);
      }
    }
  }

  #visit(kind: Kind, node: object, wanted: Origin): void {
    if (this.#visited.has(node)) return;
    this.#visited.set(node, kind);
    const origin = this.#origins.get(node) ?? wanted;
    this.#origins.set(node, origin);
    const object = node as Writable;
    if (typeof object.$ref === 'string' && grammar[kind].section !== undefined) {
      if (kind === 'pathItem') this.#inline(object, origin);
      else object.$ref = this.#rewrite(kind, object.$ref, origin);
    }
    if (kind === 'schema') this.#rewriteMapping(object, origin);
    for (const [name, value] of Object.entries(object))
      for (const [keys, inner, item] of objectsIn(contentOf(kind, name), value))
        this.#visit(inner, item as object, { file: origin.file, around: origin, keys: [name, ...keys] });
  }

  /** A path item's reference gives way to what it refers to; members beside it win. */
  #inline(item: Writable, origin: Origin): void {
    const seen = new Set<unknown>();
    let at = origin.file;
    while (typeof item.$ref === 'string') {
      const reference = item.$ref;
      const target = this.#target(reference, at);
      if (!isObject(target.value) || seen.has(target.value))
        throw new CannotCompare(`${this.#source.show(at)}: ${reference} does not lead to a path item.`);
      seen.add(target.value);
      delete item.$ref;
      for (const [name, value] of Object.entries(target.value)) if (!Object.hasOwn(item, name)) item[name] = value;
      this.#origins.set(item, target.origin);
      for (const [name, value] of Object.entries(target.value))
        for (const [keys, kind, inner] of objectsIn(contentOf('pathItem', name), value))
          this.#visit(kind, inner as object, {
            file: target.origin.file,
            around: target.origin,
            keys: [name, ...keys],
          });
      at = target.origin.file;
    }
  }

  #rewrite(kind: Kind, reference: string, origin: Origin): string {
    const target = this.#target(reference, origin.file);
    if (target.value === undefined)
      throw new CannotCompare(`${this.#source.show(origin.file)}: ${reference} leads nowhere.`);
    if (typeof target.value !== 'object' || target.value === null)
      return this.#place(kind, { const: target.value }, reference, target.origin);
    if (target.origin.file === this.#source.entry) {
      this.#later(kind, target.value, target.origin);
      return `#${reference.split('#')[1] ?? ''}`;
    }
    const placed = this.#placed.get(target.value);
    if (placed !== undefined) {
      this.#later(kind, target.value, target.origin);
      return placed;
    }
    return this.#place(kind, target.value, reference, target.origin);
  }

  /** Makes an object from another file a component. */
  #place(kind: Kind, value: object, reference: string, origin: Origin): string {
    const section = grammar[kind].section!;
    const entries = objectUnder(objectUnder(this.#root, 'components'), section);
    const wanted = keysOf(`#${reference.split('#')[1] ?? ''}`).at(-1) ?? baseName(origin.file);
    let name = wanted;
    for (let count = 2; Object.hasOwn(entries, name) && entries[name] !== value; count++) name = `${wanted}_${count}`;
    entries[name] = value;
    const pointer = `#/components/${section}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    this.#placed.set(value, pointer);
    this.#later(kind, value, origin);
    return pointer;
  }

  /** Whoever comes by first, at whatever place it has by then: this is where it was written. */
  #later(kind: Kind, node: object, origin: Origin): void {
    if (!this.#origins.has(node)) this.#origins.set(node, origin);
    this.#waiting.push([kind, node, origin]);
  }

  #rewriteMapping(schema: Writable, origin: Origin): void {
    const mapping = member(schema.discriminator, 'mapping');
    if (!isObject(mapping)) return;
    for (const [value, target] of Object.entries(mapping))
      if (isReference(target)) (mapping as Writable)[value] = this.#rewrite('schema', target, origin);
  }

  #target(reference: string, from: string): { value: unknown; origin: Origin } {
    const [path, fragment = ''] = reference.split('#') as [string, string?];
    const file = path === '' ? from : this.#source.resolve(path, from);
    if (!this.#values.has(file)) throw new CannotCompare(`${this.#source.show(from)}: there is no ${path}.`);
    const keys = keysOf(`#${fragment}`);
    return { value: follow(this.#values.get(file), `#${fragment}`), origin: { file, keys } };
  }
}

/** The object under a key, made when there is none. */
function objectUnder(parent: Writable, key: string): Writable {
  parent[key] ??= {};
  return parent[key] as Writable;
}

const baseName = (file: string): string =>
  file
    .split('/')
    .at(-1)!
    .replace(/\.(ya?ml|json)$/i, '');
