// Per rule: how to avoid a break, and why some teams choose another level. Shown on the rule pages.
import type { RuleId } from './rules.ts';

interface Advice {
  /** How to avoid the break. */
  readonly mitigation: string;
  /** Why some teams choose another level. */
  readonly others?: string;
}

const keepBoth =
  'Offer both for a while: add the new one, mark the old one `deprecated`, announce its sunset date with `x-sunset`, and remove it after that date.';
const announce = 'Mark it `deprecated`, announce its sunset date with `x-sunset`, and remove it after that date.';
const newVersion = 'Offer the changed one under a new name or path, and keep this one until its sunset date.';
const acceptMore =
  'Keep accepting the former requests until the next major version. If logs show that no client sends them, accept the change as an exception.';
const sendLess =
  'Keep sending what the document describes. Add new data as a new property, parameter, or operation, which clients ignore until they know it.';
const documentWasWrong =
  'If the service always behaved this way and the document was wrong, accept the change as an exception.';
const sdkOnly = 'Teams that ship no generated clients use `none`: messages stay the same.';

const advice: Readonly<Partial<Record<RuleId, Advice>>> = {
  'operation-removed': { mitigation: announce },
  'operation-moved': { mitigation: keepBoth },
  'operation-id-changed': { mitigation: 'Keep it. Most generators can map names.', others: sdkOnly },
  'tag-moved': { mitigation: 'Add the new tag after the old one, and keep the old one first.', others: sdkOnly },
  'server-changed': { mitigation: keepBoth },
  'server-removed': { mitigation: 'Keep the old URL working, or redirect with 308, until the next major version.' },
  'first-server-changed': {
    mitigation: 'Add the new URL after the first one.',
    others: 'Teams whose clients set the URL themselves use `none`.',
  },
  'webhook-removed': { mitigation: announce },
  'webhook-renamed': { mitigation: 'Send both events for a while, and let subscribers choose.' },
  'webhook-version-missing': {
    mitigation: 'Add `info.x-webhook-payload-version`, or set `single-version: true` in the policy.',
    others: 'Teams whose webhook receivers are also their API clients use one version for both.',
  },
  'callback-removed': { mitigation: announce },
  'required-parameter-added': { mitigation: 'Make it optional, with a default that keeps the former behavior.' },
  'parameter-removed': {
    mitigation: announce,
    others: 'If the service ignores unknown parameters, requests with it still succeed, although they have no effect.',
  },
  'parameter-renamed': { mitigation: keepBoth },
  'parameter-moved': { mitigation: keepBoth },
  'serialization-changed': { mitigation: 'Read both forms, or add a parameter with the new serialization.' },
  'empty-value-refused': { mitigation: acceptMore },
  'empty-value-allowed': { mitigation: sendLess },
  'became-required': { mitigation: 'Keep it optional, and keep the former behavior without it.' },
  'became-optional': { mitigation: 'Keep sending it every time.' },
  'required-header-added': { mitigation: 'Make it optional, and keep the former behavior without it.' },
  'header-removed': {
    mitigation: announce,
    others: 'Clients read no caching headers, for example: ignore them by place in the policy.',
  },
  'header-renamed': { mitigation: 'Send both headers, and mark the former one `deprecated`.' },
  'required-body-added': { mitigation: 'Make the body optional, and keep the former behavior without it.' },
  'body-removed': { mitigation: announce },
  'media-type-imposed': { mitigation: 'Let subscribers choose the media type when they subscribe.' },
  'media-type-removed': { mitigation: announce },
  'media-type-replaced': {
    mitigation:
      'Add the new media type beside the old one: requests name theirs with `Content-Type`, and clients choose with `Accept`.',
  },
  'media-type-widened': { mitigation: sendLess },
  'media-type-narrowed': { mitigation: acceptMore },
  'encoding-changed': { mitigation: newVersion },
  'encoding-widened': { mitigation: sendLess },
  'encoding-narrowed': { mitigation: acceptMore },
  'status-removed': {
    mitigation: documentWasWrong,
    others: 'An error that no longer happens breaks no client that handles errors by class: `status-removed: minor`.',
  },
  'status-replaced': { mitigation: 'Keep the status code, and tell the difference in the body or a header.' },
  'status-widened': { mitigation: sendLess },
  'status-narrowed': { mitigation: documentWasWrong },
  'success-status-added': {
    mitigation: 'Respond with it only to requests that ask for it, by a new parameter or the header `Prefer`.',
    others: 'Clients that branch on the class of a status code, as HTTP asks for, handle it.',
  },
  'link-removed': { mitigation: announce, others: 'Few clients follow links. Teams that know of none use `none`.' },
  'link-changed': {
    mitigation: 'Add another link beside it, and keep this one.',
    others: 'Few clients follow links. Teams that know of none use `none`.',
  },
  'security-tightened': {
    mitigation:
      'Add the stricter requirement as an alternative, migrate clients, and remove the old one in the next major version. To close a security hole, break it, and say so.',
  },
  'security-alternative-removed': { mitigation: announce },
  'security-scheme-changed': { mitigation: 'Describe the new scheme beside the old one, and accept both for a while.' },
  'security-scheme-removed': { mitigation: announce },
  'security-flow-removed': { mitigation: announce },
  'scope-removed': { mitigation: 'Keep granting it, without effect.' },
  'required-property-added': { mitigation: 'Make it optional, with a default that keeps the former behavior.' },
  'property-removed': {
    mitigation:
      'Mark it `deprecated`, announce its sunset date with `x-sunset`, and remove it after that date. Keep sending it in responses until then.',
  },
  'property-renamed': {
    mitigation: 'Keep both for a while: send both, accept either, and mark the old one `deprecated`.',
  },
  'property-hidden': { mitigation: 'Ignore it in requests, or keep sending it, until the next major version.' },
  'property-became-required': { mitigation: 'Keep it optional, and keep the former behavior without it.' },
  'property-became-optional': {
    mitigation: 'Keep sending it every time, with a value that means "unknown" if necessary.',
    others: 'Teams whose clients expect missing properties use `minor`.',
  },
  'other-properties-refused': { mitigation: 'Keep ignoring unknown properties.' },
  'other-properties-allowed': {
    mitigation: "List the new properties: clients ignore properties they don't know.",
    others: 'Teams whose clients ignore unknown properties use `minor`.',
  },
  'type-changed': { mitigation: newVersion },
  'type-widened': { mitigation: sendLess },
  'type-narrowed': { mitigation: acceptMore },
  'text-type-widened': { mitigation: sendLess },
  'text-type-narrowed': { mitigation: acceptMore },
  'null-allowed': {
    mitigation: 'Leave the property out when it has no value, if it is optional, or send a value that means "none".',
  },
  'null-refused': { mitigation: acceptMore },
  'enum-value-added': {
    mitigation:
      'Send the new value only to clients that ask for it. Declare the list open with `x-extensible-enum` in the next major version: new values are minor from then on.',
    others:
      'Many teams tell clients to expect new values in any list: `enum-value-added: { accept: minor, emit: minor }`.',
  },
  'enum-value-removed': { mitigation: acceptMore },
  'constant-changed': {
    mitigation:
      'Accept both values for a while, and keep sending the former one, or offer the new value under a new name or path.',
    others:
      "Clients don't act on a constant that only names the version of the format: ignore it by place in the policy.",
  },
  'enum-closed': { mitigation: acceptMore },
  'enum-opened': { mitigation: sendLess },
  'extensible-value-removed': { mitigation: acceptMore },
  'limit-tightened': { mitigation: acceptMore },
  'limit-loosened': {
    mitigation: sendLess,
    others: 'Few clients depend on the limit: `limit-loosened: { accept: minor, emit: minor }`.',
  },
  'limit-changed': { mitigation: newVersion },
  'alternative-added': {
    mitigation: 'Send the new shape only to clients that ask for it.',
    others: 'Teams whose clients ignore unknown shapes use `minor`.',
  },
  'alternative-removed': { mitigation: acceptMore },
  'schema-tightened': { mitigation: acceptMore },
  'schema-loosened': { mitigation: sendLess },
  'schema-changed': {
    mitigation: `${newVersion} If both schemas mean the same, spell them alike, or accept the change as an exception.`,
  },
  'format-changed': { mitigation: 'Add a property or parameter with the new format.' },
  'format-tightened': { mitigation: acceptMore },
  'format-loosened': { mitigation: sendLess },
  'default-changed': {
    mitigation: `Keep the default, and let clients ask for the other value. ${documentWasWrong}`,
    others: 'A default that is only documented for the first time breaks nothing, and looks the same.',
  },
  'semantics-changed': { mitigation: 'Add a property with the new meaning under a new name.' },
  'constant-names-changed': { mitigation: 'Keep the names that programs use.', others: sdkOnly },
  'discriminator-changed': { mitigation: newVersion },
  'discriminator-value-added': { mitigation: 'Send the new kind only to clients that ask for it.' },
  'discriminator-value-removed': { mitigation: acceptMore },
  'access-narrowed': {
    mitigation:
      'Announce it, and offer the affected callers another way. To close a security hole, break it, and say so.',
  },
  'rate-limit-tightened': {
    mitigation: 'Announce it, and send rate limit headers before the limit takes effect.',
    others: 'Teams that announce rate limits as subject to change use `none`.',
  },
  'body-limit-lowered': { mitigation: acceptMore },
  'sunset-earlier': { mitigation: 'Keep the date that was announced.' },
  'sunset-unreadable': { mitigation: 'Write a day such as `2027-01-31`, or a time of RFC 3339.' },
  'sunset-too-soon': { mitigation: 'Announce a date that leaves clients the promised time.' },
  'stability-lowered': { mitigation: announce },
  'became-internal': { mitigation: announce },
};

