// Turns objects from external files into components of the document.
import { isObject, segment } from '../model/json.ts';
import { grammar, type Kind } from './grammar.ts';
import type { Origin, References, Target } from './references.ts';

type Writable = Record<string, unknown>;

export class Components {
  readonly #root: Writable;
  readonly #entry: string;
  readonly #origins: WeakMap<object, Origin>;
  /** Component name by external object. */
  readonly #pointers = new Map<object, string>();

  /** @param origins original locations; extended here */
  constructor(root: Writable, entry: string, origins: WeakMap<object, Origin>) {
    this.#root = root;
    this.#entry = entry;
    this.#origins = origins;
  }

  /** Replaces components that only refer to another file with their targets, under the same name. */
  adopt(references: References): void {
    const sections = isObject(this.#root.components) ? this.#root.components : {};
    for (const [section, entries] of Object.entries(sections)) {
      if (!isObject(entries)) continue;
      for (const [name, entry] of Object.entries(entries)) {
        if (!isObject(entry) || Object.keys(entry).length !== 1 || typeof entry.$ref !== 'string') continue;
        if (entry.$ref.startsWith('#')) continue;
        const target = references.find(entry.$ref, this.#entry, entry);
        if (!isObject(target?.value) || target.origin.file === this.#entry || this.#pointers.has(target.value))
          continue;
        (entries as Writable)[name] = target.value;
        this.#origins.set(target.value, target.origin);
        this.#pointers.set(target.value, `#/components/${section}/${name}`);
      }
    }
  }

  /** Location of a target: its place in the document, or its new component. @returns also the object itself, if it is one */
  locate(kind: Kind, { value, origin }: Target): { readonly pointer: string; readonly value?: object } {
    const isNode = typeof value === 'object' && value !== null;
    if (origin.file === this.#entry) {
      const pointer = `#${origin.keys.map((key) => `/${segment(key).replaceAll('%', '%25')}`).join('')}`;
      return { pointer, ...(isNode && { value }) };
    }
    // A schema may be a boolean, or empty in YAML.
    const node = isNode ? value : value === false ? { not: {} } : {};
    const pointer = this.#pointers.get(node) ?? this.#add(kind, node, origin);
    if (!this.#origins.has(node)) this.#origins.set(node, origin);
    return { pointer, value: node };
  }

  #add(kind: Kind, value: object, { file, keys }: Origin): string {
    const section = grammar[kind].section!;
    const entries = objectUnder(objectUnder(this.#root, 'components'), section);
    const preferredName = keys.at(-1) ?? baseName(file);
    let name = preferredName;
    for (let count = 2; Object.hasOwn(entries, name) && entries[name] !== value; count++)
      name = `${preferredName}_${count}`;
    entries[name] = value;
    const pointer = `#/components/${section}/${segment(name)}`;
    this.#pointers.set(value, pointer);
    return pointer;
  }
}

/** The object under a key, created if missing. */
export function objectUnder(parent: Writable, key: string): Writable {
  parent[key] ??= {};
  return parent[key] as Writable;
}

const baseName = (file: string): string =>
  file
    .split('/')
    .at(-1)!
    .replace(/\.(ya?ml|json)$/i, '');
