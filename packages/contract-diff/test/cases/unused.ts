// Schemas that no operation uses.
import { absent, type Case, change, nothing, own, schemas, withPolicy } from './case.ts';

const text = { type: 'object', properties: { text: { type: 'string', maxLength: 5 } } };
const longer = { type: 'object', properties: { text: { type: 'string', maxLength: 9 } } };

export const unused: readonly Case[] = [
  change(
    'a schema that no operation leads to changes',
    `${schemas}/Announcement`,
    text,
    longer,
    own('unused-schema-changed', 'none'),
    own('unused-schema-changed', 'none'),
  ),
  change('a schema that no operation leads to is added', `${schemas}/Announcement`, absent, text, nothing, nothing),
  change(
    'a schema that only one like it leads to changes',
    `${schemas}/Announcement`,
    { ...text, anyOf: [{ $ref: '#/components/schemas/Announcement' }] },
    { ...longer, anyOf: [{ $ref: '#/components/schemas/Announcement' }] },
    own('unused-schema-changed', 'none'),
    own('unused-schema-changed', 'none'),
  ),
  change(
    'a schema that no operation leads to is written in another order',
    `${schemas}/Announcement`,
    text,
    { properties: text.properties, type: 'object' },
    nothing,
    nothing,
  ),
  withPolicy(
    { rules: { 'unused-schema-changed': 'undecided' } },
    change(
      'a schema that no operation leads to changes, and the policy wants somebody to look',
      `${schemas}/Announcement`,
      text,
      longer,
      own('unused-schema-changed', 'undecided'),
      own('unused-schema-changed', 'undecided'),
    ),
  ),
];
