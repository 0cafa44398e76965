// Rules about security: schemes, scopes, and requirements of operations.
import { define } from './rule.ts';

export const security = define('wire', {
  'security-tightened': {
    title: 'The security requirements became stricter',
    level: 'major',
    reason:
      'Credentials that were sufficient are rejected: a scheme or scope is needed in addition, or instead. Webhook receivers no longer find the credentials they check.',
  },
  'security-alternative-removed': {
    title: 'A security alternative was removed',
    level: 'major',
    reason: 'Requests that use it are rejected.',
  },
  'security-alternative-added': {
    title: 'A security alternative was added',
    level: 'minor',
    reason: 'The other alternatives stay.',
  },
  'security-loosened': {
    title: 'The security requirements became weaker',
    level: 'minor',
    reason: 'Credentials that were sufficient still are. Webhooks carry more than receivers check.',
  },
  'security-scheme-changed': {
    title: 'A security scheme changed',
    level: 'major',
    undirected: true,
    reason: 'Clients have to get, name, or send credentials in another way.',
  },
  'security-scheme-removed': {
    title: 'A security scheme in use was removed',
    level: 'major',
    undirected: true,
    reason: 'The document no longer says how to get and send the credentials.',
  },
  'security-scheme-added': {
    title: 'A security scheme in use is described',
    class: 'information',
    level: 'minor',
    undirected: true,
    reason: 'Its description was missing. Clients that already send the credentials notice nothing.',
  },
  'security-flow-added': {
    title: 'An OAuth flow was added',
    level: 'minor',
    undirected: true,
    reason: 'The other flows stay.',
  },
  'security-flow-removed': {
    title: 'An OAuth flow was removed',
    level: 'major',
    undirected: true,
    reason: 'Clients that use it get no token.',
  },
  'scope-added': { title: 'A scope was added', level: 'minor', undirected: true, reason: 'No client asks for it yet.' },
  'scope-removed': {
    title: 'A scope was removed',
    level: 'major',
    undirected: true,
    reason: 'Clients that ask for it are rejected.',
  },
});
