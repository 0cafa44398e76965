// Rules about webhooks and callbacks.
import { define } from './rule.ts';

export const webhooks = define('wire', {
  'webhook-added': {
    title: 'A webhook event was added',
    level: 'minor',
    undirected: true,
    reason: "Receivers get it only when they subscribe, and ignore events they don't know.",
  },
  'webhook-removed': {
    title: 'A webhook event was removed',
    level: 'major',
    undirected: true,
    reason: 'Receivers no longer get it.',
  },
  'webhook-renamed': {
    title: 'A webhook event was renamed',
    level: 'major',
    undirected: true,
    reason: 'Receivers know it by its former name. A rename breaks as much as a removal.',
  },
  'webhook-version-missing': {
    title: 'Webhook payloads have no version',
    class: 'information',
    level: 'major',
    undirected: true,
    reason:
      'Webhook payloads have a version of their own, `info.x-webhook-payload-version`, such as 1.4.0. Without it, nothing tells whether a change was announced. With `--single-version` they share `info.version`.',
  },
  'callback-added': {
    title: 'A callback was added',
    level: 'minor',
    undirected: true,
    reason: 'The service calls it only for clients that request it.',
  },
  'callback-removed': {
    title: 'A callback was removed',
    level: 'major',
    undirected: true,
    reason:
      'Clients that request it are no longer called. A callback whose URL expression changes counts as removed and added.',
  },
});
