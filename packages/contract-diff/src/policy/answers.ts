// Rules about answers: statuses and links.
import { define, loosened } from './rule.ts';

export const answers = define('wire', {
  'status-removed': {
    title: 'A status was removed',
    level: 'major',
    why: 'Clients branch on it. Of answers to webhooks: a receiver that gives it is no longer understood.',
  },
  'status-replaced': {
    title: 'A status was replaced by another',
    level: 'major',
    why: 'Clients branch on the exact status, 200 or 201, and so do generated ones.',
  },
  'status-widened': {
    title: 'A status became a range',
    level: loosened,
    why: 'Of answers to webhooks, more are understood. Of ours, clients that branch on the exact status meet another.',
  },
  'status-narrowed': {
    title: 'A range became a single status',
    level: 'major',
    why: 'Of answers to webhooks, others of the range are no longer understood. Of ours, the documented range is gone, and with it what clients were told to handle.',
  },
  'error-status-added': {
    title: 'An error status was added',
    level: 'minor',
    why: 'Clients handle an unknown 4xx or 5xx as the class it belongs to. Of answers to webhooks, one more is understood.',
  },
  'success-status-added': {
    title: 'A success or redirect status was added',
    level: loosened,
    why: 'Clients that expect the former one get an answer they do not know: it is no error to them, and no result either. Of answers to webhooks, one more is understood.',
  },
  'link-added': {
    title: 'A link was added',
    class: 'meaning',
    level: 'minor',
    undirected: true,
    why: 'Nobody follows it yet.',
  },
  'link-removed': {
    title: 'A link was removed',
    class: 'meaning',
    level: 'major',
    undirected: true,
    why: 'Who follows it finds nothing.',
  },
  'link-changed': {
    title: 'A link changed',
    class: 'meaning',
    level: 'major',
    undirected: true,
    why: 'Who follows it comes to another operation, or with other values.',
  },
});
