// Rules about bodies: content, media types, and encodings.
import { define, loosened, tightened } from './rule.ts';

export const bodies = define('wire', {
  'body-added': {
    title: 'A body was added',
    level: 'minor',
    reason: 'Requests without a body mean the same as before.',
  },
  'required-body-added': {
    title: 'A required body was added',
    level: { accept: 'major', emit: 'minor' },
    reason: 'Requests without a body are rejected. A webhook sends more than before.',
  },
  'body-removed': {
    title: 'A body was removed',
    level: 'major',
    reason: 'The service no longer reads the body, or no longer sends it.',
  },
  'impossible-body-changed': {
    title: 'A body changed that is never sent',
    class: 'information',
    level: 'none',
    reason: 'Responses with status 204, 205, or 304 never have a body. Messages stay the same.',
  },
  'media-type-added': {
    title: 'A media type was added',
    level: 'minor',
    reason: 'Requests may use one more. Clients choose the media type of responses.',
  },
  'media-type-imposed': {
    title: 'A webhook may use another media type',
    level: 'major',
    reason: "Receivers of webhooks can't choose: they have to read every media type that is sent.",
  },
  'media-type-removed': {
    title: 'A media type was removed',
    level: 'major',
    reason: 'Requests in it are rejected with 415, and clients that ask for it with 406.',
  },
  'media-type-replaced': {
    title: 'A media type was replaced by another',
    level: 'major',
    reason:
      "Requests in the former media type are rejected, and clients don't understand responses in the new one. Parameters such as `charset` belong to the media type.",
  },
  'media-type-widened': {
    title: 'A media type became a range',
    level: loosened,
    reason: "The service accepts more. It may send media types that clients don't know.",
  },
  'media-type-narrowed': {
    title: 'A media type range became a single type',
    level: tightened,
    reason: 'Requests in other media types of the range are rejected. Clients have less to handle.',
  },
  'encoding-changed': {
    title: 'The encoding of a form part changed',
    level: 'major',
    reason: '`encoding` says how the part is written. The service reads former requests as something else.',
  },
  'encoding-widened': {
    title: 'A form part may have more media types',
    level: loosened,
    reason: "The service accepts more. It may send media types that clients don't know.",
  },
  'encoding-narrowed': {
    title: 'A form part may have fewer media types',
    level: tightened,
    reason: 'Requests in the other media types are rejected. Clients have less to handle.',
  },
});
