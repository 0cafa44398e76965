// How to make a change without breaking anybody, for each rule that can ask for a major version; and, where it is a matter of
// opinion, why others choose another level. The pages of the rules show it.
import type { RuleId } from './rules.ts';

interface Advice {
  /** How to get there without a break. */
  readonly instead: string;
  /** Why others choose differently. */
  readonly others?: string;
}

const keepBoth =
  'Offer both for a while: add the new one, mark the old one `deprecated`, announce its end with `x-sunset`, and remove it when that day is over.';
const announce = 'Mark it `deprecated`, announce its end with `x-sunset`, and remove it when that day is over.';
const newVersion = 'Offer the changed one under a new name or path, and keep this one until its announced end.';
const acceptMore =
  'Go on accepting what was accepted, and refuse it in the next major version. What nobody sends, as logs can show, can be accepted as an exception with that reason.';
const sendLess =
  'Go on sending what was described. What is new belongs into a new property, parameter or operation, which who does not know it ignores.';
const wasSo =
  'Where the service behaved so all along and the document was wrong, an exception says so and nobody is asked to change anything.';
const sdkOnly = 'Who ships no generated clients asks for `none`: no message changes.';

const advice: Readonly<Partial<Record<RuleId, Advice>>> = {
  'operation-removed': { instead: announce },
  'operation-moved': { instead: keepBoth },
  'operation-id-changed': {
    instead: 'Leave it: a name that is only ugly harms nobody. Most generators can map names.',
    others: sdkOnly,
  },
  'tag-moved': { instead: 'Add the new tag behind the old one, and leave the old one first.', others: sdkOnly },
  'server-changed': { instead: keepBoth },
  'server-removed': { instead: 'Let the old address answer, or redirect with 308, until the next major version.' },
  'first-server-changed': {
    instead: 'Add the new address behind the first one.',
    others: 'Who tells clients to set the address asks for `none`.',
  },
  'webhook-removed': { instead: announce },
  'webhook-renamed': { instead: 'Send both events for a while, and let subscribers choose.' },
  'webhook-version-missing': {
    instead: 'Add `info.x-webhook-payload-version`, or say `single-version: true` in the policy.',
    others: 'Who sends webhooks to the same people who call the service has one version for both.',
  },
  'callback-removed': { instead: announce },
  'required-parameter-added': { instead: 'Make it optional, with a default that does what was done before.' },
  'parameter-removed': {
    instead: announce,
    others:
      'A service that ignores parameters it does not know breaks nobody who sends one; but whoever sends it wanted something.',
  },
  'parameter-renamed': { instead: keepBoth },
  'parameter-moved': { instead: keepBoth },
  'serialisation-changed': { instead: 'Read both, or add a parameter with the new way of writing.' },
  'empty-value-refused': { instead: acceptMore },
  'empty-value-allowed': { instead: sendLess },
  'became-required': { instead: 'Leave it optional, and do without it what was done before.' },
  'became-optional': { instead: 'Go on sending it each time.' },
  'required-header-added': { instead: 'Make it optional, and do without it what was done before.' },
  'header-removed': {
    instead: announce,
    others: 'Some headers, such as those of caches, no client reads by program: name them in the policy by place.',
  },
  'header-renamed': { instead: 'Send both headers, and mark the former one `deprecated`.' },
  'required-body-added': { instead: 'Make the body optional, and do without it what was done before.' },
  'body-removed': { instead: announce },
  'media-type-imposed': { instead: 'Let subscribers choose the media type when they subscribe.' },
  'media-type-removed': { instead: announce },
  'media-type-replaced': {
    instead:
      'Add the new media type beside the old one: requests name theirs with `Content-Type`, clients choose with `Accept`.',
  },
  'media-type-widened': { instead: sendLess },
  'media-type-narrowed': { instead: acceptMore },
  'encoding-changed': { instead: newVersion },
  'encoding-widened': { instead: sendLess },
  'encoding-narrowed': { instead: acceptMore },
  'status-removed': {
    instead: wasSo,
    others:
      'An error that can no longer happen breaks nobody who handles it: `status-removed: minor`, where clients were told to handle errors by class.',
  },
  'status-replaced': { instead: 'Keep the status; what is new about the answer belongs into its body or a header.' },
  'status-widened': { instead: sendLess },
  'status-narrowed': { instead: wasSo },
  'success-status-added': {
    instead: 'Answer so only to requests that ask for it, by a new parameter or the header `Prefer`.',
    others: 'Clients that look at the class of a status only, as HTTP bids them, are not surprised.',
  },
  'link-removed': {
    instead: announce,
    others: 'Few programs follow links of the document: `none` for who knows of none.',
  },
  'link-changed': {
    instead: 'Add another link beside it, and leave this one as it is.',
    others: 'Few programs follow links of the document: `none` for who knows of none.',
  },
  'security-tightened': {
    instead:
      'Add the stricter way as an alternative, move clients over, and remove the old one in the next major version. Where the service is not safe otherwise, break it, and say so.',
  },
  'security-alternative-removed': { instead: announce },
  'security-scheme-changed': { instead: 'Describe the new scheme beside the old one, and accept both for a while.' },
  'security-scheme-removed': { instead: announce },
  'security-flow-removed': { instead: announce },
  'scope-removed': { instead: 'Go on granting it, without effect.' },
  'required-property-added': { instead: 'Make it optional, with a default that does what was done before.' },
  'property-removed': {
    instead:
      'Mark it `deprecated`, announce its end with `x-sunset`, and remove it when that day is over. Of an answer, go on sending it until then.',
  },
  'property-renamed': {
    instead: 'Have both for a while: send both, accept either, and mark the old one `deprecated`.',
  },
  'property-hidden': { instead: 'Ignore what is sent, or go on sending it, until the next major version.' },
  'property-became-required': { instead: 'Leave it optional, and do without it what was done before.' },
  'property-became-optional': {
    instead: 'Go on sending it each time, if need be with a value that says "unknown".',
    others: 'Who tells clients to expect that anything may be missing asks for `minor`.',
  },
  'other-properties-refused': { instead: 'Ignore what is not known, as before.' },
  'other-properties-allowed': {
    instead: 'List the properties that are new: those who receive them ignore what they do not know.',
    others: 'Receivers that ignore what they do not know are not surprised: `minor` for who tells them to.',
  },
  'type-changed': { instead: newVersion },
  'type-widened': { instead: sendLess },
  'type-narrowed': { instead: acceptMore },
  'text-type-widened': { instead: sendLess },
  'text-type-narrowed': { instead: acceptMore },
  'null-allowed': {
    instead: 'Leave the property out where there is no value, if it is optional; or send a value that says so.',
  },
  'null-refused': { instead: acceptMore },
  'enum-value-added': {
    instead:
      'Send the new value only to who asked for it. For the next version, declare the list open with `x-extensible-enum`: then new values are minor.',
    others:
      'Many APIs tell clients to expect new values in any list: `enum-value-added: { accept: minor, emit: minor }`.',
  },
  'enum-value-removed': { instead: acceptMore },
  'constant-changed': {
    instead:
      'Accept both values for a while, and go on sending the former one; or offer the new value under a new name or path.',
    others:
      'A constant that only names the version of the format says nothing that a program acts on: name its place in the policy.',
  },
  'enum-closed': { instead: acceptMore },
  'enum-opened': { instead: sendLess },
  'extensible-value-removed': { instead: acceptMore },
  'limit-tightened': { instead: acceptMore },
  'limit-loosened': {
    instead: sendLess,
    others:
      'Few clients keep what they receive in columns of that size: `limit-loosened: { accept: minor, emit: minor }` for who knows theirs.',
  },
  'limit-changed': { instead: newVersion },
  'alternative-added': {
    instead: 'Send the new shape only to who asked for it.',
    others: 'Who tells clients to ignore shapes they do not know asks for `minor`.',
  },
  'alternative-removed': { instead: acceptMore },
  'schema-tightened': { instead: acceptMore },
  'schema-loosened': { instead: sendLess },
  'schema-changed': {
    instead: `${newVersion} If the two are the same and it could not be shown, write them more alike, or accept it as an exception.`,
  },
  'format-changed': { instead: 'Add a property or parameter with the new form.' },
  'format-tightened': { instead: acceptMore },
  'format-loosened': { instead: sendLess },
  'default-changed': {
    instead: `Leave the default, and let clients ask for the other. ${wasSo}`,
    others:
      'A default that is only written down for the first time is news to nobody; documents do not tell it from a new one.',
  },
  'semantics-changed': { instead: 'Add a property with the new meaning, and a name that says it.' },
  'constant-names-changed': { instead: 'Leave the names: programs name the constants by them.', others: sdkOnly },
  'discriminator-changed': { instead: newVersion },
  'discriminator-value-added': { instead: 'Send the new kind only to who asked for it.' },
  'discriminator-value-removed': { instead: acceptMore },
  'access-narrowed': {
    instead: 'Announce it, and give those who lose it a way that stays. Where it closes a hole, break it, and say so.',
  },
  'rate-limit-tightened': {
    instead: 'Announce it, and tell clients how near they are with headers before anybody is refused.',
    others: 'Who says that limits may change any day asks for `none`.',
  },
  'body-limit-lowered': { instead: acceptMore },
  'sunset-earlier': { instead: 'Keep the day that was announced.' },
  'sunset-unreadable': { instead: 'Write a day such as `2027-01-31`, or a time of RFC 3339.' },
  'sunset-too-soon': { instead: 'Announce a day that leaves clients the time they were promised.' },
  'stability-lowered': { instead: announce },
  'became-internal': { instead: announce },
};

