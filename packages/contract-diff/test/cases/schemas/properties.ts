// Properties of requests (CollaboratorCreate, Profile, a form), responses (Collaborator), and webhooks (CollaboratorPayload).
import {
  absent,
  both,
  type Case,
  change,
  changes,
  interfaceOnly,
  noFindings,
  payloadOnly,
  schemas,
  upload,
} from '../case.ts';

const requestSchema = `${schemas}/CollaboratorCreate`;
const responseSchema = `${schemas}/Collaborator`;
const payloadSchema = `${schemas}/CollaboratorPayload/properties/data`;
const form = `${upload}/requestBody/content/multipart~1form-data/schema`;
const shared = `${schemas}/Address`;
const string = { type: 'string', maxLength: 40 };
const nickname = { type: 'string', description: 'Comments by friends.', maxLength: 50 };

export const properties: readonly Case[] = [
  change(
    'an optional property of a request is added',
    `${requestSchema}/properties/note`,
    absent,
    string,
    interfaceOnly('property-added', 'minor'),
    interfaceOnly('property-removed', 'major'),
  ),
  changes(
    'a required property of a request is added',
    [
      { at: `${requestSchema}/properties/note`, before: absent, after: string },
      { at: `${requestSchema}/required`, before: ['name', 'email'], after: ['name', 'email', 'note'] },
    ],
    interfaceOnly('required-property-added', 'major'),
    interfaceOnly('property-removed', 'major'),
  ),
  change(
    'a property of a response is added',
    `${responseSchema}/properties/note`,
    absent,
    string,
    interfaceOnly('property-added', 'minor'),
    interfaceOnly('property-removed', 'major'),
  ),
  changes(
    'a required property of a response is added',
    [
      { at: `${responseSchema}/properties/note`, before: absent, after: string },
      { at: `${responseSchema}/required`, before: ['id'], after: ['id', 'note'] },
    ],
    interfaceOnly('required-property-added', 'minor'),
    interfaceOnly('property-removed', 'major'),
  ),
  changes(
    'a property is added to a closed response',
    [
      { at: `${responseSchema}/additionalProperties`, before: false, after: false },
      { at: `${responseSchema}/properties/note`, before: absent, after: string },
    ],
    interfaceOnly('property-added', 'minor'),
    interfaceOnly('property-removed', 'major'),
  ),
  change(
    'a property of a payload is added',
    `${payloadSchema}/properties/note`,
    absent,
    string,
    payloadOnly('property-added', 'minor'),
    payloadOnly('property-removed', 'major'),
  ),
  changes(
    'a required property of a payload is added',
    [
      { at: `${payloadSchema}/properties/note`, before: absent, after: string },
      { at: `${payloadSchema}/required`, before: ['id'], after: ['id', 'note'] },
    ],
    payloadOnly('required-property-added', 'minor'),
    payloadOnly('property-removed', 'major'),
  ),
  change(
    'a property of a response and a payload is added',
    `${shared}/properties/street`,
    absent,
    string,
    both('property-added', 'minor'),
    both('property-removed', 'major'),
  ),
  change(
    'the order of required properties changes',
    `${responseSchema}/required`,
    ['id', 'name'],
    ['name', 'id'],
    noFindings,
    noFindings,
  ),
  changes(
    'a property of a response is renamed',
    [
      { at: `${responseSchema}/properties/nickname`, before: nickname, after: absent },
      { at: `${responseSchema}/properties/nick_name`, before: absent, after: nickname },
    ],
    interfaceOnly('property-renamed', 'major'),
    interfaceOnly('property-renamed', 'major'),
  ),
  changes(
    'a renamed property declares its former name',
    [
      { at: `${responseSchema}/properties/nickname`, before: nickname, after: absent },
      {
        at: `${responseSchema}/properties/alias`,
        before: absent,
        after: { type: 'string', 'x-renamed-from': 'nickname' },
      },
    ],
    interfaceOnly('property-renamed', 'major'),
    interfaceOnly('property-removed', 'major'),
  ),
  changes(
    'a property of a payload is renamed',
    [
      { at: `${payloadSchema}/properties/name`, before: { ...nickname, maxLength: 200 }, after: absent },
      { at: `${payloadSchema}/properties/full_name`, before: absent, after: { ...nickname, maxLength: 200 } },
    ],
    payloadOnly('property-renamed', 'major'),
    payloadOnly('property-renamed', 'major'),
  ),
  changes(
    'a property of a request is renamed',
    [
      {
        at: `${requestSchema}/properties/position`,
        before: { type: 'string', description: 'The job of a person.' },
        after: absent,
      },
      {
        at: `${requestSchema}/properties/job_position`,
        before: absent,
        after: { type: 'string', description: 'The job of a person.' },
      },
    ],
    interfaceOnly('property-renamed', 'major'),
    interfaceOnly('property-renamed', 'major'),
  ),
  changes(
    'a property of a response is removed, and another of the same type is added',
    [
      { at: `${responseSchema}/properties/mail_address`, before: { type: 'string' }, after: absent },
      { at: `${responseSchema}/properties/zip`, before: absent, after: { type: 'string' } },
    ],
    interfaceOnly('property-removed', 'major'),
    interfaceOnly('property-removed', 'major'),
  ),
  changes(
    'the spelling of a response property changes',
    [
      { at: `${responseSchema}/properties/homeTown`, before: { type: 'string' }, after: absent },
      { at: `${responseSchema}/properties/home_town`, before: absent, after: { type: 'string' } },
    ],
    interfaceOnly('property-renamed', 'major'),
    interfaceOnly('property-renamed', 'major'),
  ),
  change(
    'a property of a request becomes read-only',
    `${schemas}/Profile/properties/motto/readOnly`,
    absent,
    true,
    interfaceOnly('property-hidden', 'major'),
    interfaceOnly('property-added', 'minor'),
  ),
  change(
    'a property of a response becomes write-only',
    `${schemas}/Profile/properties/motto/writeOnly`,
    absent,
    true,
    interfaceOnly('property-hidden', 'major'),
    interfaceOnly('property-added', 'minor'),
  ),
  change(
    'a read-only property is removed',
    `${schemas}/Profile/properties/seen_at`,
    { type: 'string', format: 'date-time', readOnly: true },
    absent,
    interfaceOnly('property-removed', 'major'),
    interfaceOnly('property-added', 'minor'),
  ),
  change(
    'a request rejects additional properties',
    `${schemas}/Profile/additionalProperties`,
    absent,
    false,
    interfaceOnly('other-properties-refused', 'major'),
    interfaceOnly('other-properties-allowed', 'major'),
  ),
  change(
    'a closed request allows additional properties',
    `${requestSchema}/additionalProperties`,
    false,
    true,
    interfaceOnly('other-properties-allowed', 'minor'),
    interfaceOnly('other-properties-refused', 'major'),
  ),
  change(
    'a response excludes additional properties',
    `${responseSchema}/additionalProperties`,
    absent,
    false,
    interfaceOnly('other-properties-refused', 'minor'),
    interfaceOnly('other-properties-allowed', 'major'),
  ),
  change(
    'a payload excludes additional properties',
    `${payloadSchema}/additionalProperties`,
    absent,
    false,
    payloadOnly('other-properties-refused', 'minor'),
    payloadOnly('other-properties-allowed', 'major'),
  ),
  change(
    '`additionalProperties: true` is stated explicitly',
    `${responseSchema}/additionalProperties`,
    absent,
    true,
    noFindings,
    noFindings,
  ),
  change(
    'the values of a map change',
    `${responseSchema}/properties/settings/additionalProperties`,
    { type: 'boolean' },
    { type: 'string' },
    interfaceOnly('type-changed', 'major'),
    interfaceOnly('type-changed', 'major'),
  ),
  change(
    'a property is deprecated',
    `${responseSchema}/properties/nickname/deprecated`,
    absent,
    true,
    interfaceOnly('deprecated', 'minor'),
    interfaceOnly('deprecation-withdrawn', 'minor'),
  ),
  change(
    'a property is forbidden',
    `${responseSchema}/properties/nickname`,
    nickname,
    false,
    interfaceOnly('property-removed', 'major'),
    interfaceOnly('property-added', 'minor'),
  ),
  changes(
    'a required form part is added',
    [
      {
        at: `${form}/properties/title`,
        before: absent,
        after: { type: 'string', maxLength: 100 },
      },
      {
        at: `${form}/required`,
        before: ['file'],
        after: ['file', 'title'],
      },
    ],
    interfaceOnly('required-property-added', 'major'),
    interfaceOnly('property-removed', 'major'),
  ),
];
