// Rules about the properties of objects.
import { define, loosened, tightened } from './rule.ts';

export const properties = define('wire', {
  'property-added': {
    title: 'A property was added',
    level: 'minor',
    why: 'Requests may leave it out. Who receives it and does not know it ignores it: objects that are sent gain properties in minor versions, whatever an old schema said.',
  },
  'required-property-added': {
    title: 'A required property was added',
    level: { accept: 'major', emit: 'minor' },
    why: 'Requests without it are refused. In what is sent it is one more thing to rely on.',
  },
  'property-removed': {
    title: 'A property was removed',
    level: 'major',
    why: 'Requests with it are refused or lose what they said; who reads it finds nothing.',
  },
  'property-renamed': {
    title: 'A property was renamed',
    level: 'major',
    why: 'The former name no longer works. Recognised by `x-renamed-from`, or by what it is, its description and its name. A rename is never milder than a removal.',
  },
  'property-hidden': {
    title: 'A property became read-only or write-only',
    level: 'major',
    why: 'A read-only property can no longer be sent, a write-only one is no longer answered: in that direction it was removed.',
  },
  'property-became-required': {
    title: 'A property became required',
    level: tightened,
    why: 'Requests without it are refused now. In what is sent it is always there now.',
  },
  'property-became-optional': {
    title: 'A property became optional',
    level: loosened,
    why: 'Requests may leave it out. In what is sent it can be missing, which receivers do not expect.',
  },
  'other-properties-refused': {
    title: 'Properties that are not listed are refused',
    level: tightened,
    why: 'Requests with others are refused now. In what is sent there is less to expect.',
  },
  'other-properties-allowed': {
    title: 'Properties that are not listed are allowed',
    level: loosened,
    why: 'Requests may have others. In what is sent there may be some that a strict receiver refuses.',
  },
});