const others: Readonly<Partial<Record<RuleId, string>>> = {
  'removed-after-sunset': 'By the letter of semantic versioning, a removal is a major change even if it was announced.',
  'prose-changed': 'Where descriptions are part of the contract, a person has to look at each: `undecided`.',
  'extension-changed': 'Teams that make promises in extensions use `undecided`, or name the extensions in the policy.',
  deprecated: 'Nothing changes yet, so some teams use `patch`.',
  'operation-id-added': sdkOnly,
  'first-tag-added': sdkOnly,
  'format-hint-changed':
    'Teams that ship clients in languages with these types use `major`. Teams that ship no clients use `none`.',
  'default-hint-changed':
    'Teams that ship clients with such classes use `major`. Teams that ship no clients use `none`.',
  'text-type-changed': 'Teams that ship generated clients use `major`. Teams that ship none use `none`.',
  'property-added': 'Teams whose clients reject unknown properties use `{ accept: minor, emit: major }`.',
  'error-status-added': 'Teams that promise a complete list of errors use `major`.',
  'example-changed': 'Some teams use `none`.',
};

/** How to avoid the break, if possible. */
export const mitigationOf = (id: RuleId): string | undefined => advice[id]?.mitigation;

/** Why some teams choose another level, if that is debatable. */
export const otherChoicesOf = (id: RuleId): string | undefined => advice[id]?.others ?? others[id];
