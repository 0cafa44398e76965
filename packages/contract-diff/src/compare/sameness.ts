// Whether two places say the same, so that nothing needs to be compared: most of two versions of a document is equal.
import type { ContractDocument } from '../load/document.ts';
import { equal, follow, isObject, member, visitNodes } from '../model/json.ts';
import { type Identity, identityOf } from '../schema/identity.ts';
import type { SchemaPlace } from '../schema/index.ts';

export class Sameness {
  readonly #sameDialect: boolean;
  readonly #changed: ReadonlySet<string>;
  readonly #documents: readonly [ContractDocument, ContractDocument];
  /** Numbers take long to find; where only words changed, nobody asks for them. */
  #identity: Identity | undefined;

  constructor(base: ContractDocument, revised: ContractDocument) {
    this.#documents = [base, revised];
    this.#sameDialect = base.dialect === revised.dialect;
    // Most comparisons find that nothing changed.
    const unchanged = this.#sameDialect && equal(base.root, revised.root);
    this.#changed = unchanged ? new Set() : changedTargets(base.root, revised.root);
  }

  /** Are two values written alike, with the same references to components that did not change either? */
  identical(a: unknown, b: unknown): boolean {
    if (!this.#sameDialect || !equal(a, b)) return false;
    for (const reference of referencesIn(a)) if (this.#changed.has(reference)) return false;
    return true;
  }

  /**
   * Do two schemas allow the same values by the same keywords, whatever their prose, their examples and the names of the
   * components they refer to?
   */
  alike(a: SchemaPlace, b: SchemaPlace): boolean {
    if (!this.#sameDialect) return false;
    this.#identity ??= identityOf(this.#documents);
    return this.#identity.of(a) === this.#identity.of(b);
  }
}

/** The references whose targets differ, themselves or by what they refer to in turn. */
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

/** Every reference within a value. */
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
