// Properties that become required or optional, in requests, responses, and webhooks.
import { absent, both, type Case, change, changes, interfaceOnly, payloadOnly, schemas, upload } from '../case.ts';

const requestSchema = `${schemas}/CollaboratorCreate`;
const responseSchema = `${schemas}/Collaborator`;
const payloadSchema = `${schemas}/CollaboratorPayload/properties/data`;
const form = `${upload}/requestBody/content/multipart~1form-data/schema`;
const shared = `${schemas}/Address`;

export const requiredProperties: readonly Case[] = [
  change(
    'a property of a request becomes optional',
    `${requestSchema}/required`,
    ['name', 'email'],
    ['name'],
    interfaceOnly('property-became-optional', 'minor'),
    interfaceOnly('property-became-required', 'major'),
  ),
  change(
    'a property of a response becomes optional',
    `${responseSchema}/required`,
    ['id', 'name'],
    ['id'],
    interfaceOnly('property-became-optional', 'major'),
    interfaceOnly('property-became-required', 'minor'),
  ),
  change(
    'a property of a payload becomes optional',
    `${payloadSchema}/required`,
    ['id', 'status'],
    ['id'],
    payloadOnly('property-became-optional', 'major'),
    payloadOnly('property-became-required', 'minor'),
  ),
  change(
    'a property of a response and a payload becomes optional',
    `${shared}/required`,
    ['city'],
    [],
    both('property-became-optional', 'major'),
    both('property-became-required', 'minor'),
  ),
  change(
    'a read-only property becomes required',
    `${schemas}/Profile/required`,
    absent,
    ['seen_at'],
    interfaceOnly('property-became-required', 'minor'),
    interfaceOnly('property-became-optional', 'major'),
  ),
  change(
    'a write-only property becomes required',
    `${schemas}/Profile/required`,
    absent,
    ['secret'],
    interfaceOnly('property-became-required', 'major'),
    interfaceOnly('property-became-optional', 'minor'),
  ),
  change(
    'a property of a request becomes required',
    `${requestSchema}/required`,
    ['name', 'email'],
    ['name', 'email', 'age'],
    interfaceOnly('property-became-required', 'major'),
    interfaceOnly('property-became-optional', 'minor'),
  ),
  changes(
    'a property of a request that no schema describes becomes required',
    [
      { at: `${requestSchema}/additionalProperties`, before: absent, after: absent },
      { at: `${requestSchema}/required`, before: ['name', 'email'], after: ['name', 'email', 'note'] },
    ],
    interfaceOnly('property-became-required', 'major'),
    interfaceOnly('property-became-optional', 'minor'),
  ),
  change(
    'a property of a response that no schema describes becomes required',
    `${responseSchema}/required`,
    ['id', 'name'],
    ['id', 'name', 'note'],
    interfaceOnly('property-became-required', 'minor'),
    interfaceOnly('property-became-optional', 'major'),
  ),
  change(
    'a form part becomes required',
    `${form}/required`,
    ['file'],
    ['file', 'note'],
    interfaceOnly('property-became-required', 'major'),
    interfaceOnly('property-became-optional', 'minor'),
  ),
];
