// One change of a document, and what it must be judged to be: in this direction and back.
import type { Level } from '../../src/model/findings.ts';
import type { PolicyFile } from '../../src/policy/policy.ts';
import type { RuleId } from '../../src/policy/rules.ts';

/** What a place holds, before or after; `gone` where there is nothing. */
export interface Edit {
  /** The JSON pointer in document.yaml. Where that holds nothing, `before` is put there first. */
  readonly at: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** There is nothing at the place. */
export const gone: unique symbol = Symbol('gone');

/** What a comparison must find: this rule, and for each version what is required of it. */
export interface Expected {
  readonly rule: RuleId | 'none';
  readonly interface: Level;
  readonly webhook_payload: Level;
}

export interface Case {
  /** By which policy it is judged, where that is not the one that comes with the rules. */
  readonly policy?: PolicyFile;
  /** What is done to the document, as a phrase. */
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly expected: Expected;
  readonly reverse: Expected;
}

/** Of the interface only. */
export const own = (rule: RuleId | 'none', level: Level): Expected => ({
  rule,
  interface: level,
  webhook_payload: 'none',
});
/** Of the webhook payload only. */
export const payload = (rule: RuleId | 'none', level: Level): Expected => ({
  rule,
  interface: 'none',
  webhook_payload: level,
});
/** Of both. */
export const both = (rule: RuleId | 'none', level: Level, payloadLevel = level): Expected => ({
  rule,
  interface: level,
  webhook_payload: payloadLevel,
});
/** Nothing at all. */
export const nothing: Expected = { rule: 'none', interface: 'none', webhook_payload: 'none' };

/** A case of one edit. */
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

/** The day on which all cases are judged. */
export const day = '2027-01-31';

/** A case that is judged by a policy of its own. */
export const byPolicy = (policy: PolicyFile, one: Case): Case => ({ ...one, policy });

/** A case of several edits that belong together. */
export const changes = (name: string, edits: readonly Edit[], expected: Expected, reverse: Expected): Case => ({
  name,
  edits,
  expected,
  reverse,
});

// Places of document.yaml.
export const schemas = '/components/schemas';
export const list = '/paths/~1collaborators/get';
export const create = '/paths/~1collaborators/post';
export const item = '/paths/~1collaborators~1{id}';
export const upload = '/paths/~1collaborators~1{id}~1documents/post';
export const event = '/webhooks/collaborator.created/post';
