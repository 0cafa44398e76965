// Bundles a document with its external files, and records where each part was written.

import { CannotCompare } from '../model/cannot-compare.ts';
import { isObject, member } from '../model/json.ts';
import { Components } from './components.ts';
import { compose } from './compose/documents.ts';
import type { Bundle, Part } from './compose/part.ts';
import { type Choice, resolveDynamicReferences } from './dynamic-references.ts';
import { contentOf, grammar, type Kind, objectsIn } from './grammar.ts';
import { keysTo } from './keys-to.ts';
import { linesOf } from './lines.ts';
import { type Files, isReference, readAll } from './read-all.ts';
import { type Origin, References, type Target } from './references.ts';
import { repairMember } from './repair.ts';
import type { Source } from './sources/source.ts';
import { fromSwagger, isSwagger } from './swagger/document.ts';

type Writable = Record<string, unknown>;

/**
 * Reads a document and everything it refers to. Parts of other files become components, named after the last part of their
 * reference; parts that can't be components (path items, operations) replace their references. Several documents of one API
 * are bundled one by one, then composed.
 *
 * @throws CannotCompare when a file is missing, isn't YAML or JSON, or an operation needs a reference that is broken or circular
 */
export async function bundle(source: Source): Promise<Bundle> {
  const { parts, ...one } = source;
  if (parts === undefined) return bundleOne(one);
  const bundles: Part[] = [];
  for (const entry of parts)
    bundles.push({ file: entry, displayName: source.show(entry), ...(await bundleOne({ ...one, entry })) });
  return compose(source.entry, bundles);
}

async function bundleOne(source: Source): Promise<Bundle> {
  const files = await readAll(source);
  const root = files.values.get(source.entry);
  if (!isObject(root)) throw new CannotCompare(`${source.show(source.entry)} is not an OpenAPI document.`);
  const merger = new Merger(source, files, root);
  if (isSwagger(root))
    fromSwagger(root as Writable, source.show(source.entry), (converted, keys) =>
      merger.origins.set(converted, { file: source.entry, keys }),
    );
  merger.merge();
  return { root, origins: merger.origins, texts: files.texts, warnings: merger.warnings };
}

/** Walks the document by its grammar, and rewrites references in place. */
class Merger {
  readonly origins = new WeakMap<object, Origin>();
  readonly warnings: string[] = [];
  readonly #source: Source;
  readonly #files: Files;
  readonly #root: Writable;
  readonly #references: References;
  readonly #visited = new Set<object>();
  readonly #components: Components;
  /** Problems by kind: the first location, and the count. */
  readonly #problems = new Map<string, { count: number; readonly first: string; readonly text: string }>();
  /** Reference targets still to visit. A queue, because long chains of references would overflow the stack. */
  readonly #pending: [kind: Kind, node: object, file: string][] = [];
  /** References to rewrite at the end; until then, they must keep their original meaning. */
  readonly #rewritten: [node: Writable, reference: string][] = [];
  readonly #dynamic = new Map<Writable, Choice>();
  /** Whether an operation uses the visited part. */
  #needed = true;

  constructor(source: Source, files: Files, root: object) {
    this.#source = source;
    this.#files = files;
    this.#root = root as Writable;
    this.#references = new References(source, files);
    this.#components = new Components(this.#root, source.entry, this.origins);
  }

  merge(): void {
    this.origins.set(this.#root, { file: this.#source.entry, keys: [] });
    const { entry } = this.#source;
    const warnAbout = (node: object) => (text: string) => this.#warn(node, text, text, entry);
    for (const name of ['components', 'definitions']) repairMember('root', this.#root, name, warnAbout(this.#root));
    const components = (isObject(this.#root.components) ? this.#root.components : {}) as Writable;
    for (const name of Object.keys(components)) repairMember('components', components, name, warnAbout(components));
    this.#components.adopt(this.#references);
    this.#visit('root', this.#root, entry, (name) => name !== 'components' && name !== 'definitions');
    this.#visitMember('components', components, 'securitySchemes', entry);
    this.#visitPending();
    this.#needed = false;
    this.#visit('components', components, entry);
    this.#visitMember('root', this.#root, 'definitions', entry);
    this.#visitPending();
    for (const [node, reference] of this.#rewritten) node.$ref = reference;
    resolveDynamicReferences(this.#root, this.#dynamic, this.#references, this.origins);
    for (const { text, count, first } of this.#problems.values())
      this.warnings.push(`${first}: ${text}${count > 1 ? `, and ${count - 1} others like it` : ''}.`);
  }

  #visitPending(): void {
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) this.#visit(...next);
  }

  #visit(kind: Kind, node: object, defaultFile: string, isSelected: (name: string) => boolean = () => true): void {
    if (this.#visited.has(node)) return;
    this.#visited.add(node);
    const file = this.origins.get(node)?.file ?? defaultFile;
    const object = node as Writable;
    if (typeof object.$ref === 'string' && !Array.isArray(node))
      this.#downgradeIfUnused(() => {
        if (grammar[kind].section === undefined || kind === 'pathItem') this.#inline(kind, object, file);
        else this.#rewriteAt(kind, object, file);
      });
    if (kind === 'schema') {
      this.#rewriteMapping(object, file);
      this.#downgradeIfUnused(() => this.#chooseDynamic(object, file));
    }
    for (const name of Object.keys(object)) if (isSelected(name)) this.#visitMember(kind, object, name, file);
  }

  /** Downgrades errors in unused parts to warnings. */
  #downgradeIfUnused(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (this.#needed || !(error instanceof CannotCompare)) throw error;
      this.warnings.push(...error.reasons.map((reason) => `${reason.replace(/\.$/, '')}; no operation needs it.`));
    }
  }

  #visitMember(kind: Kind, object: Writable, name: string, file: string): void {
    const content = contentOf(kind, name);
    if (typeof content !== 'object') return;
    repairMember(kind, object, name, (text) => this.#warn(object, text, text, file));
    // A reference in place of a whole map or list, which OpenAPI does not define: inline it.
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

  /** Inlines a reference to an object without a components section; sibling members win. */
  #inline(kind: Kind, item: Writable, file: string): void {
    const visited = new Set<unknown>();
    let at = file;
    if (kind !== 'pathItem') this.#warnOfReference(item, String(item.$ref), `the ${kindLabel(kind)}`, file);
    while (typeof item.$ref === 'string') {
      const reference = item.$ref;
      const target = this.#target(item, reference, at);
      if (!isObject(target.value) || visited.has(target.value))
        throw new CannotCompare(
          `${this.#formatLocation(item, at)}: ${reference} does not lead to a ${kindLabel(kind)}.`,
        );
      visited.add(target.value);
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

  /** Reports only the first location of a kind of problem, with the count. */
  #warn(node: object, kind: string, text: string, file: string): void {
    const known = this.#problems.get(kind);
    if (known) known.count++;
    else this.#problems.set(kind, { count: 1, first: this.#formatLocation(node, file), text });
  }

  #warnOfReference(node: object, reference: string, subject: string, file: string): void {
    this.#warn(node, subject, `OpenAPI knows no \`$ref\` in place of ${subject}; ${reference} was read`, file);
  }

  #rewriteAt(kind: Kind, node: Writable, file: string): void {
    try {
      const reference = this.#rewrite(kind, node, String(node.$ref), file);
      if (reference !== node.$ref) this.#rewritten.push([node, reference]);
    } catch (error) {
      // Examples do not affect what is allowed.
      if (kind !== 'example' || !(error instanceof CannotCompare)) throw error;
      this.warnings.push(...error.reasons);
      delete node.$ref;
    }
  }

