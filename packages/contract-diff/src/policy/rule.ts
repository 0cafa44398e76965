// What a rule of the policy says.
import type { FindingClass, Level } from '../model/findings.ts';

/** One of something, or one for each direction: of what the service accepts, and of what it emits. */
export type ByDirection<T> = T | { readonly accept: T; readonly emit: T };

export interface Rule {
  /** What happened, as a heading. */
  readonly title: string;
  /** Why that asks for this step. */
  readonly why: string;
  readonly class: ByDirection<FindingClass>;
  readonly level: ByDirection<Level>;
  /** Whether the direction plays no part: found in both, it is reported once. */
  readonly undirected?: true;
}

/** A row of a table: its class is that of the table, unless it says otherwise. */
type Row = Omit<Rule, 'class'> & Partial<Pick<Rule, 'class'>>;

/** A table of rules of one class, that keeps the names of its rows. */
export const define = <Id extends string>(
  own: FindingClass,
  table: Readonly<Record<Id, Row>>,
): Readonly<Record<Id, Rule>> =>
  Object.fromEntries(Object.entries<Row>(table).map(([id, row]) => [id, { class: own, ...row }])) as Record<Id, Rule>;

/** Tighter rules hurt who sends. */
export const tightened = { accept: 'major', emit: 'minor' } as const;
/** Wider ones hurt who receives. */
export const loosened = { accept: 'minor', emit: 'major' } as const;

/** What holds in a direction. */
export const inDirection = <T extends string>(value: ByDirection<T>, direction: 'accept' | 'emit'): T =>
  typeof value === 'string' ? value : value[direction];
