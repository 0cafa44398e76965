// Edits without effect on clients.
import { type Case, change, changes, create, gone, list, own, schemas } from './case.ts';

const unnoticed = own('edit-without-effect', 'none');
const sent = `${schemas}/CollaboratorCreate/properties`;
const stray = (schema: object) => ({ name: 'nobody', in: 'path', required: true, schema });
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const page = { name: 'page', in: 'query', schema: { type: 'integer' } };
const one = { type: 'object', properties: { a: { type: 'string' } } };

export const unnoticedCases: readonly Case[] = [
  change('a limit of texts is set on a number', `${sent}/age/maxLength`, gone, 5, unnoticed, unnoticed),
  change('a limit of numbers changes on a text', `${sent}/name/maximum`, 5, 6, unnoticed, unnoticed),
  change(
    'a property that is only sent is hidden from answers',
    `${sent}/name/writeOnly`,
    gone,
    true,
    unnoticed,
    unnoticed,
  ),
  change(
    'a security scheme is added that nothing asks for',
    '/components/securitySchemes/spare',
    gone,
    { type: 'http', scheme: 'basic' },
    unnoticed,
    unnoticed,
  ),
  change(
    'an answer is added that nothing refers to',
    '/components/responses/Spare',
    gone,
    { description: 'No.' },
    unnoticed,
    unnoticed,
  ),
  change(
    'parameters are written in another order',
    `${list}/parameters`,
    [limit, page],
    [page, limit],
    unnoticed,
    unnoticed,
  ),
  change(
    'a parameter is added that is in no path',
    `${list}/parameters/5`,
    gone,
    stray({ type: 'string' }),
    unnoticed,
    unnoticed,
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
      { at: `${sent}/age/maxLength`, before: gone, after: 5 },
      { at: `${create}/deprecated`, before: gone, after: true },
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
    unnoticed,
    unnoticed,
  ),
  changes(
    'a component is called otherwise',
    [
      { at: `${schemas}/One`, before: one, after: gone },
      { at: `${schemas}/Two`, before: gone, after: one },
      { at: `${sent}/one`, before: { $ref: '#/components/schemas/One' }, after: { $ref: '#/components/schemas/Two' } },
    ],
    unnoticed,
    unnoticed,
  ),
];
