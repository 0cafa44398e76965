// Rules about semantics: formats, defaults, discriminators, prose.
import { define, loosened, tightened } from './rule.ts';

export const meaning = define('wire', {
  'format-changed': {
    title: 'A format was replaced by another',
    level: 'major',
    undirected: true,
    reason:
      'The same text means something else: a date is not a time. Two formats that no validator knows are two meanings as well.',
  },
  'format-tightened': {
    title: 'A format rejects more',
    class: { accept: 'wire', emit: 'generated-code' },
    level: tightened,
    reason:
      'Requests with other values are rejected. Clients read the same values as before. Generated clients may give the value another type.',
  },
  'format-loosened': {
    title: 'A format rejects less',
    class: { accept: 'generated-code', emit: 'wire' },
    level: loosened,
    reason:
      "Former requests are still accepted. Clients that parse the value may get one that they don't expect. Generated clients may give it another type.",
  },
  'format-hint-changed': {
    title: 'A format changed that rejects nothing',
    class: 'generated-code',
    level: 'minor',
    reason:
      '`int64`, `float`, `double`, `password`, `binary`, and formats that no validator knows say how to store a value, not which values are valid. The same holds for `contentMediaType`, and for `xml` where nothing is XML. Messages stay the same. Generated clients may give the value another type.',
  },
  'default-changed': {
    title: 'A default changed',
    level: 'major',
    undirected: true,
    reason:
      'A request that leaves the value out does something else. A default that always held and is only documented now looks the same: accept it as an exception.',
  },
  'default-hint-changed': {
    title: 'An unused default changed',
    class: 'generated-code',
    level: 'minor',
    reason:
      'A value that is always present, or that the service sends, never falls back to its default. Messages stay the same. Some generators write defaults into their classes.',
  },
  'semantics-changed': {
    title: 'The meaning of a value or an operation changed',
    class: 'meaning',
    level: 'major',
    undirected: true,
    reason:
      'Extensions such as `x-unit` say what a value means: 5 meters are not 5 feet. Nothing fails, and the data is wrong.',
  },
  'constant-names-changed': {
    title: 'The names of constants changed',
    class: 'generated-code',
    level: 'major',
    undirected: true,
    reason:
      'Generated clients name the values of a list by `x-enum-varnames`, so code that uses them no longer compiles. Nothing changes on the wire.',
  },
  'discriminator-changed': {
    title: 'A discriminator changed',
    level: 'major',
    undirected: true,
    reason: 'Clients choose the schema of a value by it, so they read the same value as something else.',
  },
  'discriminator-hint-changed': {
    title: 'A redundant discriminator was added or removed',
    class: 'generated-code',
    level: 'minor',
    undirected: true,
    reason:
      'Each alternative requires the value that the discriminator maps to it, so messages stay the same. Generated clients may read them differently.',
  },
  'discriminator-value-added': {
    title: 'A value was added to a discriminator',
    level: loosened,
    reason: "Requests may use it. Clients may get a kind that they don't know.",
  },
  'discriminator-value-removed': {
    title: 'A value was removed from a discriminator',
    level: 'major',
    reason: 'Messages that carry it can no longer be distinguished.',
  },
  'prose-changed': {
    title: 'A description changed',
    class: 'meaning',
    level: 'none',
    undirected: true,
    reason:
      "Only a person can decide whether new words mean something else, and most don't. So it is noted. With the level `undecided` the check fails until a file in the `--changes` folder says `meaning: same` (a patch) or `meaning: changed` (a major change).",
  },
  'prose-reflowed': {
    title: 'Only the line breaks of a description changed',
    class: 'information',
    level: 'patch',
    undirected: true,
    reason: 'The words are the same.',
  },
  'example-changed': {
    title: 'An example changed',
    class: 'information',
    level: 'patch',
    undirected: true,
    reason: 'Examples promise nothing.',
  },
  'edit-without-effect': {
    title: 'An edit has no effect',
    class: 'information',
    level: 'none',
    undirected: true,
    reason:
      "The documents differ, and messages stay the same: a limit on a type that it doesn't concern, an unused part, another order or spelling. The author may have expected an effect.",
  },
  'unused-schema-changed': {
    title: 'An unused schema changed',
    class: 'information',
    level: 'none',
    undirected: true,
    reason:
      'No operation uses it, so nothing tells which clients would break. Such schemas often describe webhooks in prose, in documents of OpenAPI 3.0: under `webhooks` or `x-webhooks` they are compared.',
  },
  'contact-changed': {
    title: 'The contact changed',
    class: 'information',
    level: 'patch',
    undirected: true,
    reason: 'No program reads it.',
  },
  'extension-changed': {
    title: 'An unknown extension changed',
    class: 'meaning',
    level: 'none',
    undirected: true,
    reason: 'Most extensions are hints for tools, so it is noted. A policy can say what each extension means.',
  },
});
