// What somebody's own policy asks for, where it differs from the rules as they come.
import { type FindingClass, type Level, levels } from '../model/findings.ts';
import { placeMatches } from '../model/glob.ts';
import { type ByDirection, inDirection } from './rule.ts';
import { classOf, levelOf, type RuleId } from './rules.ts';

/** Bounds for the levels of a class: what its rules ask for is raised or lowered to them. */
export interface Bounds {
  readonly 'at-least'?: Level;
  readonly 'at-most'?: Level;
}

/** What an extension (`x-…`) is taken for: nothing, words, or something by which a place means something else. */
export type ExtensionUse = 'ignored' | 'prose' | 'meaning';

/** A policy as it is written into a file; docs/policy.md describes it. What it leaves out stays as in the rules. */
export interface PolicyFile {
  /** For each class of findings: one level for all of them, or bounds. */
  readonly classes?: Readonly<Partial<Record<FindingClass, Level | Bounds>>>;
  /** For each rule: one level, or one for each direction. It wins over that of the class. */
  readonly rules?: Readonly<Partial<Record<RuleId, ByDirection<Level>>>>;
  readonly extensions?: Readonly<Record<string, ExtensionUse>>;
  /** Messages by rule; `{}` is the usual one. */
  readonly messages?: Readonly<Partial<Record<RuleId, string>>>;
  /** Globs of places of which nothing is reported. */
  readonly ignore?: readonly string[];
  /** Webhook payloads have no version of their own, but share `info.version`. */
  readonly 'single-version'?: boolean;
  readonly lifecycle?: Lifecycle;
}

/** How promises begin and end. */
export interface Lifecycle {
  /** The least days between today and an end that is announced or moved; without it, any will do. */
  readonly 'grace-days'?: number;
  /** The values of `x-stability-level` that promise nothing yet; `draft` and `alpha` unless something else is said. */
  readonly 'unstable-levels'?: readonly string[];
  /** What changes of something unstable, or marked `x-internal`, ask for at most; `none` unless something else is said. */
  readonly 'unstable-at-most'?: Level;
}

/** A policy, ready to be asked. */
export class Policy {
  readonly #file: PolicyFile;

  constructor(file: PolicyFile = {}) {
    this.#file = file;
  }

  /** What a finding of a rule asks for. */
  levelOf(id: RuleId, direction: 'accept' | 'emit'): Level {
    const own = this.#file.rules?.[id];
    if (own !== undefined) return inDirection(own, direction);
    const level = levelOf(id, direction);
    const ofClass = this.#file.classes?.[classOf(id, direction)];
    if (ofClass === undefined) return level;
    return typeof ofClass === 'string' ? ofClass : bounded(level, ofClass);
  }

  /** The message of a finding. */
  messageOf(id: RuleId, text: string): string {
    return this.#file.messages?.[id]?.replaceAll('{}', text) ?? text;
  }

  /** Whether nothing is reported of a place. */
  ignores(pointer: string): boolean {
    return this.#file.ignore?.some((glob) => placeMatches(glob, pointer)) ?? false;
  }

  /** What an extension is taken for, where the policy says so. */
  useOf(extension: string): ExtensionUse | undefined {
    const { extensions = {} } = this.#file;
    return Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
  }

  get singleVersion(): boolean {
    return this.#file['single-version'] ?? false;
  }

  get graceDays(): number {
    return this.#file.lifecycle?.['grace-days'] ?? 0;
  }

  /** The levels of stability that promise nothing. */
  get unstableLevels(): readonly string[] {
    return this.#file.lifecycle?.['unstable-levels'] ?? ['draft', 'alpha'];
  }

  /** Whether a level of stability promises something. */
  isStable(level: unknown): boolean {
    return typeof level !== 'string' || !this.unstableLevels.includes(level);
  }

  /** What is left of a level where nothing was promised yet. */
  unstable(level: Level): Level {
    return bounded(level, { 'at-most': this.#file.lifecycle?.['unstable-at-most'] ?? 'none' });
  }
}

function bounded(level: Level, { 'at-least': least = 'none', 'at-most': most = 'error' }: Bounds): Level {
  const index = Math.min(Math.max(levels.indexOf(level), levels.indexOf(least)), levels.indexOf(most));
  return levels[index]!;
}
