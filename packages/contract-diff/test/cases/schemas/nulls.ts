// Nullability.
import { absent, type Case, change, nothing, own, payload, schemas } from '../case.ts';

const sent = `${schemas}/CollaboratorCreate/properties`;
const responsePath = `${schemas}/Collaborator/properties`;
const delivered = `${schemas}/CollaboratorPayload/properties/data/properties`;
const string = { type: 'string' };

export const nulls: readonly Case[] = [
  change(
    'a sent property may be null',
    `${sent}/code`,
    string,
    { type: ['string', 'null'] },
    own('null-allowed', 'minor'),
    own('null-refused', 'major'),
  ),
  change(
    'a returned property may be null',
    `${responsePath}/nickname`,
    string,
    { type: ['string', 'null'] },
    own('null-allowed', 'major'),
    own('null-refused', 'minor'),
  ),
  change(
    'a delivered property may be null',
    `${delivered}/name`,
    string,
    { type: ['string', 'null'] },
    payload('null-allowed', 'major'),
    payload('null-refused', 'minor'),
  ),
  change(
    'a returned object may be null',
    `${responsePath}/address`,
    { $ref: '#/components/schemas/Address' },
    { oneOf: [{ $ref: '#/components/schemas/Address' }, { type: 'null' }] },
    own('null-allowed', 'major'),
    own('null-refused', 'minor'),
  ),
  change(
    'a returned property may be null, in the words of OpenAPI 3.0',
    `${responsePath}/nickname/nullable`,
    absent,
    true,
    own('null-allowed', 'major'),
    own('null-refused', 'minor'),
  ),
  change(
    'null is written in the words of OpenAPI 3.0',
    `${responsePath}/nickname`,
    { type: ['string', 'null'] },
    { type: 'string', nullable: true },
    nothing,
    nothing,
  ),
  change(
    'null is written as an alternative',
    `${responsePath}/phone`,
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    nothing,
    nothing,
  ),
  change(
    'null beside a list without it is written in the words of OpenAPI 3.0',
    `${sent}/role`,
    { type: 'string', nullable: true, enum: ['a', 'b'] },
    { type: ['string', 'null'], enum: ['a', 'b'] },
    nothing,
    nothing,
  ),
  change(
    'null beside a list without it is listed, in a response',
    `${responsePath}/nickname`,
    { type: 'string', nullable: true, enum: ['a', 'b'] },
    { type: ['string', 'null'], enum: ['a', 'b', null] },
    nothing,
    nothing,
  ),
  change(
    'a list that may be sent loses its null, and the type keeps it',
    `${sent}/role`,
    { type: ['string', 'null'], enum: ['a', 'b', null] },
    { type: ['string', 'null'], enum: ['a', 'b'] },
    own('null-refused', 'major'),
    nothing,
  ),
  change(
    'null beside a list without it is no longer allowed',
    `${sent}/role`,
    { type: ['string', 'null'], enum: ['a', 'b'] },
    { type: 'string', enum: ['a', 'b'] },
    own('null-refused', 'major'),
    own('null-allowed', 'minor'),
  ),
];