const others: Readonly<Partial<Record<RuleId, string>>> = {
  'removed-after-sunset': 'By the letter of semantic versions a removal is a major change, whenever it was announced.',
  'prose-changed': 'Where descriptions are the contract, somebody has to look at each: `undecided`.',
  'extension-changed': 'Who uses extensions to promise something asks for `undecided`, or names them in the policy.',
  deprecated: 'Nothing changes yet: who counts only what changes asks for `patch`.',
  'operation-id-added': sdkOnly,
  'first-tag-added': sdkOnly,
  'format-hint-changed':
    'Who ships clients in languages that tell these types apart asks for `major`, who ships none for `none`.',
  'default-hint-changed':
    'Some generators write defaults of answers into their classes: `major` for who ships such clients, `none` for who ships none.',
  'text-type-changed': 'Who ships generated clients asks for `major`, who ships none for `none`.',
  'property-added': 'Who has clients that refuse what they do not know asks for `{ accept: minor, emit: major }`.',
  'error-status-added': 'Who promised a complete list of errors asks for `major`.',
  'example-changed': 'Nothing at all asks for a version here: `none`.',
};

/** How to change something without breaking anybody, if there is a break to avoid. */
export const insteadOf = (id: RuleId): string | undefined => advice[id]?.instead;

/** Why others choose another level, where it is a matter of opinion. */
export const othersOf = (id: RuleId): string | undefined => advice[id]?.others ?? others[id];
