// Extensible enums: `x-extensible-enum`.
import { type Case, change, interfaceOnly, payloadOnly, schemas } from '../case.ts';

const requestProperties = `${schemas}/CollaboratorCreate/properties`;
const responseProperties = `${schemas}/Collaborator/properties`;

export const extensibleEnums: readonly Case[] = [
  change(
    'a known value is added to a response',
    `${responseProperties}/kind/x-extensible-enum`,
    ['intern'],
    ['intern', 'freelance'],
    interfaceOnly('extensible-value-added', 'minor'),
    interfaceOnly('extensible-value-removed', 'minor'),
  ),
  change(
    'a known value is added to a payload',
    `${schemas}/CollaboratorPayload/properties/event/x-extensible-enum`,
    ['collaborator.created'],
    ['collaborator.created', 'report.created'],
    payloadOnly('extensible-value-added', 'minor'),
    payloadOnly('extensible-value-removed', 'minor'),
  ),
  change(
    'a known value is added to a request',
    `${requestProperties}/code/x-extensible-enum`,
    ['a'],
    ['a', 'b'],
    interfaceOnly('extensible-value-added', 'minor'),
    interfaceOnly('extensible-value-removed', 'major'),
  ),
  change(
    'a response enum becomes extensible',
    `${responseProperties}/role`,
    { type: 'string', enum: ['a', 'b'] },
    { type: 'string', 'x-extensible-enum': ['a', 'b'] },
    interfaceOnly('enum-opened', 'major'),
    interfaceOnly('enum-closed', 'minor'),
  ),
];
