// Fast equality checks: most of two versions of a document is identical.
import type { ContractDocument } from '../load/document.ts';
import { equal, follow, isObject, member, visitNodes } from '../model/json.ts';
import type { SchemaLocation } from '../schema/index.ts';
import { type Identity, identityOf } from '../schema/normal-form/identity.ts';

export class Sameness {
  readonly #sameDialect: boolean;
  readonly #changed: ReadonlySet<string>;
  readonly #documents: readonly [ContractDocument, ContractDocument];
  /** Computed lazily, because it is expensive and not needed when only prose changed. */
  #identity: Identity | undefined;

  constructor(base: ContractDocument, revised: ContractDocument) {
    this.#documents = [base, revised];
    this.#sameDialect = base.dialect === revised.dialect;
    // Most comparisons find no change.
    const unchanged = this.#sameDialect && equal(base.root, revised.root);
    this.#changed = unchanged ? new Set() : changedTargets(base.root, revised.root);
  }

  /** Whether two values are identical, and all components they refer to are unchanged. */
  identical(a: unknown, b: unknown): boolean {
    if (!this.#sameDialect || !equal(a, b)) return false;
    for (const reference of referencesIn(a)) if (this.#changed.has(reference)) return false;
    return true;
  }

  /** Whether two schemas allow the same values with the same keywords, ignoring prose, examples, and component names. */
  alike(a: SchemaLocation, b: SchemaLocation): boolean {
    if (!this.#sameDialect) return false;
    this.#identity ??= identityOf(this.#documents);
    return this.#identity.of(a) === this.#identity.of(b);
  }
}

/** References whose targets differ, directly or transitively. */
function changedTargets(base: unknown, revised: unknown): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const changed = new Set<string>();
  const known = referencesIn(base);
  for (const reference of known) {
    const target = follow(base, reference);
    if (!equal(target, follow(revised, reference))) changed.add(reference);
    else
      for (const used of referencesIn(target)) {
        const list = users.get(used);
        if (list) list.push(reference);
        else users.set(used, [reference]);
      }
  }
  const queue = [...changed];
  for (let used = queue.pop(); used !== undefined; used = queue.pop())
    for (const user of users.get(used) ?? []) {
      if (changed.has(user)) continue;
      changed.add(user);
      queue.push(user);
    }
  return changed;
}

function referencesIn(value: unknown): Set<string> {
  const found = new Set<string>();
  visitNodes(value, (node) => {
    const reference = member(node, '$ref');
    if (typeof reference === 'string') found.add(reference);
    const mapping = member(member(node, 'discriminator'), 'mapping');
    for (const target of isObject(mapping) ? Object.values(mapping) : [])
      if (typeof target === 'string' && target.startsWith('#')) found.add(target);
  });
  return found;
}
