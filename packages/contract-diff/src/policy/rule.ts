// Structure of a policy rule.
import type { FindingClass, Level } from '../model/findings.ts';

/** One value, or one for each direction (accepted and emitted). */
export type ByDirection<T> = T | { readonly accept: T; readonly emit: T };

export interface Rule {
  /** The change, as a heading. */
  readonly title: string;
  /** Reason for the level. */
  readonly reason: string;
  readonly class: ByDirection<FindingClass>;
  readonly level: ByDirection<Level>;
  /** Direction does not matter: a finding in both directions is reported once. */
  readonly undirected?: true;
}

/** A table row; its class defaults to the table's. */
type Row = Omit<Rule, 'class'> & Partial<Pick<Rule, 'class'>>;

/** Defines a table of rules with the same class; preserves rule ids in the type. */
export const define = <Id extends string>(
  own: FindingClass,
  table: Readonly<Record<Id, Row>>,
): Readonly<Record<Id, Rule>> =>
  Object.fromEntries(Object.entries<Row>(table).map(([id, row]) => [id, { class: own, ...row }])) as Record<Id, Rule>;

/** Stricter constraints break senders. */
export const tightened = { accept: 'major', emit: 'minor' } as const;
/** Looser constraints break receivers. */
export const loosened = { accept: 'minor', emit: 'major' } as const;

export const inDirection = <T extends string>(value: ByDirection<T>, direction: 'accept' | 'emit'): T =>
  typeof value === 'string' ? value : value[direction];
