// Extensible enums: `x-extensible-enum`.
import { type Case, change, own, payload, schemas } from '../case.ts';

const sent = `${schemas}/CollaboratorCreate/properties`;
const responsePath = `${schemas}/Collaborator/properties`;

export const extensibleLists: readonly Case[] = [
  change(
    'a known value is added to a response',
    `${responsePath}/kind/x-extensible-enum`,
    ['intern'],
    ['intern', 'freelance'],
    own('extensible-value-added', 'minor'),
    own('extensible-value-removed', 'minor'),
  ),
  change(
    'a known value is added to a payload',
    `${schemas}/CollaboratorPayload/properties/event/x-extensible-enum`,
    ['collaborator.created'],
    ['collaborator.created', 'report.created'],
    payload('extensible-value-added', 'minor'),
    payload('extensible-value-removed', 'minor'),
  ),
  change(
    'a known value is added to a request',
    `${sent}/code/x-extensible-enum`,
    ['a'],
    ['a', 'b'],
    own('extensible-value-added', 'minor'),
    own('extensible-value-removed', 'major'),
  ),
  change(
    'a closed list of a response becomes extensible',
    `${responsePath}/role`,
    { type: 'string', enum: ['a', 'b'] },
    { type: 'string', 'x-extensible-enum': ['a', 'b'] },
    own('enum-opened', 'major'),
    own('enum-closed', 'minor'),
  ),
];
