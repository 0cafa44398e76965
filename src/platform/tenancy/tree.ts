/** The tree that Postgres' parser makes of a statement, as far as the guard has to know it. */

/** A node's fields, or a node: an object whose only key is its kind, with the fields as value. */
export type Tree = Record<string, unknown>;

/** The rules of the guard, each of which refuses for a reason of its own. */
export type Rule =
  /** A kind of statement, or a setting, that the application has no use for. */
  | 'statement'
  /** A part of a statement that the guard does not know. */
  | 'shape'
  /** A function that is not on the list, however it is called. */
  | 'function'
  /** A table that is not on the list. */
  | 'table'
  /** A `with` query whose name hides something. */
  | 'query-name'
  /** An alias that hides something. */
  | 'alias'
  /** A tenant table that may have rows of other companies. */
  | 'bound'
  /** A row that may become another company's. */
  | 'row';

/** Refuses the statement: throws. Tests pass one that lets a rule rest, to see what that rule is for. */
export type Refuse = (rule: Rule, why: string) => void;

/** What a node is, if it is of this kind. */
export function nodeOf(kind: string, node: unknown): Tree | undefined {
  return typeof node === 'object' && node !== null ? ((node as Tree)[kind] as Tree | undefined) : undefined;
}

export function listOf(node: unknown): unknown[] {
  return Array.isArray(node) ? node : [];
}

/** The words of a name: `c.company_id` has two. What is no word, as `*`, is undefined. */
export function wordsOf(name: unknown): (string | undefined)[] {
  return listOf(name).map((part) => nodeOf('String', part)?.sval as string | undefined);
}
