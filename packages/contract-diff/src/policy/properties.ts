// Rules about object properties.
import { define, loosened, tightened } from './rule.ts';

export const properties = define('wire', {
  'property-added': {
    title: 'A property was added',
    level: 'minor',
    reason:
      "Requests may leave it out. Clients ignore properties they don't know: sent objects gain properties in minor versions, even where an old schema is closed.",
  },
  'required-property-added': {
    title: 'A required property was added',
    level: { accept: 'major', emit: 'minor' },
    reason: 'Requests without it are rejected. In responses and webhooks, it is one more thing to rely on.',
  },
  'property-removed': {
    title: 'A property was removed',
    level: 'major',
    reason: 'Requests with it are rejected or lose their meaning. Clients that read it find nothing.',
  },
  'property-renamed': {
    title: 'A property was renamed',
    level: 'major',
    reason:
      'The former name no longer works. A rename is recognized by `x-renamed-from`, or by type, description, and name together. It breaks as much as a removal.',
  },
  'property-hidden': {
    title: 'A property became read-only or write-only',
    level: 'major',
    reason:
      'Clients can no longer send a read-only property, or read a write-only one: it was removed in that direction.',
  },
  'property-became-required': {
    title: 'A property became required',
    level: tightened,
    reason: 'Requests without it are rejected. In responses and webhooks, it is always there.',
  },
  'property-became-optional': {
    title: 'A property became optional',
    level: loosened,
    reason: "Requests may leave it out. In responses and webhooks it can be missing, which clients don't expect.",
  },
  'other-properties-refused': {
    title: 'Unlisted properties are rejected',
    level: tightened,
    reason: 'Requests with unlisted properties are rejected. Clients have less to handle.',
  },
  'other-properties-allowed': {
    title: 'Unlisted properties are allowed',
    level: loosened,
    reason: 'Requests may have more properties. Responses and webhooks may have some that a strict client rejects.',
  },
});
