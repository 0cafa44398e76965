// A change of the test document, and its expected verdict in both directions.
import type { Level } from '../../src/model/findings.ts';
import type { PolicyFile } from '../../src/policy/policy.ts';
import type { RuleId } from '../../src/policy/rules.ts';

/** Value at a location before and after; `absent` for none. */
export interface Edit {
  /** JSON pointer in document.yaml. The base document gets `before` here, the revised one `after`. */
  readonly at: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** No value at the location. */
export const absent: unique symbol = Symbol('absent');

/** Expected rule, and the required bump of each version. */
export interface Expected {
  readonly rule: RuleId | 'none';
  readonly interface: Level;
  readonly webhook_payload: Level;
}

export interface Case {
  /** A custom policy; default: the built-in rules. */
  readonly policy?: PolicyFile;
  /** Describes the edit, as a phrase. */
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly expected: Expected;
  readonly reverse: Expected;
}

/** Affects only the interface. */
export const interfaceOnly = (rule: RuleId | 'none', level: Level): Expected => ({
  rule,
  interface: level,
  webhook_payload: 'none',
});
/** Affects only the webhook payload. */
export const payloadOnly = (rule: RuleId | 'none', level: Level): Expected => ({
  rule,
  interface: 'none',
  webhook_payload: level,
});
/** Affects the interface and the webhook payload. */
export const both = (rule: RuleId | 'none', level: Level, payloadLevel = level): Expected => ({
  rule,
  interface: level,
  webhook_payload: payloadLevel,
});
export const noFindings: Expected = { rule: 'none', interface: 'none', webhook_payload: 'none' };

export const change = (
  name: string,
  at: string,
  before: unknown,
  after: unknown,
  expected: Expected,
  reverse: Expected,
): Case => ({
  name,
  edits: [{ at, before, after }],
  expected,
  reverse,
});

/** Reference date of all cases. */
export const day = '2027-01-31';

export const withPolicy = (policy: PolicyFile, one: Case): Case => ({ ...one, policy });

export const changes = (name: string, edits: readonly Edit[], expected: Expected, reverse: Expected): Case => ({
  name,
  edits,
  expected,
  reverse,
});

// Locations in document.yaml.
export const schemas = '/components/schemas';
export const list = '/paths/~1collaborators/get';
export const create = '/paths/~1collaborators/post';
export const item = '/paths/~1collaborators~1{id}';
export const upload = '/paths/~1collaborators~1{id}~1documents/post';
export const event = '/webhooks/collaborator.created/post';
