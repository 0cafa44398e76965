// The policy: what each rule asks of the version, and why. Detection (compare/) finds what happened and names the rule;
// only this table says how bad that is. `docs/contract-rules/` is generated from it.
import type { Level } from './findings.ts';

export interface Rule {
  /** What happened, as a heading. */
  readonly title: string;
  /** Why that asks for this step. */
  readonly why: string;
  /** One level, or one for each direction: of what the service accepts, and of what it emits. */
  readonly level: Level | { readonly accept: Level; readonly emit: Level };
  /** Whether the direction plays no part: found in both, it is reported once. */
  readonly undirected?: true;
}

const define = <Id extends string>(table: Readonly<Record<Id, Rule>>): Readonly<Record<Id, Rule>> => table;

/** Tighter rules hurt who sends; wider ones hurt who receives. */
const tightened = { accept: 'major', emit: 'minor' } as const;
const loosened = { accept: 'minor', emit: 'major' } as const;

export const rules = define({
  // --- operations and where they are ---------------------------------------------------------------------------------
  'operation-added': { title: 'An operation was added', level: 'minor', undirected: true, why: 'Nobody calls it yet.' },
  'operation-removed': {
    title: 'An operation was removed',
    level: 'major',
    undirected: true,
    why: 'Whoever calls it gets 404 or 405. Mark it `deprecated` first, and remove it in the next major version.',
  },
  'operation-moved': {
    title: 'An operation moved to another path or method',
    level: 'major',
    undirected: true,
    why: 'Requests to the former address fail. It is recognised by its operationId, by `x-renamed-from` with the former path, or by what it takes and answers.',
  },
  'operation-id-changed': {
    title: 'An operationId changed',
    level: 'major',
    undirected: true,
    why: 'Generated clients name their methods by it: code that calls them no longer compiles. An operationId that is added or removed changes the name just as well.',
  },
  'tag-moved': {
    title: 'An operation moved to another tag',
    level: 'major',
    undirected: true,
    why: 'Generated clients put operations into classes or modules by tag: code that calls them no longer compiles.',
  },
  'tag-added': {
    title: 'An operation has one more tag',
    level: 'minor',
    undirected: true,
    why: 'It can be found in one more place, and where it was.',
  },
  'tag-list-changed': {
    title: 'The description of a tag was added or removed',
    level: 'patch',
    undirected: true,
    why: 'Only documentation shows it. What counts for clients is the tag of each operation.',
  },
  'path-parameter-renamed': {
    title: 'A parameter in a path has another name',
    level: 'none',
    undirected: true,
    why: 'Every request stays the same: values in a path have a position, not a name. It is noted because some generated clients name an argument by it.',
  },
  'server-changed': {
    title: 'A server address changed',
    level: 'major',
    undirected: true,
    why: 'Clients built against the former address no longer reach the service.',
  },
  'server-removed': {
    title: 'A server address was removed',
    level: 'major',
    undirected: true,
    why: 'Clients that use it no longer reach the service.',
  },
  'server-added': { title: 'A server address was added', level: 'minor', undirected: true, why: 'All others stay.' },
  'first-server-changed': {
    title: 'Another server comes first',
    level: 'major',
    undirected: true,
    why: 'Generated clients use the first address unless they are told another one.',
  },
  deprecated: {
    title: 'Something was deprecated',
    level: 'minor',
    undirected: true,
    why: 'It still works, but clients are asked to leave it: that is news for them, not a break.',
  },
  'deprecation-withdrawn': {
    title: 'Something is no longer deprecated',
    level: 'minor',
    undirected: true,
    why: 'A promise was given again. Nothing breaks.',
  },

  // --- webhooks and callbacks ----------------------------------------------------------------------------------------
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

  // --- parameters and headers ----------------------------------------------------------------------------------------
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

  // --- bodies --------------------------------------------------------------------------------------------------------
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

  // --- answers -------------------------------------------------------------------------------------------------------
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
  'link-added': { title: 'A link was added', level: 'minor', undirected: true, why: 'Nobody follows it yet.' },
  'link-removed': {
    title: 'A link was removed',
    level: 'major',
    undirected: true,
    why: 'Who follows it finds nothing.',
  },
  'link-changed': {
    title: 'A link changed',
    level: 'major',
    undirected: true,
    why: 'Who follows it comes to another operation, or with other values.',
  },

  // --- security ------------------------------------------------------------------------------------------------------
  'security-tightened': {
    title: 'What was enough to be allowed is no longer enough',
    level: 'major',
    why: 'A scheme or scope is needed in addition, or another one instead: who was allowed is refused. Receivers of a webhook no longer find what they check.',
  },
  'security-alternative-removed': {
    title: 'One of the ways to be allowed was removed',
    level: 'major',
    why: 'Who uses it is refused.',
  },
  'security-alternative-added': {
    title: 'One more way to be allowed was added',
    level: 'minor',
    why: 'All others stay.',
  },
  'security-loosened': {
    title: 'Less is needed to be allowed',
    level: 'minor',
    why: 'Who was allowed still is. Of a webhook: more is carried than receivers check.',
  },
  'security-scheme-changed': {
    title: 'A security scheme changed',
    level: 'major',
    undirected: true,
    why: 'Credentials are got, named or sent in another way.',
  },
  'security-scheme-removed': {
    title: 'A security scheme that is asked for was removed',
    level: 'major',
    undirected: true,
    why: 'Nothing says any more how to get and send the credentials.',
  },
  'security-scheme-added': {
    title: 'A security scheme that was asked for is described',
    level: 'minor',
    undirected: true,
    why: 'It was missing. Whoever guessed it right notices nothing.',
  },
  'security-flow-added': {
    title: 'A way to get a token was added',
    level: 'minor',
    undirected: true,
    why: 'All others stay.',
  },
  'security-flow-removed': {
    title: 'A way to get a token was removed',
    level: 'major',
    undirected: true,
    why: 'Who uses it gets no token any more.',
  },
  'scope-added': { title: 'A scope was added', level: 'minor', undirected: true, why: 'Nobody asks for it yet.' },
  'scope-removed': {
    title: 'A scope was removed',
    level: 'major',
    undirected: true,
    why: 'Clients that ask for it are refused.',
  },

  // --- schemas: properties -------------------------------------------------------------------------------------------
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

  // --- schemas: values -----------------------------------------------------------------------------------------------
  'type-changed': {
    title: 'A type changed',
    level: 'major',
    why: 'What was sent is refused, and what comes is not understood.',
  },
  'type-widened': {
    title: 'A type was widened',
    level: loosened,
    why: 'More is accepted. In what is sent there may be a type that receivers do not expect.',
  },
  'type-narrowed': {
    title: 'A type was narrowed',
    level: tightened,
    why: 'What was accepted is refused. In what is sent there is less to expect.',
  },
  'null-allowed': {
    title: 'A value may be null',
    level: loosened,
    why: 'Requests may say null. In what is sent there may be a null that receivers do not expect.',
  },
  'null-refused': {
    title: 'A value is never null any more',
    level: tightened,
    why: 'Requests that say null are refused. In what is sent there is less to expect.',
  },
  'enum-value-added': {
    title: 'A value was added to a closed list',
    level: loosened,
    why: 'Requests may use it. In what is sent it is a value that receivers were told would not come; a list that will grow should be `x-extensible-enum`.',
  },
  'enum-value-removed': {
    title: 'A value was removed from a closed list',
    level: tightened,
    why: 'Requests with it are refused. In what is sent there is less to expect.',
  },
  'enum-closed': {
    title: 'Values were closed to a list',
    level: tightened,
    why: 'Requests with other values are refused. In what is sent there is less to expect.',
  },
  'enum-opened': {
    title: 'A list of values is no longer closed',
    level: loosened,
    why: 'Requests may use other values. In what is sent there may be values that receivers do not know.',
  },
  'extensible-value-added': {
    title: 'A known value was added to an extensible list',
    level: 'minor',
    why: 'The list was declared open with `x-extensible-enum`: receivers were told to accept values they do not know.',
  },
  'extensible-value-removed': {
    title: 'A known value was removed from an extensible list',
    level: tightened,
    why: 'Requests with it are not understood any more. In what is sent there is less to expect.',
  },
  'limit-tightened': {
    title: 'A limit was tightened',
    level: tightened,
    why: 'Requests beyond it are refused. In what is sent there is less to expect.',
  },
  'limit-loosened': {
    title: 'A limit was loosened',
    level: loosened,
    why: 'More is accepted. In what is sent there may be more than receivers have room for.',
  },
  'limit-changed': {
    title: 'A limit was replaced by another',
    level: 'major',
    why: 'Some values are allowed only before, others only after: neither senders nor receivers can rely on it.',
  },
  'alternative-added': {
    title: 'An alternative was added',
    level: loosened,
    why: 'Requests may use it. In what is sent there may be a shape that receivers do not know.',
  },
  'alternative-removed': {
    title: 'An alternative was removed',
    level: tightened,
    why: 'Requests in that shape are refused. In what is sent there is less to expect.',
  },
  'schema-tightened': {
    title: 'A schema allows less',
    level: tightened,
    why: 'Compared as a whole: every value of the new schema is one of the old, not the other way round.',
  },
  'schema-loosened': {
    title: 'A schema allows more',
    level: loosened,
    why: 'Compared as a whole: every value of the old schema is one of the new, not the other way round.',
  },
  'schema-changed': {
    title: 'A schema allows other values',
    level: 'major',
    why: 'Compared as a whole: neither schema contains the other, or that could not be decided. What can not be shown to be compatible is treated as a break.',
  },

  // --- meaning -------------------------------------------------------------------------------------------------------
  'format-changed': {
    title: 'A format changed',
    level: 'major',
    undirected: true,
    why: 'The same characters mean something else, and generated clients give them another type. That holds for a format that is added or removed too.',
  },
  'default-changed': {
    title: 'A default changed',
    level: 'major',
    undirected: true,
    why: 'The same request does something else, without anybody changing it.',
  },
  'semantics-changed': {
    title: 'What a value or an operation means changed',
    level: 'major',
    undirected: true,
    why: 'Extensions such as `x-unit` say what a value is: 5 metres are not 5 feet. Nothing fails, and everything is wrong.',
  },
  'discriminator-changed': {
    title: 'A discriminator changed',
    level: 'major',
    undirected: true,
    why: 'It tells a client which schema to read a value by: the same value is read as something else.',
  },
  'discriminator-value-added': {
    title: 'A value was added to a discriminator',
    level: loosened,
    why: 'Requests may use it. What is sent may be of a kind that receivers do not know.',
  },
  'discriminator-value-removed': {
    title: 'A value was removed from a discriminator',
    level: 'major',
    why: 'What carries it can no longer be told apart.',
  },
  'prose-changed': {
    title: 'A description changed',
    level: 'undecided',
    undirected: true,
    why: 'Whether the words say something else is for a person to decide. A file in `openapi/changes/` says `meaning: same` (a patch) or `meaning: changed` (a major change) for the place; until then the comparison fails.',
  },
  'prose-reflowed': {
    title: 'Only the line breaks of a description changed',
    level: 'patch',
    undirected: true,
    why: 'The words are the same.',
  },
  'example-changed': {
    title: 'An example changed',
    level: 'patch',
    undirected: true,
    why: 'Examples promise nothing.',
  },
  'contact-changed': { title: 'The contact changed', level: 'patch', undirected: true, why: 'No program notices.' },
  'extension-changed': {
    title: 'An extension changed that is not known here',
    level: 'undecided',
    undirected: true,
    why: 'It may mean something, or be a hint for a tool. A file in `openapi/changes/` decides it like a description.',
  },

  // --- access and limits of the service ------------------------------------------------------------------------------
  'access-narrowed': {
    title: 'Fewer may do it, or reach fewer records',
    level: 'major',
    undirected: true,
    why: 'Who was allowed is refused, or no longer finds what they found.',
  },
  'access-widened': {
    title: 'More may do it, or reach more records',
    level: 'minor',
    undirected: true,
    why: 'Who was allowed still is.',
  },
  'rate-limit-tightened': {
    title: 'A limit of requests was added',
    level: 'major',
    undirected: true,
    why: 'Clients that were within all limits get 429.',
  },
  'rate-limit-lifted': {
    title: 'A limit of requests was lifted',
    level: 'minor',
    undirected: true,
    why: 'More is accepted.',
  },
  'body-limit-lowered': {
    title: 'The largest body became smaller',
    level: 'major',
    undirected: true,
    why: 'Bodies that were accepted are refused with 413.',
  },
  'body-limit-raised': {
    title: 'The largest body became larger',
    level: 'minor',
    undirected: true,
    why: 'More is accepted.',
  },
  'sunset-announced': {
    title: 'The end of something was announced',
    level: 'minor',
    undirected: true,
    why: 'It still works until then: news, not a break.',
  },
  'sunset-later': {
    title: 'An announced end comes later',
    level: 'minor',
    undirected: true,
    why: 'It works for longer.',
  },
  'sunset-withdrawn': { title: 'An announced end was withdrawn', level: 'minor', undirected: true, why: 'It stays.' },
  'sunset-earlier': {
    title: 'An announced end comes earlier',
    level: 'major',
    undirected: true,
    why: 'Clients have less time than they were promised.',
  },
});

export type RuleId = keyof typeof rules;

export const isRule = (id: string): id is RuleId => Object.hasOwn(rules, id);

/** What a rule asks for in a direction. */
export function levelOf(id: RuleId, direction: 'accept' | 'emit'): Level {
  const { level }: Rule = rules[id];
  return typeof level === 'string' ? level : level[direction];
}
