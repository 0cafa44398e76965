// Rules about what values and operations mean: formats, defaults, discriminators, words.
import { define, loosened, tightened } from './rule.ts';

export const meaning = define('wire', {
  'format-changed': {
    title: 'A format was replaced by another',
    level: 'major',
    undirected: true,
    why: 'The same characters mean something else: a date is no time, base64 no bytes. Two formats that no validator knows are two meanings as well.',
  },
  'format-tightened': {
    title: 'A format refuses more',
    class: { accept: 'wire', emit: 'generated-code' },
    level: tightened,
    why: 'Requests with other values are refused now. What is sent was of that form perhaps all along, and clients read it as before; generators give it another type. Who ships generated clients may ask for more.',
  },
  'format-loosened': {
    title: 'A format refuses less',
    class: { accept: 'generated-code', emit: 'wire' },
    level: loosened,
    why: 'Requests that were accepted still are; generators give the value another type. In what is sent there may be values that a client which parses them does not expect.',
  },
  'format-hint-changed': {
    title: 'A format changed that refuses nothing',
    class: 'generated-code',
    level: 'minor',
    why: '`int64`, `float`, `double`, `password`, `binary`, and names that no validator knows say how a value is to be kept, not what it may be; `contentMediaType` and, where nothing is XML, `xml` are hints as well. Every message stays as it was; generators may give the value another type. Who ships generated clients in a language that tells these types apart asks for `major`, who ships none for `none`.',
  },
  'default-changed': {
    title: 'A default changed',
    level: 'major',
    undirected: true,
    why: 'A request that leaves the value out does something else, without anybody changing it. One that was only written down, because it held all along, looks the same: a person can tell and accept it.',
  },
  'default-hint-changed': {
    title: 'A default changed that is never used',
    class: 'generated-code',
    level: 'minor',
    why: 'Of what is sent, and of what must always be there, nothing is ever left out: the default changes no message. Some generators write it into their classes. Others count each default as a promise, and ask for `major`.',
  },
  'semantics-changed': {
    title: 'What a value or an operation means changed',
    class: 'meaning',
    level: 'major',
    undirected: true,
    why: 'Extensions such as `x-unit` say what a value is: 5 metres are not 5 feet. Nothing fails, and everything is wrong.',
  },
  'constant-names-changed': {
    title: 'The names of constants changed',
    class: 'generated-code',
    level: 'major',
    undirected: true,
    why: 'Generated clients name the values of a list by `x-enum-varnames`: code that uses them no longer compiles. On the wire nothing changes.',
  },
  'discriminator-changed': {
    title: 'A discriminator changed',
    level: 'major',
    undirected: true,
    why: 'It tells a client which schema to read a value by: the same value is read as something else.',
  },
  'discriminator-value-added': {
    title: 'A value was added to a discriminator',
    level: loosened,
    why: 'Requests may use it. What is sent may be of a kind that receivers do not know.',
  },
  'discriminator-value-removed': {
    title: 'A value was removed from a discriminator',
    level: 'major',
    why: 'What carries it can no longer be told apart.',
  },
  'prose-changed': {
    title: 'A description changed',
    class: 'meaning',
    level: 'none',
    undirected: true,
    why: 'Whether the words say something else is for a person to decide, and most changes of words do not: a comparison that stops at each is soon switched off. So it is noted. Who promises by words asks for `undecided`: then it fails until a file of the folder `--changes` says `meaning: same` (a patch) or `meaning: changed` (a major change) for the place.',
  },
  'prose-reflowed': {
    title: 'Only the line breaks of a description changed',
    class: 'information',
    level: 'patch',
    undirected: true,
    why: 'The words are the same.',
  },
  'example-changed': {
    title: 'An example changed',
    class: 'information',
    level: 'patch',
    undirected: true,
    why: 'Examples promise nothing.',
  },
  'unused-schema-changed': {
    title: 'A schema that no operation leads to changed',
    class: 'information',
    level: 'none',
    undirected: true,
    why: 'Nothing says that it is ever sent, or by whom, so nothing can be said about who breaks. It is noted because such schemas often describe what words promise, as the bodies of webhooks in documents of OpenAPI 3.0: under `webhooks` or `x-webhooks` they are judged. Who keeps promises in them asks for `undecided`.',
  },
  'contact-changed': {
    title: 'The contact changed',
    class: 'information',
    level: 'patch',
    undirected: true,
    why: 'No program notices.',
  },
  'extension-changed': {
    title: 'An extension changed that is not known here',
    class: 'meaning',
    level: 'none',
    undirected: true,
    why: 'It may mean something, or be a hint for a tool: most are hints, so it is noted. A policy can say for each extension what it is taken for, or ask for `undecided`: then it is decided like a description.',
  },
});
