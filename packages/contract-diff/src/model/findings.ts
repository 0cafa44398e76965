// Findings of a comparison.

export type Bump = 'none' | 'patch' | 'minor' | 'major';

/** From smallest to largest. */
export const bumps: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

/** Severity. `undecided`: a person must decide whether the meaning changed. `error`: never allowed. */
export type Level = Bump | 'undecided' | 'error';

/**
 * Affected area of a finding. `wire`: messages, so existing clients may break; `generated-code`: only generated code; `meaning`:
 * prose and extensions that may change semantics; `information`: neither programs nor their authors need to react.
 */
export type FindingClass = 'wire' | 'generated-code' | 'meaning' | 'information';

/** Most severe first. */
export const findingClasses: readonly FindingClass[] = ['wire', 'generated-code', 'meaning', 'information'];

/** The version that a finding affects. */
export type Scope = 'interface' | 'webhook_payload';

/**
 * Direction of values: `accept` for what the service receives (requests, webhook responses), `emit` for what it sends (responses,
 * webhooks); `both` where it makes no difference.
 */
export type Direction = 'accept' | 'emit' | 'both';

/** A classified change. */
export interface Finding {
  /** Rule id: a row in policy/. */
  readonly rule: string;
  readonly class: FindingClass;
  readonly scope: Scope;
  readonly direction: Direction;
  readonly level: Level;
  /** Location in the revised document; in the base document for a removal. */
  readonly pointer: string;
  /** Source location; for a removal, of the nearest remaining ancestor. */
  readonly file: string;
  readonly line: number;
  /** Old and new value; null for none. */
  readonly before: unknown;
  readonly after: unknown;
  /** Affected operations; empty for the document as a whole. */
  readonly operations: readonly string[];
  /** One sentence: location and change. */
  readonly message: string;
  /** A value that one side accepts and the other rejects. */
  readonly witness?: unknown;
  /** All such values, if several changed at once. */
  readonly witnesses?: readonly unknown[];
  /** Reason and end date of an exception. */
  readonly accepted?: { readonly reason: string; readonly until?: string };
}

/** From mildest to strictest. */
export const levels: readonly Level[] = ['none', 'patch', 'minor', 'undecided', 'major', 'error'];

/** The strictest level: error, then major, undecided, minor, patch, none. */
export const strictest = (some: Iterable<Level>): Level =>
  levels[Math.max(0, ...[...some].map((level) => levels.indexOf(level)))]!;
