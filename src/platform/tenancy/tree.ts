/** The syntax tree of Postgres' parser, as far as the guard uses it. */

/** A node's fields, or a node: an object whose only key is its kind, with the fields as value. */
export type Tree = Record<string, unknown>;

/** The guard's rules, by the reason for refusing. */
export type Rule =
  /** A kind of statement, or a setting, that the application doesn't need. */
  | 'statement'
  /** A part of a statement that isn't on the allowlist. */
  | 'shape'
  /** A function that isn't on the allowlist, however it is called. */
  | 'function'
  /** A table that isn't on the allowlist. */
  | 'table'
  /** A `with` query whose name shadows something. */
  | 'query-name'
  /** An alias that shadows something. */
  | 'alias'
  /** A tenant table that may include rows of other companies. */
  | 'bound'
  /** A row that may become another company's. */
  | 'row';

/** Refuses the statement by throwing. Tests pass one that skips a rule, to show what the rule prevents. */
export type Refuse = (rule: Rule, reason: string) => void;

/** The node's fields if it is of this kind. */
export function nodeOf(kind: string, node: unknown): Tree | undefined {
  return typeof node === 'object' && node !== null ? ((node as Tree)[kind] as Tree | undefined) : undefined;
}

export function listOf(node: unknown): unknown[] {
  return Array.isArray(node) ? node : [];
}

/** The words of a name: `c.company_id` has two. A part that isn't a word, such as `*`, is undefined. */
export function wordsOf(name: unknown): (string | undefined)[] {
  return listOf(name).map((part) => nodeOf('String', part)?.sval as string | undefined);
}
