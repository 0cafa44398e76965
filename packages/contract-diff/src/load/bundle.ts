// Makes one document of one that is spread over files, and remembers where each part of it was written.

import { CannotCompare } from '../model/cannot-compare.ts';
import { follow, isObject, keysOf, member } from '../model/json.ts';
import { contentOf, grammar, type Kind, objectsIn } from './grammar.ts';
import { keysTo } from './keys-to.ts';
import { linesOf } from './lines.ts';
import { type Files, isReference, readAll } from './read-all.ts';
import type { Source } from './sources/source.ts';
import { fromSwagger, isSwagger } from './swagger.ts';

/** Where a part of a document was written: the file, and the keys that lead to it there. */
export interface Origin {
  readonly file: string;
  readonly keys: readonly string[];
}

/** A document in one piece: every `$ref` in it begins with `#`. */
export interface Bundle {
  readonly root: Readonly<Record<string, unknown>>;
  /**
   * Where objects were written that came from elsewhere than the place they stand at. What is in them came with them; all
   * else stands in the document itself, where its pointer says.
   */
  readonly origins: WeakMap<object, Origin>;
  /** The texts it was read from, by file. */
  readonly texts: ReadonlyMap<string, string>;
  /** What was odd, and did not hinder. */
  readonly warnings: readonly string[];
}

type Writable = Record<string, unknown>;

/**
 * Reads a document and whatever it refers to. What stands in other files becomes a component, under the last part of its
 * reference; objects that have no place among the components (path items, operations) take the place of their references.
 *
 * @throws CannotCompare when a file is missing, is no YAML or JSON, or a reference leads nowhere or only to itself
 */
export async function bundle(source: Source): Promise<Bundle> {
  const files = await readAll(source);
  const root = files.values.get(source.entry);
  if (!isObject(root)) throw new CannotCompare(`${source.show(source.entry)} is not an OpenAPI document.`);
  const merger = new Merger(source, files, root);
  if (isSwagger(root))
    fromSwagger(root as Writable, source.show(source.entry), (made, keys) =>
      merger.origins.set(made, { file: source.entry, keys }),
    );
  merger.merge();
  return { root, origins: merger.origins, texts: files.texts, warnings: merger.warnings };
}

interface Target {
  readonly value: unknown;
  readonly origin: Origin;
}

/** Walks the document as the grammar says, and rewrites each reference to another file where it stands. */
class Merger {
  readonly origins = new WeakMap<object, Origin>();
  readonly warnings: string[] = [];
  readonly #source: Source;
  readonly #files: Files;
  readonly #root: Writable;
  readonly #visited = new Set<object>();
  /** The component that each object from another file became. */
  readonly #placed = new Map<object, string>();
  /** References where OpenAPI knows none, by what they stand for. */
  readonly #odd = new Map<string, { count: number; readonly first: string; readonly reference: string }>();
  /** What references lead to, by file and reference. */
  readonly #targets = new Map<string, Map<string, Target>>();
  /** What references lead to, still to be walked: references form long chains, and a walk along them a deep stack. */
  readonly #waiting: [kind: Kind, node: object, file: string][] = [];

  constructor(source: Source, files: Files, root: object) {
    this.#source = source;
    this.#files = files;
    this.#root = root as Writable;
  }

