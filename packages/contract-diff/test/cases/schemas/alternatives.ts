// Allowed values: alternatives, combinations, and equivalent spellings.
import { absent, type Case, change, changes, interfaceOnly, noFindings, schemas } from '../case.ts';

const requestProperties = `${schemas}/CollaboratorCreate/properties`;
const responseProperties = `${schemas}/Collaborator/properties`;
const string = { type: 'string' };
const mail = { $ref: '#/components/schemas/Mail' };
const call = { $ref: '#/components/schemas/Call' };
const letter = { $ref: '#/components/schemas/Letter' };
const range = { type: 'integer' };

export const alternatives: readonly Case[] = [
  // Alternatives
  changes(
    'an alternative is added in requests and responses',
    [{ at: `${schemas}/Contact`, before: { oneOf: [mail, call] }, after: { oneOf: [mail, call, letter] } }],
    interfaceOnly('alternative-added', 'major'),
    interfaceOnly('alternative-removed', 'major'),
  ),
  change(
    'an alternative is added to a request property',
    `${requestProperties}/contact`,
    { oneOf: [mail, call] },
    { oneOf: [mail, call, letter] },
    interfaceOnly('alternative-added', 'minor'),
    interfaceOnly('alternative-removed', 'major'),
  ),
  change(
    'an alternative is added to a response property',
    `${responseProperties}/contact`,
    { oneOf: [mail, call] },
    { oneOf: [mail, call, letter] },
    interfaceOnly('alternative-added', 'major'),
    interfaceOnly('alternative-removed', 'minor'),
  ),
  change(
    'the order of alternatives changes',
    `${responseProperties}/contact`,
    { oneOf: [mail, call] },
    { oneOf: [call, mail] },
    noFindings,
    noFindings,
  ),
  change(
    'a property of an alternative is removed',
    `${schemas}/Mail/properties/name`,
    string,
    absent,
    interfaceOnly('property-removed', 'major'),
    interfaceOnly('property-added', 'minor'),
  ),
  change(
    'the properties of a request object move into alternatives',
    `${requestProperties}/contact`,
    { type: 'object', required: ['a', 'b'], properties: { a: string, b: string } },
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: string, b: string } },
        { type: 'object', required: ['b'], properties: { a: string, b: string } },
      ],
    },
    interfaceOnly('schema-changed', 'major'),
    interfaceOnly('schema-changed', 'major'),
  ),
  change(
    'a response schema becomes one of two alternatives',
    `${responseProperties}/contact`,
    mail,
    { oneOf: [mail, call] },
    interfaceOnly('schema-loosened', 'major'),
    interfaceOnly('schema-tightened', 'minor'),
  ),
  change(
    'a request property excludes a value',
    `${requestProperties}/code`,
    string,
    { type: 'string', not: { const: 'x' } },
    interfaceOnly('schema-tightened', 'major'),
    interfaceOnly('schema-loosened', 'minor'),
  ),
  change(
    'a request property excludes a different value',
    `${requestProperties}/code`,
    { type: 'string', not: { const: 'x' } },
    { type: 'string', not: { const: 'y' } },
    interfaceOnly('schema-changed', 'major'),
    interfaceOnly('schema-changed', 'major'),
  ),
  change(
    'a request array must contain a value',
    `${requestProperties}/labels/contains`,
    absent,
    { const: 'a' },
    interfaceOnly('schema-tightened', 'major'),
    interfaceOnly('schema-loosened', 'minor'),
  ),
  change(
    'a request property requires another property',
    `${schemas}/CollaboratorCreate/dependentRequired`,
    absent,
    { age: ['code'] },
    interfaceOnly('schema-tightened', 'major'),
    interfaceOnly('schema-loosened', 'minor'),
  ),
  change(
    'the maximum length of the keys of a map is lowered',
    `${schemas}/Profile/properties/tags`,
    { type: 'object', propertyNames: { maxLength: 9 } },
    { type: 'object', propertyNames: { maxLength: 5 } },
    interfaceOnly('schema-tightened', 'major'),
    interfaceOnly('schema-loosened', 'major'),
  ),
  // Equivalent spellings
  change(
    'a property is rewritten with `allOf`',
    `${responseProperties}/nickname`,
    { type: 'string', maxLength: 5 },
    { allOf: [{ type: 'string' }, { maxLength: 5 }] },
    noFindings,
    noFindings,
  ),
  change(
    'a reference in a response is inlined',
    `${responseProperties}/contact`,
    mail,
    {
      type: 'object',
      required: ['by', 'address'],
      properties: { by: { const: 'mail' }, address: { type: 'string', maxLength: 320 } },
    },
    noFindings,
    noFindings,
  ),
  changes(
    'a schema of a response is renamed',
    [
      { at: `${schemas}/Post`, before: { type: 'object', properties: { a: string } }, after: absent },
      { at: `${schemas}/Parcel`, before: absent, after: { type: 'object', properties: { a: string } } },
      {
        at: `${responseProperties}/post`,
        before: { $ref: '#/components/schemas/Post' },
        after: { $ref: '#/components/schemas/Parcel' },
      },
    ],
    noFindings,
    noFindings,
  ),
  change('an unused component is added', `${schemas}/Unused`, absent, range, noFindings, noFindings),
];
