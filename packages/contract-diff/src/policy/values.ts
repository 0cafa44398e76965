// Rules about the values a schema allows: types, lists, limits, alternatives.
import { define, loosened, tightened } from './rule.ts';

export const values = define('wire', {
  'type-changed': {
    title: 'A type changed',
    level: 'major',
    why: 'What was sent is refused, and what comes is not understood.',
  },
  'text-type-changed': {
    title: 'A type changed, and no text',
    class: 'generated-code',
    level: 'minor',
    why: 'Parameters, headers and the fields of forms are texts on the wire: the values of both types are written alike. Generated clients give an argument another type, and code that uses them may no longer compile: who ships some may ask for `major`.',
  },
  'text-type-widened': {
    title: 'A type changed, and more texts are allowed',
    class: { accept: 'generated-code', emit: 'wire' },
    level: loosened,
    why: 'Parameters, headers and the fields of forms are texts on the wire, where `5` is a number and a string, and one value the same as a list of one. Every request that was accepted still is; generated clients give the argument another type. In what is sent there may be texts that receivers do not expect.',
  },
  'text-type-narrowed': {
    title: 'A type changed, and fewer texts are allowed',
    class: { accept: 'wire', emit: 'generated-code' },
    level: tightened,
    why: 'Parameters, headers and the fields of forms are texts on the wire. Requests with the others are refused now. What is sent is among what was sent; generated clients give it another type.',
  },
  'type-widened': {
    title: 'A type was widened',
    level: loosened,
    why: 'More is accepted. In what is sent there may be a type that receivers do not expect.',
  },
  'type-narrowed': {
    title: 'A type was narrowed',
    level: tightened,
    why: 'What was accepted is refused. In what is sent there is less to expect.',
  },
  'null-allowed': {
    title: 'A value may be null',
    level: loosened,
    why: 'Requests may say null. In what is sent there may be a null that receivers do not expect.',
  },
  'null-refused': {
    title: 'A value is never null any more',
    level: tightened,
    why: 'Requests that say null are refused. In what is sent there is less to expect.',
  },
  'enum-value-added': {
    title: 'A value was added to a closed list',
    level: loosened,
    why: 'Requests may use it. In what is sent it is a value that receivers were told would not come; a list that will grow should be `x-extensible-enum`.',
  },
  'enum-value-removed': {
    title: 'A value was removed from a closed list',
    level: tightened,
    why: 'Requests with it are refused. In what is sent there is less to expect.',
  },
  'constant-changed': {
    title: 'The only value that is allowed was replaced by another',
    level: 'major',
    why: 'Requests with the former value are refused. What is sent has a value that receivers were told would not come.',
  },
  'enum-closed': {
    title: 'Values were closed to a list',
    level: tightened,
    why: 'Requests with other values are refused. In what is sent there is less to expect.',
  },
  'enum-opened': {
    title: 'A list of values is no longer closed',
    level: loosened,
    why: 'Requests may use other values. In what is sent there may be values that receivers do not know.',
  },
  'extensible-value-added': {
    title: 'A known value was added to an extensible list',
    level: 'minor',
    why: 'The list was declared open with `x-extensible-enum`: receivers were told to accept values they do not know.',
  },
  'extensible-value-removed': {
    title: 'A known value was removed from an extensible list',
    level: tightened,
    why: 'Requests with it are not understood any more. In what is sent there is less to expect.',
  },
  'limit-tightened': {
    title: 'A limit was tightened',
    level: tightened,
    why: 'Requests beyond it are refused. In what is sent there is less to expect.',
  },
  'limit-loosened': {
    title: 'A limit was loosened',
    level: loosened,
    why: 'More is accepted. In what is sent there may be more than receivers have room for.',
  },
  'limit-changed': {
    title: 'A limit was replaced by another',
    level: 'major',
    why: 'Some values are allowed only before, others only after: neither senders nor receivers can rely on it.',
  },
  'alternative-added': {
    title: 'An alternative was added',
    level: loosened,
    why: 'Requests may use it. In what is sent there may be a shape that receivers do not know.',
  },
  'alternative-removed': {
    title: 'An alternative was removed',
    level: tightened,
    why: 'Requests in that shape are refused. In what is sent there is less to expect.',
  },
  'schema-tightened': {
    title: 'A schema allows less',
    level: tightened,
    why: 'Compared as a whole: every value of the new schema is one of the old, not the other way round.',
  },
  'schema-loosened': {
    title: 'A schema allows more',
    level: loosened,
    why: 'Compared as a whole: every value of the old schema is one of the new, not the other way round.',
  },
  'schema-changed': {
    title: 'A schema allows other values',
    level: 'major',
    why: 'Compared as a whole: neither schema contains the other, or that could not be decided. What can not be shown to be compatible is treated as a break.',
  },
});
