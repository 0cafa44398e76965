// Rules about what values and operations mean: formats, defaults, discriminators, words.
import { define, loosened } from './rule.ts';

export const meaning = define('wire', {
  'format-changed': {
    title: 'A format changed',
    level: 'major',
    undirected: true,
    why: 'The same characters mean something else, and generated clients give them another type. That holds for a format that is added or removed too.',
  },
  'default-changed': {
    title: 'A default changed',
    level: 'major',
    undirected: true,
    why: 'The same request does something else, without anybody changing it.',
  },
  'semantics-changed': {
    title: 'What a value or an operation means changed',
    class: 'meaning',
    level: 'major',
    undirected: true,
    why: 'Extensions such as `x-unit` say what a value is: 5 metres are not 5 feet. Nothing fails, and everything is wrong.',
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
    level: 'undecided',
    undirected: true,
    why: 'Whether the words say something else is for a person to decide. A file in `openapi/changes/` says `meaning: same` (a patch) or `meaning: changed` (a major change) for the place; until then the comparison fails.',
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
    level: 'undecided',
    undirected: true,
    why: 'It may mean something, or be a hint for a tool. A file in `openapi/changes/` decides it like a description.',
  },
});