  /** Pointer of a reference's target in the bundled document. */
  #rewrite(kind: Kind, node: object, reference: string, file: string): string {
    const target = this.#target(node, reference, file);
    this.#rejectCycle(node, target, reference);
    return this.#pointerTo(kind, target);
  }

  #pointerTo(kind: Kind, target: Target): string {
    const { pointer, value } = this.#components.locate(kind, target);
    if (value) this.#pending.push([kind, value, target.origin.file]);
    return pointer;
  }

  /** Rejects a circular chain of references. */
  #rejectCycle(node: object, first: Target, reference: string): void {
    const visited = new Set<unknown>([node]);
    let next: Target | undefined = first;
    while (next && isObject(next.value) && typeof next.value.$ref === 'string') {
      const { value, origin }: { value: Writable; origin: Origin } = next as { value: Writable; origin: Origin };
      if (visited.has(value))
        throw new CannotCompare(`${this.#formatLocation(node, first.origin.file)}: ${reference} leads back to itself.`);
      visited.add(value);
      next = this.#references.find(String(value.$ref), origin.file, value);
    }
  }

  #rewriteMapping(schema: Writable, file: string): void {
    const mapping = member(schema.discriminator, 'mapping');
    if (!isObject(mapping)) return;
    const names = member(member(this.#root, 'components'), 'schemas');
    for (const [value, target] of Object.entries(mapping))
      if (isReference(target) && member(names, target) === undefined)
        try {
          (mapping as Writable)[value] = this.#rewrite('schema', mapping, target, file);
        } catch (error) {
          // The discriminator only repeats what the alternatives say.
          if (!(error instanceof CannotCompare)) throw error;
          this.warnings.push(...error.reasons);
        }
  }

  /** Records the possible targets of a `$dynamicRef`. */
  #chooseDynamic(schema: Writable, file: string): void {
    const { $dynamicRef: reference } = schema;
    if (typeof reference !== 'string') return;
    const first = this.#target(schema, reference, file);
    const name = reference.split('#')[1] ?? '';
    const anchors = this.#references.dynamicAnchors(name);
    const isDynamic = anchors.some(({ target }) => target.value === first.value);
    const choice = { name, first: first.value as object, candidates: new Map<object, string>() };
    for (const target of isDynamic ? anchors.map((one) => one.target) : [first])
      choice.candidates.set(target.value as object, this.#pointerTo('schema', target));
    this.#dynamic.set(schema, choice);
    if (isDynamic && anchors.some(({ resource }) => (resource.dynamic.get(name)?.length ?? 0) > 1))
      this.#warn(
        schema,
        reference,
        `\`$dynamicAnchor: ${name}\` stands twice; all of them are compared for ${reference}`,
        file,
      );
  }

  /** Resolves a reference. @param node the object with the reference, for its location */
  #target(node: object, reference: string, from: string): Target {
    const found = this.#references.find(reference, from, node);
    if (found !== undefined && found.value !== undefined) return found;
    const where = this.#formatLocation(node, from);
    const [path = ''] = reference.split('#');
    if (found !== undefined) throw new CannotCompare(`${where}: ${reference} leads nowhere.`);
    if (this.#source.resolve(path, from) === undefined)
      throw new CannotCompare(`${where}: ${reference} is a URL, and files can't refer to URLs. Download it to a file.`);
    throw new CannotCompare(`${where}: there is no ${path}.`);
  }

  /** `file:line` of an object in its source. */
  #formatLocation(node: object, file: string): string {
    return `${this.#source.show(file)}:${linesOf(this.#files.texts.get(file) ?? '').of(keysTo(node, this.#files.values.get(file)))}`;
  }
}

const kindLabel = (kind: Kind): string => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
