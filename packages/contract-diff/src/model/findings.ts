// What a comparison finds.

/** How large a step of the version is. */
export type Bump = 'none' | 'patch' | 'minor' | 'major';

/** What a finding asks for. `undecided`: a person must say whether the meaning changed. */
export type Level = Bump | 'undecided';

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
  /** One sentence: where, what. */
  readonly message: string;
  /** A value that one side takes and the other refuses. */
  readonly witness?: unknown;
}

const order: readonly Level[] = ['none', 'patch', 'minor', 'undecided', 'major'];

/** The strictest of some levels: major, then undecided, minor, patch, none. */
export const strictest = (levels: Iterable<Level>): Level =>
  order[Math.max(0, ...[...levels].map((level) => order.indexOf(level)))]!;
