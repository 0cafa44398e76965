// Rules about operations and where they are: paths, tags, servers, deprecation.
import { define } from './rule.ts';

export const operations = define('wire', {
  'operation-added': { title: 'An operation was added', level: 'minor', undirected: true, why: 'Nobody calls it yet.' },
  'operation-removed': {
    title: 'An operation was removed',
    level: 'major',
    undirected: true,
    why: 'Whoever calls it gets 404 or 405. Mark it `deprecated` first, and remove it in the next major version.',
  },
  'operation-moved': {
    title: 'An operation moved to another path or method',
    level: 'major',
    undirected: true,
    why: 'Requests to the former address fail. It is recognised by its operationId, by `x-renamed-from` with the former path, or by what it takes and answers.',
  },
  'operation-id-changed': {
    title: 'An operationId changed',
    class: 'generated-code',
    level: 'major',
    undirected: true,
    why: 'Generated clients name their methods by it: code that calls them no longer compiles. An operationId that is added or removed changes the name just as well.',
  },
  'tag-moved': {
    title: 'An operation moved to another tag',
    class: 'generated-code',
    level: 'major',
    undirected: true,
    why: 'Generated clients put operations into classes or modules by tag: code that calls them no longer compiles.',
  },
  'tag-added': {
    title: 'An operation has one more tag',
    class: 'generated-code',
    level: 'minor',
    undirected: true,
    why: 'It can be found in one more place, and where it was.',
  },
  'tag-list-changed': {
    title: 'The description of a tag was added or removed',
    class: 'information',
    level: 'patch',
    undirected: true,
    why: 'Only documentation shows it. What counts for clients is the tag of each operation.',
  },
  'path-parameter-renamed': {
    title: 'A parameter in a path has another name',
    class: 'generated-code',
    level: 'none',
    undirected: true,
    why: 'Every request stays the same: values in a path have a position, not a name. It is noted because some generated clients name an argument by it.',
  },
  'server-changed': {
    title: 'A server address changed',
    level: 'major',
    undirected: true,
    why: 'Clients built against the former address no longer reach the service.',
  },
  'server-removed': {
    title: 'A server address was removed',
    level: 'major',
    undirected: true,
    why: 'Clients that use it no longer reach the service.',
  },
  'server-added': { title: 'A server address was added', level: 'minor', undirected: true, why: 'All others stay.' },
  'first-server-changed': {
    title: 'Another server comes first',
    class: 'generated-code',
    level: 'major',
    undirected: true,
    why: 'Generated clients use the first address unless they are told another one.',
  },
  deprecated: {
    title: 'Something was deprecated',
    class: 'information',
    level: 'minor',
    undirected: true,
    why: 'It still works, but clients are asked to leave it: that is news for them, not a break.',
  },
  'deprecation-withdrawn': {
    title: 'Something is no longer deprecated',
    class: 'information',
    level: 'minor',
    undirected: true,
    why: 'A promise was given again. Nothing breaks.',
  },
});
