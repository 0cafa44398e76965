// Discriminators and their mappings.
import { absent, type Case, change, changes, nothing, own, schemas } from '../case.ts';

const byKind = {
  propertyName: 'by',
  mapping: { mail: '#/components/schemas/Mail', call: '#/components/schemas/Call' },
};
const letter = { type: 'object', required: ['by'], properties: { by: { type: 'string' } } };

export const discriminators: readonly Case[] = [
  change(
    'a value of a discriminator is added',
    `${schemas}/Contact/discriminator/mapping/phone`,
    absent,
    '#/components/schemas/Call',
    own('discriminator-value-added', 'major'),
    own('discriminator-value-removed', 'major'),
  ),
  change(
    'a value of a discriminator means another schema',
    `${schemas}/Contact/discriminator/mapping/call`,
    '#/components/schemas/Call',
    '#/components/schemas/Mail',
    own('discriminator-changed', 'major'),
    own('discriminator-changed', 'major'),
  ),
  change(
    'another property discriminates',
    `${schemas}/Contact/discriminator/propertyName`,
    'by',
    'kind',
    own('discriminator-changed', 'major'),
    own('discriminator-changed', 'major'),
  ),
  change(
    'a mapping names a component without a path',
    `${schemas}/Contact/discriminator/mapping/call`,
    '#/components/schemas/Call',
    'Call',
    nothing,
    nothing,
  ),
  change(
    'a discriminator is added whose values the alternatives require anyway',
    `${schemas}/Contact/discriminator`,
    absent,
    byKind,
    own('discriminator-hint-changed', 'minor'),
    own('discriminator-hint-changed', 'minor'),
  ),
  changes(
    'a discriminator is added that one of the alternatives does not say',
    [
      { at: `${schemas}/Contact/discriminator`, before: absent, after: byKind },
      { at: `${schemas}/Mail/required`, before: ['address'], after: ['address'] },
    ],
    own('discriminator-changed', 'major'),
    own('discriminator-changed', 'major'),
  ),
  changes(
    'a mapping is written out that names of components say anyway',
    [
      {
        at: `${schemas}/Contact/discriminator`,
        before: { propertyName: 'by' },
        after: { propertyName: 'by', mapping: { Mail: '#/components/schemas/Mail' } },
      },
      { at: `${schemas}/Mail/properties/by`, before: { type: 'string' }, after: { type: 'string' } },
    ],
    nothing,
    nothing,
  ),
  changes(
    'a component is called otherwise, whose name is the value of a discriminator',
    [
      { at: `${schemas}/Contact/discriminator`, before: { propertyName: 'by' }, after: { propertyName: 'by' } },
      { at: `${schemas}/Mail/properties/by`, before: { type: 'string' }, after: { type: 'string' } },
      { at: `${schemas}/Letter`, before: absent, after: letter },
      { at: `${schemas}/Mail`, before: letter, after: absent },
      {
        at: `${schemas}/Contact/oneOf/0`,
        before: { $ref: '#/components/schemas/Mail' },
        after: { $ref: '#/components/schemas/Letter' },
      },
    ],
    own('discriminator-value-removed', 'major'),
    own('discriminator-value-removed', 'major'),
  ),
];
