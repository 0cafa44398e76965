// State of a comparison: paired locations of both documents, and the findings so far.
import type { ContractDocument, Cursor } from '../load/document.ts';
import { today } from '../model/days.ts';
import type { Direction, Finding, Level, Scope } from '../model/findings.ts';
import { equal, segment } from '../model/json.ts';
import { Policy } from '../policy/policy.ts';
import type { Rule } from '../policy/rule.ts';
import { classOf, type RuleId, rules } from '../policy/rules.ts';
import { createRelation, type Relation, type Verdict } from '../schema/index.ts';
import { Reach } from './reach.ts';
import { Sameness } from './sameness.ts';

/** The version a location belongs to, and the direction of its values. */
export interface Traffic {
  readonly scope: Scope;
  readonly direction: 'accept' | 'emit';
  /** String serialization of values, outside JSON. */
  readonly texts?: Texts;
  /** Whether the media type is, or may be, XML. */
  readonly xml?: boolean;
  /** Whether the operation is not covered by any stability promise yet. */
  readonly unstable?: boolean;
  /** Proven for an enclosing schema: both versions allow the same values, or the change breaks nobody. */
  readonly proven?: 'equal' | 'compatible';
}

/** String serialization: of a `parameter` or header, of `form` fields, or of a form `part`, whose objects are JSON. */
export interface Texts {
  readonly kind: 'parameter' | 'form' | 'part';
  /** Whether list elements repeat the name, instead of being separated by commas. */
  readonly exploded: boolean;
}

/** The response direction of a request, and vice versa. */
export const responseTraffic = (traffic: Traffic): Traffic => ({
  ...traffic,
  direction: traffic.direction === 'accept' ? 'emit' : 'accept',
});

/** A location in both documents; a side is undefined where it does not exist. */
export class Pair {
  readonly base: Cursor | undefined;
  readonly revised: Cursor | undefined;
  readonly traffic: Traffic;
  /** Human-readable location. */
  readonly where: string;
  readonly parent: Pair | undefined;
  /** Human-readable usage; differs from the location inside a component. */
  readonly use: string;

  constructor(
    base: Cursor | undefined,
    revised: Cursor | undefined,
    traffic: Traffic,
    where: string,
    parent?: Pair,
    use = where,
  ) {
    this.base = base;
    this.revised = revised;
    this.traffic = traffic;
    this.where = where;
    this.parent = parent;
    this.use = use;
  }

  /** The member under a key, with references resolved. */
  at(key: string, where = this.where, traffic = this.traffic): Pair {
    return new Pair(this.base?.at(key), this.revised?.at(key), traffic, where, this);
  }

  members(where: (key: string) => string, traffic = this.traffic): Pair[] {
    const keys = [this.base, this.revised].flatMap((side) => side?.entries().map(([key]) => key) ?? []);
    return [...new Set(keys)].map((key) => this.at(key, where(key), traffic));
  }

  below(base: Cursor | undefined, revised: Cursor | undefined, where: string, traffic = this.traffic): Pair {
    return new Pair(base, revised, traffic, where, this);
  }

  /** The same pair at other locations of both sides. */
  between(base: Cursor | undefined, revised: Cursor | undefined): Pair {
    return new Pair(base, revised, this.traffic, this.where, this.parent, this.use);
  }

  /** Both sides, where both exist. */
  get both(): readonly [base: Cursor, revised: Cursor] | undefined {
    return this.base && this.revised && [this.base, this.revised];
  }

  /** The nearest enclosing location in the revised document. */
  get near(): Cursor | undefined {
    return this.revised ?? this.parent?.near;
  }
}

/** The merged locations where a member changed. */
function changedPart(pair: Pair, key: string): Pair {
  const [old, now] = [pair.base?.merged ?? [], pair.revised?.merged ?? []];
  if (old.length < 2 && now.length < 2) return pair;
  const isNew = (one: Cursor, others: readonly Cursor[]) =>
    one.get(key) !== undefined && !others.some((other) => equal(other.get(key), one.get(key)));
  const [oldPart, newPart] = [old.find((one) => isNew(one, now)), now.find((one) => isNew(one, old))];
  return oldPart || newPart ? pair.between(oldPart ?? pair.base, newPart ?? pair.revised) : pair;
}

/** Rules about promises, which apply whatever was promised before. */
const promises: ReadonlySet<RuleId> = new Set<RuleId>(['stability-raised', 'became-public']);

/** Rules about allowed values, which the subset relation can overrule. */
const valueRules = /^(type|null|enum|constant|limit|schema|other-properties|property-became)-/;

interface Details {
  /** The affected member; default: the location itself. */
  readonly key?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The finding is about the location that uses a shared part, so it is located at the side without the part. */
  readonly use?: true;
  /** Not overruled by the subset relation. */
  readonly certain?: true;
  /** Finds a value that one side accepts and the other rejects; called only for breaking findings. */
  readonly probe?: () => Verdict;
  /** Finds all values for a finding that breaks several values at once. */
  readonly witnesses?: () => readonly unknown[];
}

export class Comparison {
  readonly base: ContractDocument;
  readonly revised: ContractDocument;
  readonly policy: Policy;
  /** Reference date for announced removals, as YYYY-MM-DD. */
  readonly day: string;
  readonly sameness: Sameness;
  /** Prefixes of old and new paths, if a prefix moved between server URLs and paths. */
  prefixes: readonly [old: string, now: string] | undefined;
  #reach: Reach | undefined;
  readonly #relations: Readonly<Record<Traffic['direction'], Relation>>;
  readonly #witnesses: Readonly<Record<Traffic['direction'], Relation>>;
  readonly #found = new Map<
    string,
    Omit<Finding, 'file' | 'line' | 'operations' | 'witnesses'> &
      Pick<Details, 'probe' | 'witnesses'> & { readonly at: string | undefined }
  >();

