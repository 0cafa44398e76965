// Rules about webhooks and callbacks.
import { define } from './rule.ts';

export const webhooks = define('wire', {
  'webhook-added': {
    title: 'An event was added',
    level: 'minor',
    undirected: true,
    why: 'Receivers get it only when they subscribe, and ignore events they do not know.',
  },
  'webhook-removed': {
    title: 'An event was removed',
    level: 'major',
    undirected: true,
    why: 'Receivers wait for it in vain.',
  },
  'webhook-renamed': {
    title: 'An event was renamed',
    level: 'major',
    undirected: true,
    why: 'Receivers know it by its former name. A rename is never milder than a removal.',
  },
  'webhook-version-missing': {
    title: 'There are webhooks, but their payloads have no version',
    class: 'information',
    level: 'major',
    undirected: true,
    why: 'Webhook payloads have a version of their own, `info.x-webhook-payload-version`, a semantic version such as 1.4.0. Without it nobody can tell whether a change was announced. With `--single-version` they share `info.version`.',
  },
  'callback-added': {
    title: 'A callback was added',
    level: 'minor',
    undirected: true,
    why: 'It is sent to who asks for it.',
  },
  'callback-removed': {
    title: 'A callback was removed',
    level: 'major',
    undirected: true,
    why: 'Who asked for it waits in vain. A callback whose address is another expression is removed under the former one.',
  },
});
