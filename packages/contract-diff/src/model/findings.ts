// What a comparison finds.

/** How large a step of the version is. */
export type Bump = 'none' | 'patch' | 'minor' | 'major';

/** All of them, from the smallest to the largest. */
export const bumps: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

/**
 * What a finding asks for. `undecided`: a person must say whether the meaning changed. `error`: it must not be, whatever
 * the versions say.
 */
export type Level = Bump | 'undecided' | 'error';

/**
 * What a finding is about. `wire`: the messages themselves, so that an old client may break as it is; `generated-code`: only
 * the code that generators make of the document; `meaning`: words and extensions that may say something else;
 * `information`: what neither a program nor its author has to heed.
 */
export type FindingClass = 'wire' | 'generated-code' | 'meaning' | 'information';

/** All classes, the gravest first. */
export const findingClasses: readonly FindingClass[] = ['wire', 'generated-code', 'meaning', 'information'];

/** Which of the two versions a finding belongs to. */
export type Scope = 'interface' | 'webhook_payload';

/**
 * Who must understand what: `accept` is what the service takes (requests, answers to webhooks), `emit` what it sends
 * (answers, webhooks); `both` where that makes no difference.
 */
export type Direction = 'accept' | 'emit' | 'both';

/** One change, judged. */
export interface Finding {
  /** The rule that judged it: a row in policy/. */
  readonly rule: string;
  readonly class: FindingClass;
  readonly scope: Scope;
  readonly direction: Direction;
  readonly level: Level;
  /** The place in the revised document, or in the base document for what is gone. */
  readonly pointer: string;
  /** The file and line it is written in; for what is gone, the nearest place around it that is left. */
  readonly file: string;
  readonly line: number;
  /** What stood and stands there; null for nothing. */
  readonly before: unknown;
  readonly after: unknown;
  /** The operations that it concerns: for a part that many share, all of them; none for the document as a whole. */
  readonly operations: readonly string[];
  /** One sentence: where, what. */
  readonly message: string;
  /** A value that one side takes and the other refuses. */
  readonly witness?: unknown;
  /** All such values, where several things at once changed there. */
  readonly witnesses?: readonly unknown[];
  /** Why it does not count, where somebody accepted it, and until which day. */
  readonly accepted?: { readonly reason: string; readonly until?: string };
}

/** All levels, from the mildest to the strictest. */
export const levels: readonly Level[] = ['none', 'patch', 'minor', 'undecided', 'major', 'error'];

/** The strictest of some levels: error, then major, undecided, minor, patch, none. */
export const strictest = (some: Iterable<Level>): Level =>
  levels[Math.max(0, ...[...some].map((level) => levels.indexOf(level)))]!;