  constructor(base: ContractDocument, revised: ContractDocument, policy = new Policy(), day = today()) {
    this.base = base;
    this.revised = revised;
    this.policy = policy;
    this.day = day;
    this.sameness = new Sameness(base, revised);
    const quick = { witnesses: false };
    this.#relations = { accept: createRelation('accept', quick), emit: createRelation('emit', quick) };
    this.#witnesses = { accept: createRelation('accept'), emit: createRelation('emit') };
  }

  /** Computed lazily: most comparisons find no change and never need it. */
  get reach(): Reach {
    this.#reach ??= new Reach([this.revised, this.base]);
    return this.#reach;
  }

  /** Decides without example values, whose search takes longer. */
  relation(direction: Traffic['direction']): Relation {
    return this.#relations[direction];
  }

  /** Decides and provides example values. */
  witnesses(direction: Traffic['direction']): Relation {
    return this.#witnesses[direction];
  }

  /**
   * Reports a change. A change shared by several operations is one finding.
   * @param text what happened, as the end of a sentence that starts with the location
   */
  report(rule: RuleId, requestedPair: Pair, text: string, details: Details = {}): void {
    const { key, probe, witnesses } = details;
    const proven = details.certain ? undefined : requestedPair.traffic.proven;
    if (proven === 'equal' && valueRules.test(rule)) return;
    const pair = key === undefined ? requestedPair : changedPart(requestedPair, key);
    const isRefSibling = key !== undefined && [pair.base, pair.revised].some((side) => side?.isRefSibling(key));
    const isUse = details.use || isRefSibling || (key === undefined && !pair.both);
    const pointerOf = (side: Cursor) => (isUse ? side.written : side.pointer);
    const before = 'before' in details ? details.before : key === undefined ? pair.base?.value : pair.base?.get(key);
    const after = 'after' in details ? details.after : key === undefined ? pair.revised?.value : pair.revised?.get(key);
    const direction: Direction = (rules[rule] as Rule).undirected ? 'both' : pair.traffic.direction;
    const { scope } = pair.traffic;
    const written = key !== undefined && [pair.revised, pair.base].some((side) => side?.get(key) !== undefined);
    // A merged keyword is attributed to the location as a whole.
    const whole = key === undefined || !written || (after !== undefined && pair.revised?.get(key) === undefined);
    const suffix = whole ? '' : `/${segment(key)}`;
    const remains = pair.revised !== undefined && (whole || pair.revised.get(key) !== undefined);
    const cursor = remains ? pair.revised : (pair.base ?? pair.revised)!;
    const pointer = pointerOf(cursor) + suffix;
    const sides = [pair.base, pair.revised].map((side) => side && pointerOf(side));
    const id = [rule, scope, direction, ...sides, key, text].join('\n');
    if (this.#found.has(id) || this.policy.ignores(pointer)) return;
    this.#found.set(id, {
      rule,
      class: classOf(rule, pair.traffic.direction),
      scope,
      direction,
      level: this.#levelOf(rule, pair, proven),
      pointer,
      before: before ?? null,
      after: after ?? null,
      message: `${isRefSibling ? pair.use : pair.where}: ${this.policy.messageOf(rule, text)}`,
      at: remains ? pointerOf(cursor) : pair.near?.pointer,
      ...(probe && { probe }),
      ...(witnesses && { witnesses }),
    });
  }

  /** Reports a part that exists on only one side. @returns whether it does */
  reportOneSided(pair: Pair, removed: RuleId, added: RuleId, label = ''): boolean {
    if (pair.both) return false;
    this.report(pair.base ? removed : added, pair, `${label}was ${pair.base ? 'removed' : 'added'}`);
    return true;
  }

  /** Reports a parameter, header, or body that became required or optional. */
  reportRequired(pair: Pair, before: boolean, after: boolean, details: Details = { key: 'required' }): void {
    if (before === after) return;
    const text = after ? 'is required now' : 'is no longer required';
    this.report(after ? 'became-required' : 'became-optional', pair, text, details);
  }

  #levelOf(rule: RuleId, { traffic, base }: Pair, proven: Traffic['proven']): Level {
    const harmless = proven !== undefined && (valueRules.test(rule) || rule.startsWith('alternative-'));
    const level = this.policy.levelOf(rule, traffic.direction, harmless ? 'minor' : 'error');
    const unstable =
      traffic.unstable || base?.get('x-internal') === true || !this.policy.isStable(base?.get('x-stability-level'));
    return unstable && !promises.has(rule) ? this.policy.unstable(level) : level;
  }

  get pointers(): readonly string[] {
    return [...this.#found.values()].map(({ pointer }) => pointer);
  }

  /** All findings with their source location and, for major ones, a value that demonstrates the break. */
  findings(): Finding[] {
    return [...this.#found.values()].map(({ at, probe, witnesses, ...finding }) => {
      const inside = at !== undefined && (finding.pointer === at || finding.pointer.startsWith(`${at}/`));
      const location = this.revised.locate(inside ? finding.pointer : (at ?? ''));
      const breaking = finding.level === 'major' || finding.level === 'error';
      const several = breaking ? witnesses?.() : undefined;
      const witness = breaking && !several?.length ? probe?.() : undefined;
      return {
        ...finding,
        ...location,
        operations: this.reach.operationsOf(finding),
        ...(several?.length && { witness: several[0], ...(several.length > 1 && { witnesses: several }) }),
        ...(witness && witness.answer !== 'yes' && 'witness' in witness && { witness: witness.witness }),
      };
    });
  }
}
