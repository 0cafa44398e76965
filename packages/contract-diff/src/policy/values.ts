// Rules about allowed values: types, enums, limits, alternatives.
import { define, loosened, tightened } from './rule.ts';

export const values = define('wire', {
  'type-changed': {
    title: 'A type changed',
    level: 'major',
    reason: "The service rejects former values, and clients don't understand the new ones.",
  },
  'text-type-changed': {
    title: 'A type changed, and its text form did not',
    class: 'generated-code',
    level: 'minor',
    reason:
      'Parameters, headers, and form fields are text on the wire, and both types are written alike. Generated clients give the argument another type, so code that uses them may no longer compile.',
  },
  'text-type-widened': {
    title: 'A type changed, and more text is allowed',
    class: { accept: 'generated-code', emit: 'wire' },
    level: loosened,
    reason:
      "Parameters, headers, and form fields are text on the wire: `5` is a number and a string, and a single value is a list of one. Former requests are still accepted. Responses may have text that clients don't expect. Generated clients give the value another type.",
  },
  'text-type-narrowed': {
    title: 'A type changed, and less text is allowed',
    class: { accept: 'wire', emit: 'generated-code' },
    level: tightened,
    reason:
      'Parameters, headers, and form fields are text on the wire. Requests with other text are rejected. Clients have less to handle. Generated clients give the value another type.',
  },
  'type-widened': {
    title: 'A type was widened',
    level: loosened,
    reason: "The service accepts more. It may send a type that clients don't expect.",
  },
  'type-narrowed': {
    title: 'A type was narrowed',
    level: tightened,
    reason: 'Requests with the other types are rejected. Clients have less to handle.',
  },
  'null-allowed': {
    title: 'A value may be null',
    level: loosened,
    reason: "Requests may send null. Responses and webhooks may have a null that clients don't expect.",
  },
  'null-refused': {
    title: 'A value is never null',
    level: tightened,
    reason: 'Requests that send null are rejected. Clients have less to handle.',
  },
  'enum-value-added': {
    title: 'A value was added to a closed list',
    level: loosened,
    reason:
      'Requests may use it. The contract promised clients no other value. Declare a list that will grow with `x-extensible-enum`.',
  },
  'enum-value-removed': {
    title: 'A value was removed from a closed list',
    level: tightened,
    reason: 'Requests with it are rejected. Clients have less to handle.',
  },
  'constant-changed': {
    title: 'The only allowed value was replaced',
    level: 'major',
    reason: 'Requests with the former value are rejected. Clients get a value that the contract ruled out.',
  },
  'enum-closed': {
    title: 'Values were limited to a list',
    level: tightened,
    reason: 'Requests with other values are rejected. Clients have less to handle.',
  },
  'enum-opened': {
    title: 'A list of values is no longer closed',
    level: loosened,
    reason: "Requests may use other values. Clients may get values that they don't know.",
  },
  'extensible-value-added': {
    title: 'A known value was added to an extensible list',
    level: 'minor',
    reason: "The list is open (`x-extensible-enum`): clients must accept values they don't know.",
  },
  'extensible-value-removed': {
    title: 'A known value was removed from an extensible list',
    level: tightened,
    reason: 'The service no longer understands requests with it. Clients have less to handle.',
  },
  'limit-tightened': {
    title: 'A limit was tightened',
    level: tightened,
    reason: 'Requests beyond the limit are rejected. Clients have less to handle.',
  },
  'limit-loosened': {
    title: 'A limit was loosened',
    level: loosened,
    reason: 'The service accepts more. It may send more than clients have room for.',
  },
  'limit-changed': {
    title: 'A limit was replaced by another',
    level: 'major',
    reason:
      'Some values are allowed only before, others only after, so neither clients nor the service can rely on it.',
  },
  'alternative-added': {
    title: 'An alternative was added',
    level: loosened,
    reason: "Requests may use it. Clients may get a shape that they don't know.",
  },
  'alternative-removed': {
    title: 'An alternative was removed',
    level: tightened,
    reason: 'Requests in that shape are rejected. Clients have less to handle.',
  },
  'schema-tightened': {
    title: 'A schema allows less',
    level: tightened,
    reason: 'Compared as a whole: every value of the new schema is valid in the old one, but not the other way around.',
  },
  'schema-loosened': {
    title: 'A schema allows more',
    level: loosened,
    reason: 'Compared as a whole: every value of the old schema is valid in the new one, but not the other way around.',
  },
  'schema-changed': {
    title: 'A schema allows other values',
    level: 'major',
    reason:
      "Compared as a whole: neither schema contains the other, or the comparison is undecided. A change that can't be shown to be compatible counts as a break.",
  },
});
