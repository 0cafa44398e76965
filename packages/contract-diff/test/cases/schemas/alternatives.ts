// Allowed values: alternatives, combinations, and equivalent spellings.
import { absent, type Case, change, changes, nothing, own, schemas } from '../case.ts';

const sent = `${schemas}/CollaboratorCreate/properties`;
const responsePath = `${schemas}/Collaborator/properties`;
const string = { type: 'string' };
const mail = { $ref: '#/components/schemas/Mail' };
const call = { $ref: '#/components/schemas/Call' };
const letter = { $ref: '#/components/schemas/Letter' };
const range = { type: 'integer' };

export const alternatives: readonly Case[] = [
  // Alternatives
  changes(
    'an alternative is added, sent and returned',
    [{ at: `${schemas}/Contact`, before: { oneOf: [mail, call] }, after: { oneOf: [mail, call, letter] } }],
    own('alternative-added', 'major'),
    own('alternative-removed', 'major'),
  ),
  change(
    'an alternative may be sent',
    `${sent}/contact`,
    { oneOf: [mail, call] },
    { oneOf: [mail, call, letter] },
    own('alternative-added', 'minor'),
    own('alternative-removed', 'major'),
  ),
  change(
    'an alternative may be returned',
    `${responsePath}/contact`,
    { oneOf: [mail, call] },
    { oneOf: [mail, call, letter] },
    own('alternative-added', 'major'),
    own('alternative-removed', 'minor'),
  ),
  change(
    'the order of alternatives changes',
    `${responsePath}/contact`,
    { oneOf: [mail, call] },
    { oneOf: [call, mail] },
    nothing,
    nothing,
  ),
  change(
    'a property of an alternative is removed',
    `${schemas}/Mail/properties/name`,
    string,
    absent,
    own('property-removed', 'major'),
    own('property-added', 'minor'),
  ),
  change(
    'the properties of a sent object move into alternatives',
    `${sent}/contact`,
    { type: 'object', required: ['a', 'b'], properties: { a: string, b: string } },
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: string, b: string } },
        { type: 'object', required: ['b'], properties: { a: string, b: string } },
      ],
    },
    own('schema-changed', 'major'),
    own('schema-changed', 'major'),
  ),
  change(
    'a schema becomes a choice',
    `${responsePath}/contact`,
    mail,
    { oneOf: [mail, call] },
    own('schema-loosened', 'major'),
    own('schema-tightened', 'minor'),
  ),
  change(
    'a sent value must not be one thing',
    `${sent}/code`,
    string,
    { type: 'string', not: { const: 'x' } },
    own('schema-tightened', 'major'),
    own('schema-loosened', 'minor'),
  ),
  change(
    'a sent value must not be another thing',
    `${sent}/code`,
    { type: 'string', not: { const: 'x' } },
    { type: 'string', not: { const: 'y' } },
    own('schema-changed', 'major'),
    own('schema-changed', 'major'),
  ),
  change(
    'a sent list must contain something',
    `${sent}/labels/contains`,
    absent,
    { const: 'a' },
    own('schema-tightened', 'major'),
    own('schema-loosened', 'minor'),
  ),
  change(
    'a sent property needs another',
    `${schemas}/CollaboratorCreate/dependentRequired`,
    absent,
    { age: ['code'] },
    own('schema-tightened', 'major'),
    own('schema-loosened', 'minor'),
  ),
  change(
    'names of a sent map are limited',
    `${schemas}/Profile/properties/tags`,
    { type: 'object', propertyNames: { maxLength: 9 } },
    { type: 'object', propertyNames: { maxLength: 5 } },
    own('schema-tightened', 'major'),
    own('schema-loosened', 'major'),
  ),
  // Equivalent spellings
  change(
    'a property is written in allOf',
    `${responsePath}/nickname`,
    { type: 'string', maxLength: 5 },
    { allOf: [{ type: 'string' }, { maxLength: 5 }] },
    nothing,
    nothing,
  ),
  change(
    'a reference is written out',
    `${responsePath}/contact`,
    mail,
    {
      type: 'object',
      required: ['by', 'address'],
      properties: { by: { const: 'mail' }, address: { type: 'string', maxLength: 320 } },
    },
    nothing,
    nothing,
  ),
  changes(
    'a component is called something else',
    [
      { at: `${schemas}/Post`, before: { type: 'object', properties: { a: string } }, after: absent },
      { at: `${schemas}/Parcel`, before: absent, after: { type: 'object', properties: { a: string } } },
      {
        at: `${responsePath}/post`,
        before: { $ref: '#/components/schemas/Post' },
        after: { $ref: '#/components/schemas/Parcel' },
      },
    ],
    nothing,
    nothing,
  ),
  change('a component that nobody uses is added', `${schemas}/Unused`, absent, range, nothing, nothing),
];
