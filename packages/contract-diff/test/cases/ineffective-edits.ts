// Edits without effect on clients.
import { absent, type Case, change, changes, create, interfaceOnly, list, schemas } from './case.ts';

const ineffective = interfaceOnly('edit-without-effect', 'none');
const requestProperties = `${schemas}/CollaboratorCreate/properties`;
const stray = (schema: object) => ({ name: 'nobody', in: 'path', required: true, schema });
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const page = { name: 'page', in: 'query', schema: { type: 'integer' } };
const one = { type: 'object', properties: { a: { type: 'string' } } };

export const ineffectiveEditCases: readonly Case[] = [
  change(
    'a string limit is set on a number',
    `${requestProperties}/age/maxLength`,
    absent,
    5,
    ineffective,
    ineffective,
  ),
  change('a number limit changes on a string', `${requestProperties}/name/maximum`, 5, 6, ineffective, ineffective),
  change(
    'a request-only property becomes write-only',
    `${requestProperties}/name/writeOnly`,
    absent,
    true,
    ineffective,
    ineffective,
  ),
  change(
    'an unused security scheme is added',
    '/components/securitySchemes/spare',
    absent,
    { type: 'http', scheme: 'basic' },
    ineffective,
    ineffective,
  ),
  change(
    'an unused response is added',
    '/components/responses/Spare',
    absent,
    { description: 'No.' },
    ineffective,
    ineffective,
  ),
  change(
    'the order of parameters changes',
    `${list}/parameters`,
    [limit, page],
    [page, limit],
    ineffective,
    ineffective,
  ),
  change(
    'a path parameter is added that is not in the path',
    `${list}/parameters/5`,
    absent,
    stray({ type: 'string' }),
    ineffective,
    ineffective,
  ),
  change(
    'the type of a path parameter that is not in the path changes',
    `${list}/parameters/5`,
    stray({ type: 'string' }),
    stray({ type: 'integer' }),
    interfaceOnly('text-type-narrowed', 'major'),
    interfaceOnly('text-type-widened', 'minor'),
  ),
  changes(
    'an edit without effect accompanies one that affects clients',
    [
      { at: `${requestProperties}/age/maxLength`, before: absent, after: 5 },
      { at: `${create}/deprecated`, before: absent, after: true },
    ],
    interfaceOnly('edit-without-effect', 'minor'),
    interfaceOnly('edit-without-effect', 'minor'),
  ),
  changes(
    'a reference in a request is inlined',
    [
      { at: `${schemas}/One`, before: one, after: one },
      { at: `${requestProperties}/one`, before: { $ref: '#/components/schemas/One' }, after: one },
    ],
    ineffective,
    ineffective,
  ),
  changes(
    'a schema of a request is renamed',
    [
      { at: `${schemas}/One`, before: one, after: absent },
      { at: `${schemas}/Two`, before: absent, after: one },
      {
        at: `${requestProperties}/one`,
        before: { $ref: '#/components/schemas/One' },
        after: { $ref: '#/components/schemas/Two' },
      },
    ],
    ineffective,
    ineffective,
  ),
];
