// Rules about operations: paths, tags, servers, deprecation.
import { define } from './rule.ts';

export const operations = define('wire', {
  'operation-added': {
    title: 'An operation was added',
    level: 'minor',
    undirected: true,
    reason: 'No client calls it yet.',
  },
  'operation-removed': {
    title: 'An operation was removed',
    level: 'major',
    undirected: true,
    reason: 'Clients that call it get 404 or 405. Mark it `deprecated` first, and remove it in the next major version.',
  },
  'operation-moved': {
    title: 'An operation moved to another path or method',
    level: 'major',
    undirected: true,
    reason:
      'Requests to the former path fail. A move is recognized by the operationId, by `x-renamed-from` with the former path, or by parameters, bodies, and responses.',
  },
  'operation-id-changed': {
    title: 'An operationId changed',
    class: 'generated-code',
    level: 'major',
    undirected: true,
    reason:
      'Generated clients name their methods by it, so code that calls them no longer compiles. The same holds for an operationId that is removed. Nothing changes on the wire.',
  },
  'operation-id-added': {
    title: 'An operation got an operationId',
    class: 'generated-code',
    level: 'minor',
    undirected: true,
    reason: 'Generators no longer make up a name for the method. No promised name is lost.',
  },
  'tag-moved': {
    title: 'An operation moved to another tag',
    class: 'generated-code',
    level: 'major',
    undirected: true,
    reason:
      'Generated clients group operations into classes or modules by tag, so code that calls them no longer compiles.',
  },
  'first-tag-added': {
    title: 'An operation without a tag got one',
    class: 'generated-code',
    level: 'minor',
    undirected: true,
    reason: 'Generators move it from their default class to that of the tag. No promised name is lost.',
  },
  'tag-added': {
    title: 'An operation got another tag',
    class: 'generated-code',
    level: 'minor',
    undirected: true,
    reason: 'It appears in one more group, and stays in the former ones.',
  },
  'tag-list-changed': {
    title: 'The description of a tag was added or removed',
    class: 'information',
    level: 'patch',
    undirected: true,
    reason: 'Only documentation shows it. Clients depend on the tags of each operation.',
  },
  'path-parameter-renamed': {
    title: 'A path parameter was renamed',
    class: 'generated-code',
    level: 'none',
    undirected: true,
    reason:
      'Requests stay the same: values in a path have a position, not a name. Some generated clients name an argument by it, so it is noted.',
  },
  'server-changed': {
    title: 'A server URL changed',
    level: 'major',
    undirected: true,
    reason: 'Clients that use the former URL no longer reach the service.',
  },
  'server-prefix-moved': {
    title: 'A prefix moved between the server URLs and the paths',
    class: 'generated-code',
    level: 'patch',
    undirected: true,
    reason: 'Requests go to the same URLs as before. Generated clients split them differently.',
  },
  'server-removed': {
    title: 'A server URL was removed',
    level: 'major',
    undirected: true,
    reason: 'Clients that use it no longer reach the service.',
  },
  'server-added': { title: 'A server URL was added', level: 'minor', undirected: true, reason: 'The other URLs stay.' },
  'first-server-changed': {
    title: 'Another server comes first',
    class: 'generated-code',
    level: 'major',
    undirected: true,
    reason: 'Generated clients use the first URL by default.',
  },
  deprecated: {
    title: 'Something was deprecated',
    class: 'information',
    level: 'minor',
    undirected: true,
    reason: 'It still works. Clients are asked to stop using it.',
  },
  'deprecation-withdrawn': {
    title: 'Something is no longer deprecated',
    class: 'information',
    level: 'minor',
    undirected: true,
    reason: 'It stays supported. Nothing breaks.',
  },
});