  merge(): void {
    this.origins.set(this.#root, { file: this.#source.entry, keys: [] });
    this.#adoptComponents();
    this.#visit('root', this.#root, this.#source.entry);
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#visit(...next);
    for (const [what, { count, first, reference }] of this.#odd)
      this.warnings.push(
        `${first}: OpenAPI knows no \`$ref\` in place of ${what}; ${reference} was read${count > 1 ? `, and ${count - 1} others like it` : ''}.`,
      );
  }

  /** A component of the root that is nothing but a reference to another file keeps its name for what it refers to. */
  #adoptComponents(): void {
    const sections = isObject(this.#root.components) ? this.#root.components : {};
    for (const [section, entries] of Object.entries(sections)) {
      if (!isObject(entries)) continue;
      for (const [name, entry] of Object.entries(entries)) {
        if (!isObject(entry) || Object.keys(entry).length !== 1 || typeof entry.$ref !== 'string') continue;
        if (entry.$ref.startsWith('#')) continue;
        const target = this.#find(entry.$ref, this.#source.entry);
        if (!isObject(target?.value) || this.#placed.has(target.value)) continue;
        (entries as Writable)[name] = target.value;
        this.origins.set(target.value, target.origin);
        this.#placed.set(target.value, `#/components/${section}/${name}`);
      }
    }
  }

  #visit(kind: Kind, node: object, wanted: string): void {
    if (this.#visited.has(node)) return;
    this.#visited.add(node);
    const file = this.origins.get(node)?.file ?? wanted;
    const object = node as Writable;
    if (typeof object.$ref === 'string' && !Array.isArray(node)) {
      if (grammar[kind].section === undefined || kind === 'pathItem') this.#inline(kind, object, file);
      else this.#rewriteAt(kind, object, file);
    }
    if (kind === 'schema') this.#rewriteMapping(object, file);
    for (const name of Object.keys(object)) this.#visitMember(kind, object, name, file);
  }

  #visitMember(kind: Kind, object: Writable, name: string, file: string): void {
    const content = contentOf(kind, name);
    if (typeof content !== 'object') return;
    // A whole map or list by reference, which OpenAPI does not know: it takes the place of the reference.
    const value = object[name];
    if (!('one' in content) && isObject(value) && typeof value.$ref === 'string') {
      const target = this.#target(value, value.$ref, file);
      this.#warnOfReference(value, value.$ref, `\`${name}\``, file);
      object[name] = target.value;
      if (typeof target.value === 'object' && target.value !== null) this.origins.set(target.value, target.origin);
    }
    const inside = object[name] as object;
    const from = (typeof inside === 'object' && inside !== null && this.origins.get(inside)?.file) || file;
    for (const [, inner, item] of objectsIn(content, inside)) this.#visit(inner, item as object, from);
  }

  /** A reference where OpenAPI keeps no components gives way to what it refers to; members beside it win. */
  #inline(kind: Kind, item: Writable, file: string): void {
    const seen = new Set<unknown>();
    let at = file;
    if (kind !== 'pathItem') this.#warnOfReference(item, String(item.$ref), `the ${calledKind(kind)}`, file);
    while (typeof item.$ref === 'string') {
      const reference = item.$ref;
      const target = this.#target(item, reference, at);
      if (!isObject(target.value) || seen.has(target.value))
        throw new CannotCompare(`${this.#showAt(item, at)}: ${reference} does not lead to a ${calledKind(kind)}.`);
      seen.add(target.value);
      for (const own of Object.values(item))
        if (typeof own === 'object' && own !== null && !this.origins.has(own))
          this.origins.set(own, { file: at, keys: keysTo(own, this.#files.values.get(at)) });
      delete item.$ref;
      for (const [name, value] of Object.entries(target.value)) if (!Object.hasOwn(item, name)) item[name] = value;
      this.origins.set(item, target.origin);
      for (const name of Object.keys(target.value))
        if (item[name] === member(target.value, name)) this.#visitMember(kind, item, name, target.origin.file);
      at = target.origin.file;
    }
  }

  /** Of many such references, as some write all operations, the first is told, and how many there are. */
  #warnOfReference(node: object, reference: string, what: string, file: string): void {
    const known = this.#odd.get(what);
    if (known) known.count++;
    else this.#odd.set(what, { count: 1, first: this.#showAt(node, file), reference });
  }

  #rewriteAt(kind: Kind, node: Writable, file: string): void {
    try {
      node.$ref = this.#rewrite(kind, node, String(node.$ref), file);
    } catch (error) {
      // What an example shows does not decide what is allowed.
      if (kind !== 'example' || !(error instanceof CannotCompare)) throw error;
      this.warnings.push(...error.reasons);
      delete node.$ref;
    }
  }

  #rewrite(kind: Kind, node: object, reference: string, file: string): string {
    const target = this.#target(node, reference, file);
    if (typeof target.value !== 'object' || target.value === null)
      return this.#place(kind, { const: target.value }, reference, target.origin);
    this.#refuseCircle(node, target, reference, file);
    if (target.origin.file === this.#source.entry) {
      this.#waiting.push([kind, target.value, target.origin.file]);
      return reference.startsWith('#') ? reference : `#${reference.split('#')[1] ?? ''}`;
    }
    const placed = this.#placed.get(target.value);
    if (placed === undefined) return this.#place(kind, target.value, reference, target.origin);
    this.#later(kind, target.value, target.origin);
    return placed;
  }

  /** A reference to a reference to a reference … that comes back says nothing at all. */
  #refuseCircle(node: object, first: Target, reference: string, file: string): void {
    const seen = new Set<unknown>([node]);
    let { value, origin } = first;
    // What was rewritten already leads on from the document as a whole.
    while (isObject(value) && typeof value.$ref === 'string') {
      if (seen.has(value)) throw new CannotCompare(`${this.#showAt(node, file)}: ${reference} leads back to itself.`);
      seen.add(value);
      const within = this.#visited.has(value) ? this.#source.entry : origin.file;
      const next = this.#find(value.$ref, within);
      if (next === undefined) return;
      ({ value, origin } = next);
    }
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
    if (!this.origins.has(node)) this.origins.set(node, origin);
    this.#waiting.push([kind, node, origin.file]);
  }

  #rewriteMapping(schema: Writable, file: string): void {
    const mapping = member(schema.discriminator, 'mapping');
    if (!isObject(mapping)) return;
    for (const [value, target] of Object.entries(mapping))
      if (isReference(target)) (mapping as Writable)[value] = this.#rewrite('schema', mapping, target, file);
  }

  /** What a reference leads to. @param node what holds the reference, to say where it is written */
  #target(node: object, reference: string, from: string): Target {
    const found = this.#find(reference, from);
    if (found !== undefined && found.value !== undefined) return found;
    const where = this.#showAt(node, from);
    const [path = ''] = reference.split('#');
    if (found !== undefined) throw new CannotCompare(`${where}: ${reference} leads nowhere.`);
    if (this.#source.resolve(path, from) === undefined)
      throw new CannotCompare(
        `${where}: ${reference} is an address, which is not read from here. Fetch it into a file.`,
      );
    throw new CannotCompare(`${where}: there is no ${path}.`);
  }

  /** @returns undefined when the file that is meant was not read; a value that is undefined when it holds no such thing */
  #find(reference: string, from: string): Target | undefined {
    const known = this.#targets.get(from) ?? new Map<string, Target>();
    this.#targets.set(from, known);
    const present = known.get(reference);
    if (present !== undefined && present.value !== undefined) return present;
    const [path, fragment = ''] = reference.split('#') as [string, string?];
    const file = path === '' ? from : this.#source.resolve(path, from);
    if (file === undefined || !this.#files.values.has(file)) return undefined;
    const value = follow(this.#files.values.get(file), `#${fragment}`);
    const target = { value, origin: { file, keys: keysOf(`#${fragment}`) } };
    known.set(reference, target);
    return target;
  }

  /** `file:line` of an object as it was written. */
  #showAt(node: object, file: string): string {
    return `${this.#source.show(file)}:${linesOf(this.#files.texts.get(file) ?? '').of(keysTo(node, this.#files.values.get(file)))}`;
  }
}

const calledKind = (kind: Kind): string => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

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
