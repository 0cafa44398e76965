// Rules about responses: statuses and links.
import { define, loosened } from './rule.ts';

export const responses = define('wire', {
  'status-removed': {
    title: 'A status code was removed',
    level: 'major',
    reason: 'Clients branch on status codes. The service no longer understands webhook receivers that respond with it.',
  },
  'status-replaced': {
    title: 'A status code was replaced by another',
    level: 'major',
    reason: 'Clients, generated ones too, branch on the exact status code, such as 200 or 201.',
  },
  'status-widened': {
    title: 'A status code became a range',
    level: loosened,
    reason:
      'The service understands more responses to webhooks. Clients that branch on the exact status code meet others.',
  },
  'status-narrowed': {
    title: 'A range of status codes became a single one',
    level: 'major',
    reason:
      'The service no longer understands other responses to webhooks. Clients lose the range that the contract declared.',
  },
  'error-status-added': {
    title: 'An error status code was added',
    level: 'minor',
    reason: 'Clients handle an unknown 4xx or 5xx by its class. The service understands one more response to webhooks.',
  },
  'success-status-added': {
    title: 'A success or redirect status code was added',
    level: loosened,
    reason:
      "Clients that expect the former status code get a response that they don't handle. The service understands one more response to webhooks.",
  },
  'link-added': {
    title: 'A link was added',
    class: 'meaning',
    level: 'minor',
    undirected: true,
    reason: 'No client follows it yet.',
  },
  'link-removed': {
    title: 'A link was removed',
    class: 'meaning',
    level: 'major',
    undirected: true,
    reason: 'Clients that follow it find nothing.',
  },
  'link-changed': {
    title: 'A link changed',
    class: 'meaning',
    level: 'major',
    undirected: true,
    reason: 'Clients that follow it reach another operation, or pass other values.',
  },
});
