// Rules about parameters and headers.
import { define, loosened, tightened } from './rule.ts';

export const parameters = define('wire', {
  'parameter-added': {
    title: 'An optional parameter was added',
    level: 'minor',
    why: 'Requests without it mean what they meant.',
  },
  'required-parameter-added': {
    title: 'A required parameter was added',
    level: { accept: 'major', emit: 'minor' },
    why: 'Requests without it are refused. Of a webhook it is one more thing that is sent.',
  },
  'parameter-removed': {
    title: 'A parameter was removed',
    level: 'major',
    why: 'Requests with it are refused or mean something else; receivers of a webhook miss it.',
  },
  'parameter-renamed': {
    title: 'A parameter was renamed',
    level: 'major',
    why: 'The former name no longer works. A rename is never milder than a removal.',
  },
  'parameters-regrouped': {
    title: 'Parameters were put together into one, or taken apart',
    class: 'generated-code',
    level: 'minor',
    why: 'An object in the query is written as `a=1&b=2` unless something else is said: each of its properties is a parameter on the wire, and every request stays as it was. Generated clients have other arguments: who ships some may ask for `major`.',
  },
  'parameter-moved': {
    title: 'A parameter moved to another place',
    level: 'major',
    why: 'Where it was sent before (query, header, cookie, path) it is not read any more.',
  },
  'serialisation-changed': {
    title: 'Values of a parameter are written in another way',
    level: 'major',
    why: '`style`, `explode`, `allowReserved` and `content` say how a value becomes text. What was sent before is read as something else.',
  },
  'empty-value-allowed': { title: 'A parameter may be empty', level: loosened, why: 'One more request is accepted.' },
  'empty-value-refused': {
    title: 'A parameter may no longer be empty',
    level: tightened,
    why: 'A request that was accepted is refused.',
  },
  'became-required': {
    title: 'A parameter, header or body became required',
    level: tightened,
    why: 'Requests without it are refused now. Of what is sent, it is one more thing to rely on.',
  },
  'became-optional': {
    title: 'A parameter, header or body became optional',
    level: loosened,
    why: 'Requests may leave it out. Of what is sent, receivers no longer get it each time.',
  },
  'header-added': { title: 'A header was added', level: 'minor', why: 'Who does not know it ignores it.' },
  'required-header-added': {
    title: 'A required header was added',
    level: { accept: 'major', emit: 'minor' },
    why: 'What comes without it is refused. Of an answer it is one more thing that is sent.',
  },
  'header-removed': { title: 'A header was removed', level: 'major', why: 'Who reads it finds nothing.' },
  'header-renamed': {
    title: 'A header was renamed',
    level: 'major',
    why: 'Who reads the former name finds nothing. A rename is never milder than a removal.',
  },
});
