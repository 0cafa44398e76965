// Discriminators and their mappings.
import { absent, type Case, change, changes, interfaceOnly, noFindings, schemas } from '../case.ts';

const byKind = {
  propertyName: 'by',
  mapping: { mail: '#/components/schemas/Mail', call: '#/components/schemas/Call' },
};
const letter = { type: 'object', required: ['by'], properties: { by: { type: 'string' } } };

export const discriminators: readonly Case[] = [
  change(
    'a discriminator value is added',
    `${schemas}/Contact/discriminator/mapping/phone`,
    absent,
    '#/components/schemas/Call',
    interfaceOnly('discriminator-value-added', 'major'),
    interfaceOnly('discriminator-value-removed', 'major'),
  ),
  change(
    'a discriminator value maps to another schema',
    `${schemas}/Contact/discriminator/mapping/call`,
    '#/components/schemas/Call',
    '#/components/schemas/Mail',
    interfaceOnly('discriminator-changed', 'major'),
    interfaceOnly('discriminator-changed', 'major'),
  ),
  change(
    'the discriminator property changes',
    `${schemas}/Contact/discriminator/propertyName`,
    'by',
    'kind',
    interfaceOnly('discriminator-changed', 'major'),
    interfaceOnly('discriminator-changed', 'major'),
  ),
  change(
    'a mapping uses the name of a component instead of its path',
    `${schemas}/Contact/discriminator/mapping/call`,
    '#/components/schemas/Call',
    'Call',
    noFindings,
    noFindings,
  ),
  change(
    'a discriminator is added whose values the alternatives already require',
    `${schemas}/Contact/discriminator`,
    absent,
    byKind,
    interfaceOnly('discriminator-hint-changed', 'minor'),
    interfaceOnly('discriminator-hint-changed', 'minor'),
  ),
  changes(
    'a discriminator is added whose property one alternative does not require',
    [
      { at: `${schemas}/Contact/discriminator`, before: absent, after: byKind },
      { at: `${schemas}/Mail/required`, before: ['address'], after: ['address'] },
    ],
    interfaceOnly('discriminator-changed', 'major'),
    interfaceOnly('discriminator-changed', 'major'),
  ),
  changes(
    'a mapping is added that equals the implicit one',
    [
      {
        at: `${schemas}/Contact/discriminator`,
        before: { propertyName: 'by' },
        after: { propertyName: 'by', mapping: { Mail: '#/components/schemas/Mail' } },
      },
      { at: `${schemas}/Mail/properties/by`, before: { type: 'string' }, after: { type: 'string' } },
    ],
    noFindings,
    noFindings,
  ),
  changes(
    'a component whose name is a discriminator value is renamed',
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
    interfaceOnly('discriminator-value-removed', 'major'),
    interfaceOnly('discriminator-value-removed', 'major'),
  ),
];
