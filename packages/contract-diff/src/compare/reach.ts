// Finds the operations that a change affects: a change in a shared part affects all its users.
import type { ContractDocument, Cursor } from '../load/document.ts';
import { type Operation, operationLabel, operationsOf } from '../load/operations.ts';
import type { Direction, Finding, Scope } from '../model/findings.ts';
import { follow, isObject, keysOf, member, segment } from '../model/json.ts';

/** A use of a part by an operation, in one direction. */
interface Use {
  readonly label: string;
  readonly scope: Scope;
  readonly direction: 'accept' | 'emit';
}

/** Finds operations by what they refer to, directly or through components. */
export class Reach {
  /** Users of a component: other components, by pointer, and operations. */
  readonly #users = new Map<string, Set<string | Use>>();
  /** Cached uses of each component. */
  readonly #known = new Map<string, ReadonlySet<Use>>();
  /** Cached results: thousands of findings may be about one component. */
  readonly #lists = new Map<string, readonly string[]>();
  /** Operations at each location: of an operation, or of all operations of a path. */
  readonly #operationsByPointer = new Map<string, { readonly label: string; readonly scope: Scope }[]>();

  constructor(documents: readonly ContractDocument[]) {
    for (const document of documents) {
      this.#addComponents(document);
      this.#addOperations(
        document,
        'interface',
        operationsOf(document.top.at('paths')?.members() ?? []),
        operationLabel,
      );
      for (const key of ['webhooks', 'x-webhooks']) {
        const events = operationsOf(document.top.raw(key)?.entries() ?? []);
        this.#addOperations(document, 'webhook_payload', events, ({ path }) => `webhook ${path}`);
      }
    }
  }

  /** Operations affected by a finding; empty for the document as a whole. */
  operationsOf({ pointer, scope, direction }: Pick<Finding, 'pointer' | 'scope' | 'direction'>): readonly string[] {
    const keys = keysOf(pointer);
    const component = componentOf(keys);
    if (component !== undefined) return this.#ofComponent(component, scope, direction);
    for (const length of [3, 2]) {
      const matches = this.#operationsByPointer.get(pointerOf(keys.slice(0, length)));
      if (matches) return [...new Set(matches.filter((one) => one.scope === scope).map(({ label }) => label))];
    }
    return [];
  }

  /** Directions of the values at a location; for a component, those of all its users. */
  directionsOf(pointer: string): readonly ('accept' | 'emit')[] {
    const keys = keysOf(pointer);
    const component = componentOf(keys);
    if (component !== undefined) return [...this.#usesOf(component)].map(({ direction }) => direction);
    if (keys[0] !== 'paths') return [];
    return keys[3] === 'responses' ? ['emit'] : keys[3] === 'callbacks' ? ['accept', 'emit'] : ['accept'];
  }

  hasUsers(component: string): boolean {
    return this.#usesOf(component).size > 0;
  }

  #ofComponent(component: string, scope: Scope, direction: Direction): readonly string[] {
    const key = `${scope} ${direction} ${component}`;
    let list = this.#lists.get(key);
    if (list === undefined) {
      const uses = [...this.#usesOf(component)].filter(
        (use) => use.scope === scope && (direction === 'both' || use.direction === direction),
      );
      list = [...new Set(uses.map(({ label }) => label))];
      this.#lists.set(key, list);
    }
    return list;
  }

  #usesOf(component: string): ReadonlySet<Use> {
    const known = this.#known.get(component);
    if (known) return known;
    const uses = new Set<Use>();
    const visited = new Set<string>([component]);
    const open = [component];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const user of this.#users.get(next) ?? []) {
        if (typeof user !== 'string') uses.add(user);
        else if (!visited.has(user)) {
          visited.add(user);
          open.push(user);
        }
      }
    this.#known.set(component, uses);
    return uses;
  }

  #addComponents({ root }: ContractDocument): void {
    for (const [section, entries] of Object.entries(isObject(root.components) ? root.components : {}))
      for (const [name, value] of Object.entries(isObject(entries) ? entries : {}))
        this.#addUser(root, `/components/${segment(section)}/${segment(name)}`, value);
    for (const [name, value] of Object.entries(isObject(root.definitions) ? root.definitions : {}))
      this.#addUser(root, `/definitions/${segment(name)}`, value);
  }

  #addOperations(
    { root }: ContractDocument,
    scope: Scope,
    operations: readonly Operation[],
    labelOf: (operation: Operation) => string,
  ): void {
    const [requestDirection, responseDirection] =
      scope === 'interface' ? (['accept', 'emit'] as const) : (['emit', 'accept'] as const);
    for (const operation of operations) {
      const label = labelOf(operation);
      const { cursor, item } = operation;
      for (const node of [cursor, item]) push(this.#operationsByPointer, node.pointer, { label, scope });
      const uses: [Use, (Cursor | undefined)[]][] = [
        [
          { label, scope, direction: requestDirection },
          [item.raw('parameters'), cursor.raw('parameters'), cursor.raw('requestBody')],
        ],
        [{ label, scope, direction: responseDirection }, [cursor.raw('responses')]],
        // Callbacks have both directions.
        [{ label, scope, direction: 'accept' }, [cursor.raw('callbacks')]],
        [{ label, scope, direction: 'emit' }, [cursor.raw('callbacks')]],
      ];
      for (const [use, parts] of uses) for (const part of parts) if (part) this.#addUser(root, use, part.value);
    }
  }

  /** Collects all references in a value. A target outside the components counts as part of the value. */
  #addUser(root: unknown, user: string | Use, value: unknown): void {
    const visited = new Set<unknown>();
    const open: unknown[] = [value];
    const addReference = (reference: unknown) => {
      if (typeof reference !== 'string') return;
      const keys = keysOf(reference.startsWith('#') ? reference : `#/components/schemas/${reference}`);
      const component = componentOf(keys);
      if (component === undefined) open.push(follow(root, pointerOf(keys)));
      else {
        const users = this.#users.get(component);
        if (users) users.add(user);
        else this.#users.set(component, new Set([user]));
      }
    };
    for (let next = open.pop(); next !== undefined || open.length > 0; next = open.pop()) {
      if (typeof next !== 'object' || next === null || visited.has(next)) continue;
      visited.add(next);
      if (isObject(next)) {
        if (typeof next.$ref === 'string') addReference(next.$ref);
        const mapping = member(next.discriminator, 'mapping');
        if (isObject(mapping)) for (const target of Object.values(mapping)) addReference(target);
      }
      for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) open.push(inner);
    }
  }
}

/** The component that contains a location. Schemas of Swagger 2.0 are in `definitions`. */
function componentOf(keys: readonly string[]): string | undefined {
  const depth = { components: 3, definitions: 2 }[keys[0] ?? ''];
  return depth === undefined ? undefined : pointerOf(keys.slice(0, depth));
}

const pointerOf = (keys: readonly string[]): string => keys.map((key) => `/${segment(key)}`).join('');

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
