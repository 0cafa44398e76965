// Edits without effect on clients.
import { absent, type Case, change, changes, create, list, own, schemas } from './case.ts';

const ineffective = own('edit-without-effect', 'none');
const sent = `${schemas}/CollaboratorCreate/properties`;
const stray = (schema: object) => ({ name: 'nobody', in: 'path', required: true, schema });
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const page = { name: 'page', in: 'query', schema: { type: 'integer' } };
const one = { type: 'object', properties: { a: { type: 'string' } } };

export const ineffectiveEditCases: readonly Case[] = [
  change('a limit of texts is set on a number', `${sent}/age/maxLength`, absent, 5, ineffective, ineffective),
  change('a limit of numbers changes on a text', `${sent}/name/maximum`, 5, 6, ineffective, ineffective),
  change(
    'a property that is only sent is hidden from responses',
    `${sent}/name/writeOnly`,
    absent,
    true,
    ineffective,
    ineffective,
  ),
  change(
    'a security scheme is added that nothing asks for',
    '/components/securitySchemes/spare',
    absent,
    { type: 'http', scheme: 'basic' },
    ineffective,
    ineffective,
  ),
  change(
    'a response is added that nothing refers to',
    '/components/responses/Spare',
    absent,
    { description: 'No.' },
    ineffective,
    ineffective,
  ),
  change(
    'parameters are written in another order',
    `${list}/parameters`,
    [limit, page],
    [page, limit],
    ineffective,
    ineffective,
  ),
  change(
    'a parameter is added that is in no path',
    `${list}/parameters/5`,
    absent,
    stray({ type: 'string' }),
    ineffective,
    ineffective,
  ),
  change(
    'a parameter that is in no path changes its type',
    `${list}/parameters/5`,
    stray({ type: 'string' }),
    stray({ type: 'integer' }),
    own('text-type-narrowed', 'major'),
    own('text-type-widened', 'minor'),
  ),
  changes(
    'an edit without effect stands beside one that clients notice',
    [
      { at: `${sent}/age/maxLength`, before: absent, after: 5 },
      { at: `${create}/deprecated`, before: absent, after: true },
    ],
    own('edit-without-effect', 'minor'),
    own('edit-without-effect', 'minor'),
  ),
  changes(
    'a schema is written out where it was referred to',
    [
      { at: `${schemas}/One`, before: one, after: one },
      { at: `${sent}/one`, before: { $ref: '#/components/schemas/One' }, after: one },
    ],
    ineffective,
    ineffective,
  ),
  changes(
    'a component is called otherwise',
    [
      { at: `${schemas}/One`, before: one, after: absent },
      { at: `${schemas}/Two`, before: absent, after: one },
      { at: `${sent}/one`, before: { $ref: '#/components/schemas/One' }, after: { $ref: '#/components/schemas/Two' } },
    ],
    ineffective,
    ineffective,
  ),
];
