// Rules about parameters and headers.
import { define, loosened, tightened } from './rule.ts';

export const parameters = define('wire', {
  'parameter-added': {
    title: 'An optional parameter was added',
    level: 'minor',
    reason: 'Requests without it mean the same as before.',
  },
  'required-parameter-added': {
    title: 'A required parameter was added',
    level: { accept: 'major', emit: 'minor' },
    reason: 'Requests without it are rejected. In a webhook, it is one more value that is sent.',
  },
  'parameter-removed': {
    title: 'A parameter was removed',
    level: 'major',
    reason: 'Requests with it are rejected or mean something else. Receivers of a webhook miss it.',
  },
  'parameter-renamed': {
    title: 'A parameter was renamed',
    level: 'major',
    reason: 'The former name no longer works. A rename breaks as much as a removal.',
  },
  'parameters-regrouped': {
    title: 'Parameters were merged into an object, or split up',
    class: 'generated-code',
    level: 'minor',
    reason:
      'By default, an object in the query is written as `a=1&b=2`: each of its properties is a parameter on the wire, and requests stay the same. Generated clients take other arguments.',
  },
  'parameter-moved': {
    title: 'A parameter moved to another location',
    level: 'major',
    reason: 'The service no longer reads it where clients send it (query, header, cookie, or path).',
  },
  'serialization-changed': {
    title: 'The serialization of a parameter changed',
    level: 'major',
    reason:
      '`style`, `explode`, `allowReserved`, and `content` say how a value is written. The service reads former requests as something else.',
  },
  'empty-value-allowed': {
    title: 'A parameter may be empty',
    level: loosened,
    reason: 'The service accepts more requests.',
  },
  'empty-value-refused': {
    title: 'A parameter must not be empty',
    level: tightened,
    reason: 'Requests with an empty value are rejected.',
  },
  'became-required': {
    title: 'A parameter, header, or body became required',
    level: tightened,
    reason: 'Requests without it are rejected. In responses and webhooks, it is one more thing to rely on.',
  },
  'became-optional': {
    title: 'A parameter, header, or body became optional',
    level: loosened,
    reason: 'Requests may leave it out. In responses and webhooks, receivers no longer get it every time.',
  },
  'header-added': { title: 'A header was added', level: 'minor', reason: "Clients ignore headers they don't know." },
  'required-header-added': {
    title: 'A required header was added',
    level: { accept: 'major', emit: 'minor' },
    reason: 'Requests without it are rejected. In responses, it is one more header that is sent.',
  },
  'header-removed': { title: 'A header was removed', level: 'major', reason: 'Clients that read it find nothing.' },
  'header-renamed': {
    title: 'A header was renamed',
    level: 'major',
    reason: 'Clients that read the former name find nothing. A rename breaks as much as a removal.',
  },
});
