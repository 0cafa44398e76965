// The comparison under way: places of both documents side by side, and the findings collected so far.
import type { ContractDocument, Cursor } from '../load/document.ts';
import type { Direction, Finding, Level, Scope } from '../model/findings.ts';
import { segment } from '../model/json.ts';
import type { Rule } from '../policy/rule.ts';
import { classOf, levelOf, type RuleId, rules } from '../policy/rules.ts';
import { createRelation, type Relation, type Verdict } from '../schema/index.ts';
import { Sameness } from './sameness.ts';

/** Whose version a place belongs to, and who must understand it. */
export interface Traffic {
  readonly scope: Scope;
  readonly direction: 'accept' | 'emit';
}

/** The same traffic the other way: what answers it. */
export const answering = (traffic: Traffic): Traffic => ({
  ...traffic,
  direction: traffic.direction === 'accept' ? 'emit' : 'accept',
});

/** One place of both documents; a side is undefined where the place does not exist. */
export class Pair {
  readonly base: Cursor | undefined;
  readonly revised: Cursor | undefined;
  readonly traffic: Traffic;
  /** Where this is, in words. */
  readonly where: string;
  readonly parent: Pair | undefined;

  constructor(base: Cursor | undefined, revised: Cursor | undefined, traffic: Traffic, where: string, parent?: Pair) {
    this.base = base;
    this.revised = revised;
    this.traffic = traffic;
    this.where = where;
    this.parent = parent;
  }

  /** The member under a key, with references followed. */
  at(key: string, where = this.where, traffic = this.traffic): Pair {
    return new Pair(this.base?.at(key), this.revised?.at(key), traffic, where, this);
  }

  /** Two cursors below this place. */
  below(base: Cursor | undefined, revised: Cursor | undefined, where: string, traffic = this.traffic): Pair {
    return new Pair(base, revised, traffic, where, this);
  }

  /** Both sides, where both exist. */
  get both(): readonly [base: Cursor, revised: Cursor] | undefined {
    return this.base && this.revised && [this.base, this.revised];
  }

  /** The nearest place around this one that the revised document has. */
  get near(): Cursor | undefined {
    return this.revised ?? this.parent?.near;
  }
}

/** What is reported beside rule and place. */
interface Details {
  /** The member of the place that is meant; without it the place itself. */
  readonly key?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Asks for a value that one side takes and the other refuses; asked only when the finding is major. */
  readonly probe?: () => Verdict;
}

export class Comparison {
  readonly base: ContractDocument;
  readonly revised: ContractDocument;
  readonly sameness: Sameness;
  readonly #relations: Readonly<Record<Traffic['direction'], Relation>>;
  readonly #witnesses: Readonly<Record<Traffic['direction'], Relation>>;
  readonly #found = new Map<
    string,
    Omit<Finding, 'file' | 'line'> & { readonly at: Cursor | undefined; probe?: () => Verdict }
  >();

  constructor(base: ContractDocument, revised: ContractDocument) {
    this.base = base;
    this.revised = revised;
    this.sameness = new Sameness(base, revised);
    const quick = { witnesses: false };
    this.#relations = { accept: createRelation('accept', quick), emit: createRelation('emit', quick) };
    this.#witnesses = { accept: createRelation('accept'), emit: createRelation('emit') };
  }

  /** Answers without looking for values that show it, which takes longer than the answer. */
  relation(direction: Traffic['direction']): Relation {
    return this.#relations[direction];
  }

  /** Answers with values that show it. */
  witnesses(direction: Traffic['direction']): Relation {
    return this.#witnesses[direction];
  }

  /**
   * Reports a change. The same change of a place that several operations share is one finding.
   *
   * @param text what happened there, as the end of a sentence that begins with the place
   */
  report(rule: RuleId, pair: Pair, text: string, details: Details = {}): void {
    const { key, probe } = details;
    const before = 'before' in details ? details.before : key === undefined ? pair.base?.value : pair.base?.get(key);
    const after = 'after' in details ? details.after : key === undefined ? pair.revised?.value : pair.revised?.get(key);
    const direction: Direction = (rules[rule] as Rule).undirected ? 'both' : pair.traffic.direction;
    const { scope } = pair.traffic;
    const written = key !== undefined && [pair.revised, pair.base].some((side) => side?.get(key) !== undefined);
    // What was merged from elsewhere is a matter of the place as a whole.
    const whole = key === undefined || !written || (after !== undefined && pair.revised?.get(key) === undefined);
    const suffix = whole ? '' : `/${segment(key)}`;
    const remains = pair.revised !== undefined && (whole || pair.revised.get(key) !== undefined);
    const cursor = remains ? pair.revised : (pair.base ?? pair.revised)!;
    const pointer = cursor.pointer + suffix;
    const id = [rule, scope, direction, pair.base?.pointer, pair.revised?.pointer, key, text].join('\n');
    if (this.#found.has(id)) return;
    this.#found.set(id, {
      rule,
      class: classOf(rule, pair.traffic.direction),
      scope,
      direction,
      level: levelOf(rule, pair.traffic.direction),
      pointer,
      before: before ?? null,
      after: after ?? null,
      message: `${pair.where}: ${text}`,
      at: remains ? pair.revised : pair.near,
      ...(probe && { probe }),
    });
  }

  /** All findings, each with the place it is written in and, for what is major, a value that shows it. */
  findings(): Finding[] {
    return [...this.#found.values()].map(({ at, probe, ...finding }) => {
      const inside =
        at !== undefined && (finding.pointer === at.pointer || finding.pointer.startsWith(`${at.pointer}/`));
      const location = this.revised.locate(inside ? finding.pointer : (at?.pointer ?? ''));
      const witness = finding.level === ('major' satisfies Level) && probe ? probe() : undefined;
      return {
        ...finding,
        ...location,
        ...(witness && witness.answer !== 'yes' && 'witness' in witness && { witness: witness.witness }),
      };
    });
  }
}
