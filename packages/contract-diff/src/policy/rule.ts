// What a rule of the policy says.
import type { Level } from '../model/findings.ts';

export interface Rule {
  /** What happened, as a heading. */
  readonly title: string;
  /** Why that asks for this step. */
  readonly why: string;
  /** One level, or one for each direction: of what the service accepts, and of what it emits. */
  readonly level: Level | { readonly accept: Level; readonly emit: Level };
  /** Whether the direction plays no part: found in both, it is reported once. */
  readonly undirected?: true;
}

/** A table of rules that keeps the names of its rows. */
export const define = <Id extends string>(table: Readonly<Record<Id, Rule>>): Readonly<Record<Id, Rule>> => table;

/** Tighter rules hurt who sends. */
export const tightened = { accept: 'major', emit: 'minor' } as const;
/** Wider ones hurt who receives. */
export const loosened = { accept: 'minor', emit: 'major' } as const;
