// Rules about who is let in: security schemes, scopes, and what an operation asks for.
import { define } from './rule.ts';

export const security = define('wire', {
  'security-tightened': {
    title: 'What was enough to be allowed is no longer enough',
    level: 'major',
    why: 'A scheme or scope is needed in addition, or another one instead: who was allowed is refused. Receivers of a webhook no longer find what they check.',
  },
  'security-alternative-removed': {
    title: 'One of the ways to be allowed was removed',
    level: 'major',
    why: 'Requests that come that way are refused.',
  },
  'security-alternative-added': {
    title: 'One more way to be allowed was added',
    level: 'minor',
    why: 'All others stay.',
  },
  'security-loosened': {
    title: 'Less is needed to be allowed',
    level: 'minor',
    why: 'Who was allowed still is. Of a webhook: more is carried than receivers check.',
  },
  'security-scheme-changed': {
    title: 'A security scheme changed',
    level: 'major',
    undirected: true,
    why: 'Credentials are got, named or sent in another way.',
  },
  'security-scheme-removed': {
    title: 'A security scheme that is asked for was removed',
    level: 'major',
    undirected: true,
    why: 'Nothing says any more how to get and send the credentials.',
  },
  'security-scheme-added': {
    title: 'A security scheme that was asked for is described',
    class: 'information',
    level: 'minor',
    undirected: true,
    why: 'It was missing. Whoever guessed it right notices nothing.',
  },
  'security-flow-added': {
    title: 'A way to get a token was added',
    level: 'minor',
    undirected: true,
    why: 'All others stay.',
  },
  'security-flow-removed': {
    title: 'A way to get a token was removed',
    level: 'major',
    undirected: true,
    why: 'Who uses it gets no token any more.',
  },
  'scope-added': { title: 'A scope was added', level: 'minor', undirected: true, why: 'Nobody asks for it yet.' },
  'scope-removed': {
    title: 'A scope was removed',
    level: 'major',
    undirected: true,
    why: 'Clients that ask for it are refused.',
  },
});
