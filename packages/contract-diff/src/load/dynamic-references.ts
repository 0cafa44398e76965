// Resolves `$dynamicRef`. Its target depends on the path of schemas leading to it, so schemas are copied per path where that
// matters. The comparison then sees only plain references.
import { isObject, keysOf, member, segment } from '../model/json.ts';
import { contentOf, type Kind, objectsIn } from './grammar.ts';
import type { Origin, References, Resource } from './references.ts';

export interface Choice {
  readonly name: string;
  /** The target if no schema on the path has this anchor. */
  readonly first: object;
  /** Schemas with this anchor, and references to them. */
  readonly candidates: ReadonlyMap<object, string>;
}

type Writable = Record<string, unknown>;

/** Current schema by anchor name; the first on the path wins. */
type Scope = ReadonlyMap<string, object>;

export function resolveDynamicReferences(
  root: Writable,
  choices: ReadonlyMap<Writable, Choice>,
  references: References,
  origins: WeakMap<object, Origin>,
): void {
  const open = new Map<Writable, Choice>();
  for (const [node, choice] of choices) {
    const pointers = [...choice.candidates.values()];
    if (pointers.length === 1) replace(node, pointers[0]!);
    else if (isAmbiguous(choice, references))
      node.anyOf = [...arrayOf(node.anyOf), ...pointers.map(($ref) => ({ $ref }))];
    else open.set(node, choice);
  }
  if (open.size > 0) new Expansion(root, open, references, origins).run();
}

/** A duplicate anchor in one resource. The schema keeps its `$dynamicRef`, and counts as not understood. */
const isAmbiguous = ({ candidates }: Choice, references: References): boolean =>
  new Set([...candidates.keys()].map((node) => references.resourceOf(node))).size < candidates.size;

const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function replace(node: Writable, $ref: string): void {
  delete node.$dynamicRef;
  if (node.$ref === undefined) node.$ref = $ref;
  else node.allOf = [...arrayOf(node.allOf), { $ref }];
}

class Expansion {
  readonly #root: Writable;
  readonly #choices: Map<Writable, Choice>;
  readonly #references: References;
  readonly #origins: WeakMap<object, Origin>;
  readonly #visited = new Set<object>();
  /** Writes deferred until all copies exist. */
  readonly #writes: (() => void)[] = [];
  /** Copies of a schema, by its anchors' targets. */
  readonly #copies = new Map<string, string>();
  readonly #names = new Map<object, ReadonlySet<string>>();
  readonly #numbers = new Map<object, number>();

  constructor(
    root: Writable,
    choices: Map<Writable, Choice>,
    references: References,
    origins: WeakMap<object, Origin>,
  ) {
    this.#root = root;
    this.#choices = choices;
    this.#references = references;
    this.#origins = origins;
  }

  run(): void {
    this.#walk('root', this.#root, new Map());
    for (const write of this.#writes) write();
  }

  #walk(kind: Kind, node: object, outerScope: Scope): void {
    if (this.#visited.has(node)) return;
    this.#visited.add(node);
    const object = node as Writable;
    const scope = this.#scopeWithin(node, outerScope);
    if (kind === 'schema') {
      const choice = this.#choices.get(object);
      if (choice) {
        const target = choice.candidates.get(scope.get(choice.name) ?? choice.first)!;
        const reference = this.#reference(target, scope);
        this.#writes.push(() => replace(object, reference));
      }
      if (typeof object.$ref === 'string') {
        const reference = this.#reference(object.$ref, scope);
        this.#writes.unshift(() => {
          object.$ref = reference;
        });
      }
    }
    for (const [name, value] of Object.entries(object))
      for (const [, inner, item] of objectsIn(contentOf(kind, name), value)) this.#walk(inner, item as object, scope);
  }

  /** Scope within a node: anchors on the path override those of its resource. */
  #scopeWithin(node: object, scope: Scope): Scope {
    const resource: Resource | undefined = this.#references.resourceOf(node);
    const own = [...(resource?.dynamic ?? [])].filter(([name]) => !scope.has(name));
    if (own.length === 0) return scope;
    return new Map([...scope, ...own.map(([name, [target]]) => [name, target!.value as object] as const)]);
  }

  /** A reference with the same meaning on this path: to the schema itself or a copy. */
  #reference(reference: string, scope: Scope): string {
    const target = this.#targetOf(reference);
    if (!isObject(target)) return reference;
    const used = [...this.#namesIn(target)].sort();
    const document = this.#scopeWithin(this.#root, new Map());
    const [here, alone] = [scope, document].map((way) => this.#scopeWithin(target, way)) as [Scope, Scope];
    const differing = used.find((name) => here.get(name) !== alone.get(name));
    if (differing === undefined) return reference;
    const key = `${reference} ${used.map((name) => this.#numberOf(here.get(name)))}`;
    const known = this.#copies.get(key);
    if (known !== undefined) return known;
    const keys = reference.slice(1).split('/').slice(1);
    const by = this.#references.resourceOf(here.get(differing) ?? {})?.origin.keys.at(-1) ?? differing;
    const schemas = (this.#root.components as Writable).schemas as Writable;
    let name = `${keys.at(-1)}@${segment(by)}`;
    for (let count = 2; Object.hasOwn(schemas, name); count++) name = `${keys.at(-1)}@${segment(by)}_${count}`;
    const copy = this.#copy(target) as Writable;
    const { file } = this.#origins.get(this.#root)!;
    this.#origins.set(copy, this.#origins.get(target) ?? { file, keys: keysOf(reference) });
    schemas[name] = copy;
    this.#copies.set(key, `#/components/schemas/${name}`);
    this.#walk('schema', copy, here);
    return `#/components/schemas/${name}`;
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#copy(item));
    if (!isObject(value)) return value;
    const copy: Writable = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#copy(item)]));
    this.#references.adopt(copy, value);
    const choice = this.#choices.get(value as Writable);
    if (choice) this.#choices.set(copy, choice);
    const origin = this.#origins.get(value);
    if (origin) this.#origins.set(copy, origin);
    return copy;
  }

  /** Anchors that affect a schema and everything it refers to. */
  #namesIn(target: object): ReadonlySet<string> {
    const known = this.#names.get(target);
    if (known) return known;
    const names = new Set<string>();
    const visited = new Set<unknown>();
    const open: unknown[] = [target];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (typeof node !== 'object' || node === null || visited.has(node)) continue;
      visited.add(node);
      const choice = this.#choices.get(node as Writable);
      if (choice) {
        names.add(choice.name);
        open.push(...choice.candidates.keys());
      }
      if (isObject(node) && typeof node.$ref === 'string') open.push(this.#targetOf(node.$ref));
      open.push(...Object.values(node));
    }
    this.#names.set(target, names);
    return names;
  }

  #targetOf = (reference: string): unknown =>
    reference.startsWith('#') ? keysOf(reference).reduce<unknown>(member, this.#root) : undefined;

  #numberOf(node: object | undefined): number {
    if (node === undefined) return -1;
    const number = this.#numbers.get(node) ?? this.#numbers.size;
    this.#numbers.set(node, number);
    return number;
  }
}
