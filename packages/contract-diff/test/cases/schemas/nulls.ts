// Nullability.
import { absent, type Case, change, interfaceOnly, noFindings, payloadOnly, schemas } from '../case.ts';

const requestProperties = `${schemas}/CollaboratorCreate/properties`;
const responseProperties = `${schemas}/Collaborator/properties`;
const payloadProperties = `${schemas}/CollaboratorPayload/properties/data/properties`;
const string = { type: 'string' };

export const nulls: readonly Case[] = [
  change(
    'a request property may be null',
    `${requestProperties}/code`,
    string,
    { type: ['string', 'null'] },
    interfaceOnly('null-allowed', 'minor'),
    interfaceOnly('null-refused', 'major'),
  ),
  change(
    'a response property may be null',
    `${responseProperties}/nickname`,
    string,
    { type: ['string', 'null'] },
    interfaceOnly('null-allowed', 'major'),
    interfaceOnly('null-refused', 'minor'),
  ),
  change(
    'a payload property may be null',
    `${payloadProperties}/name`,
    string,
    { type: ['string', 'null'] },
    payloadOnly('null-allowed', 'major'),
    payloadOnly('null-refused', 'minor'),
  ),
  change(
    'a response object may be null',
    `${responseProperties}/address`,
    { $ref: '#/components/schemas/Address' },
    { oneOf: [{ $ref: '#/components/schemas/Address' }, { type: 'null' }] },
    interfaceOnly('null-allowed', 'major'),
    interfaceOnly('null-refused', 'minor'),
  ),
  change(
    'a response property may be null, with `nullable`',
    `${responseProperties}/nickname/nullable`,
    absent,
    true,
    interfaceOnly('null-allowed', 'major'),
    interfaceOnly('null-refused', 'minor'),
  ),
  change(
    'a null type is rewritten as `nullable`',
    `${responseProperties}/nickname`,
    { type: ['string', 'null'] },
    { type: 'string', nullable: true },
    noFindings,
    noFindings,
  ),
  change(
    'a null type is rewritten as an alternative',
    `${responseProperties}/phone`,
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    noFindings,
    noFindings,
  ),
  change(
    '`nullable` with an enum without null is rewritten as a type',
    `${requestProperties}/role`,
    { type: 'string', nullable: true, enum: ['a', 'b'] },
    { type: ['string', 'null'], enum: ['a', 'b'] },
    noFindings,
    noFindings,
  ),
  change(
    '`nullable` with an enum without null is rewritten as an enum with null',
    `${responseProperties}/nickname`,
    { type: 'string', nullable: true, enum: ['a', 'b'] },
    { type: ['string', 'null'], enum: ['a', 'b', null] },
    noFindings,
    noFindings,
  ),
  change(
    'null is removed from a request enum, but not from its type',
    `${requestProperties}/role`,
    { type: ['string', 'null'], enum: ['a', 'b', null] },
    { type: ['string', 'null'], enum: ['a', 'b'] },
    interfaceOnly('null-refused', 'major'),
    noFindings,
  ),
  change(
    'null is removed from the type of a request enum without null',
    `${requestProperties}/role`,
    { type: ['string', 'null'], enum: ['a', 'b'] },
    { type: 'string', enum: ['a', 'b'] },
    interfaceOnly('null-refused', 'major'),
    interfaceOnly('null-allowed', 'minor'),
  ),
];
