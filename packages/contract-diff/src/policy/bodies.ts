// Rules about bodies: what is sent, in which media types and encodings.
import { define, loosened, tightened } from './rule.ts';

export const bodies = define('wire', {
  'body-added': { title: 'A body was added', level: 'minor', why: 'Requests without one mean what they meant.' },
  'required-body-added': {
    title: 'A required body was added',
    level: { accept: 'major', emit: 'minor' },
    why: 'Requests without a body are refused. Of a webhook it is more that is sent.',
  },
  'body-removed': {
    title: 'A body was removed',
    level: 'major',
    why: 'What was sent in it is no longer read, or no longer there.',
  },
  'impossible-body-changed': {
    title: 'A body changed that can not be there',
    class: 'information',
    level: 'none',
    why: 'Answers with 204, 205 or 304 never have a body, whatever is described. Nothing that is sent changes.',
  },
  'media-type-added': {
    title: 'A media type was added',
    level: 'minor',
    why: 'Requests may use one more; of answers, clients ask for the one they want.',
  },
  'media-type-imposed': {
    title: 'A webhook may come in another media type',
    level: 'major',
    why: 'A receiver cannot choose: it must be able to read whatever it is sent.',
  },
  'media-type-removed': {
    title: 'A media type was removed',
    level: 'major',
    why: 'Requests in it are refused with 415; clients that ask for it are refused with 406.',
  },
  'media-type-replaced': {
    title: 'A media type was replaced by another',
    level: 'major',
    why: 'What was sent in the former one is refused, and what comes in the new one is not understood. Parameters such as `charset` belong to the media type.',
  },
  'media-type-widened': {
    title: 'A media type became a range of media types',
    level: loosened,
    why: 'More is accepted. Of what is sent, it may be in a media type that a client does not know.',
  },
  'media-type-narrowed': {
    title: 'A range of media types became a single one',
    level: tightened,
    why: 'Other types of the range are refused now. Of what is sent, there is less to expect.',
  },
  'encoding-changed': {
    title: 'A part of a form is written in another way',
    level: 'major',
    why: '`encoding` says how the part becomes bytes. What was sent before is read as something else.',
  },
  'encoding-widened': {
    title: 'A part of a form may have more media types',
    level: loosened,
    why: 'More is accepted. Of what is sent, it may be a media type that a client does not know.',
  },
  'encoding-narrowed': {
    title: 'A part of a form may have fewer media types',
    level: tightened,
    why: 'What was accepted is refused. Of what is sent, there is less to expect.',
  },
});
