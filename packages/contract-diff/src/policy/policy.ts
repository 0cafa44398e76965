// A user's policy, which overrides the default rules.
import { type FindingClass, type Level, levels } from '../model/findings.ts';
import { globMatches } from '../model/glob.ts';
import { type ByDirection, inDirection } from './rule.ts';
import { classOf, levelOf, type RuleId } from './rules.ts';

export interface Bounds {
  readonly 'at-least'?: Level;
  readonly 'at-most'?: Level;
}

/** How to treat an extension (`x-…`): ignore it, as prose, or as semantics. */
export type ExtensionUse = 'ignored' | 'prose' | 'meaning';

/** A policy file, described in docs/policy.md. Omitted settings keep the defaults. */
export interface PolicyFile {
  /** A fixed level, or bounds, by class. */
  readonly classes?: Readonly<Partial<Record<FindingClass, Level | Bounds>>>;
  /** A level by rule, optionally by direction. Overrides the class. */
  readonly rules?: Readonly<Partial<Record<RuleId, ByDirection<Level>>>>;
  readonly extensions?: Readonly<Record<string, ExtensionUse>>;
  /** Custom messages by rule; `{}` stands for the default message. */
  readonly messages?: Readonly<Partial<Record<RuleId, string>>>;
  /** Globs of locations to ignore. */
  readonly ignore?: readonly string[];
  /** Webhook payloads share `info.version` instead of having their own version. */
  readonly 'single-version'?: boolean;
  readonly lifecycle?: Lifecycle;
}

export interface Lifecycle {
  /** Minimum number of days until an announced removal; default: none. */
  readonly 'grace-days'?: number;
  /** Unstable values of `x-stability-level`; default: `draft` and `alpha`. */
  readonly 'unstable-levels'?: readonly string[];
  /** Maximum level for unstable or `x-internal` parts; default: `none`. */
  readonly 'unstable-at-most'?: Level;
}

export class Policy {
  readonly #file: PolicyFile;

  constructor(file: PolicyFile = {}) {
    this.#file = file;
  }

  /** @param atMost the default level is at most this one */
  levelOf(id: RuleId, direction: 'accept' | 'emit', atMost: Level = 'error'): Level {
    const own = this.#file.rules?.[id];
    if (own !== undefined) return inDirection(own, direction);
    const level = bounded(levelOf(id, direction), { 'at-most': atMost });
    const classSetting = this.#file.classes?.[classOf(id, direction)];
    if (classSetting === undefined) return level;
    return typeof classSetting === 'string' ? classSetting : bounded(level, classSetting);
  }

  messageOf(id: RuleId, text: string): string {
    return this.#file.messages?.[id]?.replaceAll('{}', text) ?? text;
  }

  ignores(pointer: string): boolean {
    return this.#file.ignore?.some((glob) => globMatches(glob, pointer)) ?? false;
  }

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

  get unstableLevels(): readonly string[] {
    return this.#file.lifecycle?.['unstable-levels'] ?? ['draft', 'alpha'];
  }

  /** Whether a stability level carries a promise. */
  isStable(level: unknown): boolean {
    return typeof level !== 'string' || !this.unstableLevels.includes(level);
  }

  /** Reduces a level for unstable parts. */
  unstable(level: Level): Level {
    return bounded(level, { 'at-most': this.#file.lifecycle?.['unstable-at-most'] ?? 'none' });
  }
}

function bounded(level: Level, { 'at-least': min = 'none', 'at-most': max = 'error' }: Bounds): Level {
  const index = Math.min(Math.max(levels.indexOf(level), levels.indexOf(min)), levels.indexOf(max));
  return levels[index]!;
}
