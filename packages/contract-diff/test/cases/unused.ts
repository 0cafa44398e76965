// Schemas that no operation uses.
import { absent, type Case, change, interfaceOnly, noFindings, schemas, withPolicy } from './case.ts';

const text = { type: 'object', properties: { text: { type: 'string', maxLength: 5 } } };
const longer = { type: 'object', properties: { text: { type: 'string', maxLength: 9 } } };

export const unused: readonly Case[] = [
  change(
    'an unused schema changes',
    `${schemas}/Announcement`,
    text,
    longer,
    interfaceOnly('unused-schema-changed', 'none'),
    interfaceOnly('unused-schema-changed', 'none'),
  ),
  change('an unused schema is added', `${schemas}/Announcement`, absent, text, noFindings, noFindings),
  change(
    'a schema that is referenced only by itself changes',
    `${schemas}/Announcement`,
    { ...text, anyOf: [{ $ref: '#/components/schemas/Announcement' }] },
    { ...longer, anyOf: [{ $ref: '#/components/schemas/Announcement' }] },
    interfaceOnly('unused-schema-changed', 'none'),
    interfaceOnly('unused-schema-changed', 'none'),
  ),
  change(
    'the key order of an unused schema changes',
    `${schemas}/Announcement`,
    text,
    { properties: text.properties, type: 'object' },
    noFindings,
    noFindings,
  ),
  withPolicy(
    { rules: { 'unused-schema-changed': 'undecided' } },
    change(
      'an unused schema changes, and the policy requires a decision',
      `${schemas}/Announcement`,
      text,
      longer,
      interfaceOnly('unused-schema-changed', 'undecided'),
      interfaceOnly('unused-schema-changed', 'undecided'),
    ),
  ),
];
