// Parameters: location, serialization, allowed values.
import { absent, type Case, change, changes, item, list, nothing, own } from './case.ts';

const at = `${list}/parameters`;
const search = { name: 'search', in: 'query', schema: { type: 'string' } };

export const parameters: readonly Case[] = [
  change(
    'an optional parameter is added',
    `${at}/5`,
    absent,
    search,
    own('parameter-added', 'minor'),
    own('parameter-removed', 'major'),
  ),
  change(
    'a required parameter is added',
    `${at}/5`,
    absent,
    { ...search, required: true },
    own('required-parameter-added', 'major'),
    own('parameter-removed', 'major'),
  ),
  change(
    'a parameter of the path item is added',
    `${item}/parameters/1`,
    absent,
    search,
    own('parameter-added', 'minor'),
    own('parameter-removed', 'major'),
  ),
  change(
    'a parameter becomes required',
    `${at}/1/required`,
    absent,
    true,
    own('became-required', 'major'),
    own('became-optional', 'minor'),
  ),
  change('`required: false` is written down', `${at}/1/required`, absent, false, nothing, nothing),
  change(
    'a parameter is renamed',
    `${at}/1/name`,
    'department',
    'department_name',
    own('parameter-renamed', 'major'),
    own('parameter-renamed', 'major'),
  ),
  change(
    'a parameter says what it was called',
    `${at}/5`,
    { name: 'q', in: 'query', schema: { type: 'string' } },
    { name: 'text', in: 'query', 'x-renamed-from': 'q', schema: { type: 'string', maxLength: 50 } },
    own('parameter-renamed', 'major'),
    own('parameter-removed', 'major'),
  ),
  change(
    'a parameter moves from the query to a header',
    `${at}/5`,
    search,
    { ...search, in: 'header' },
    own('parameter-moved', 'major'),
    own('parameter-moved', 'major'),
  ),
  change(
    'a default changes',
    `${at}/2/schema/default`,
    20,
    50,
    own('default-changed', 'major'),
    own('default-changed', 'major'),
  ),
  change(
    'a default is added',
    `${at}/1/schema/default`,
    absent,
    'sales',
    own('default-changed', 'major'),
    own('default-changed', 'major'),
  ),
  change(
    'the style changes',
    `${at}/3/style`,
    'form',
    'pipeDelimited',
    own('serialization-changed', 'major'),
    own('serialization-changed', 'major'),
  ),
  change('the default style is written down', `${at}/3/style`, absent, 'form', nothing, nothing),
  change(
    '`explode` changes',
    `${at}/3/explode`,
    false,
    true,
    own('serialization-changed', 'major'),
    own('serialization-changed', 'major'),
  ),
  change(
    '`allowReserved` changes',
    `${at}/1/allowReserved`,
    absent,
    true,
    own('serialization-changed', 'major'),
    own('serialization-changed', 'major'),
  ),
  change(
    'a parameter may be empty',
    `${at}/1/allowEmptyValue`,
    absent,
    true,
    own('empty-value-allowed', 'minor'),
    own('empty-value-refused', 'major'),
  ),
  change(
    'a parameter becomes JSON',
    `${at}/5`,
    { name: 'filter', in: 'query', schema: { type: 'object' } },
    { name: 'filter', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    own('serialization-changed', 'major'),
    own('serialization-changed', 'major'),
  ),
  change(
    'a parameter is deprecated',
    `${at}/1/deprecated`,
    absent,
    true,
    own('deprecated', 'minor'),
    own('deprecation-withdrawn', 'minor'),
  ),
  change(
    'the description of a parameter changes',
    `${at}/1/description`,
    'Only those of this department.',
    'Only those not of this department.',
    own('prose-changed', 'none'),
    own('prose-changed', 'none'),
  ),
  change(
    'an example of a parameter changes',
    `${at}/1/example`,
    'sales',
    'support',
    own('example-changed', 'patch'),
    own('example-changed', 'patch'),
  ),
  change(
    'a maximum is lowered',
    `${at}/2/schema/maximum`,
    100,
    50,
    own('limit-tightened', 'major'),
    own('limit-loosened', 'minor'),
  ),
  change(
    'the type of a parameter changes',
    `${at}/1/schema`,
    { type: 'string' },
    { type: 'boolean' },
    own('text-type-narrowed', 'major'),
    own('text-type-widened', 'minor'),
  ),
  change(
    'the schema of a parameter is removed',
    `${at}/5`,
    { ...search, schema: { type: 'string', maxLength: 5 } },
    { ...search, schema: {} },
    own('type-widened', 'minor'),
    own('type-narrowed', 'major'),
  ),
  change(
    'the default of a required parameter changes',
    `${at}/5`,
    { ...search, required: true, schema: { type: 'string', default: 'a' } },
    { ...search, required: true, schema: { type: 'string', default: 'b' } },
    own('default-hint-changed', 'minor'),
    own('default-hint-changed', 'minor'),
  ),
  change(
    'the default of a header of a response changes',
    `${list}/responses/200/headers/Warning/schema/default`,
    'a',
    'b',
    own('default-hint-changed', 'minor'),
    own('default-hint-changed', 'minor'),
  ),
  changes(
    'parameters are put together into one object',
    [
      {
        at,
        before: [
          { name: 'from', in: 'query', schema: { type: 'integer' } },
          { name: 'to', in: 'query', schema: { type: 'integer' } },
        ],
        after: [
          {
            name: 'range',
            in: 'query',
            schema: { type: 'object', properties: { from: { type: 'integer' }, to: { type: 'integer' } } },
          },
        ],
      },
    ],
    own('parameters-regrouped', 'minor'),
    own('parameters-regrouped', 'minor'),
  ),
  changes(
    'parameters are put together into one object, where one must be smaller, and another is new',
    [
      {
        at,
        before: [{ name: 'from', in: 'query', schema: { type: 'integer' } }],
        after: [
          {
            name: 'range',
            in: 'query',
            schema: { type: 'object', properties: { from: { type: 'integer', maximum: 9 }, to: { type: 'integer' } } },
          },
        ],
      },
    ],
    own('limit-tightened', 'major'),
    own('parameter-removed', 'major'),
  ),
  change(
    'a parameter of a path that is named wrong is named as the path has it',
    '/paths/~1teams~1{id}',
    teamsAt('ID'),
    teamsAt('id'),
    nothing,
    nothing,
  ),
  change(
    'a parameter is written in other letters',
    `${at}/5`,
    search,
    { ...search, name: 'Search' },
    own('parameter-renamed', 'major'),
    own('parameter-renamed', 'major'),
  ),
  change('a header is written in other letters', `${at}/4/name`, 'X-Company-Id', 'x-company-id', nothing, nothing),
  change(
    'a required header becomes optional',
    `${at}/4/required`,
    true,
    false,
    own('became-optional', 'minor'),
    own('became-required', 'major'),
  ),
  change(
    'the order of parameters changes',
    at,
    [search, { ...search, name: 'sort' }],
    [{ ...search, name: 'sort' }, search],
    nothing,
    nothing,
  ),
  changes(
    'a parameter of the operation becomes one of its path',
    [{ at: '/paths/~1teams', before: { get: teams([search]) }, after: { parameters: [search], get: teams([]) } }],
    nothing,
    nothing,
  ),
];

function teamsAt(name: string) {
  const parameter = { name, in: 'path', required: true, schema: { type: 'string' } };
  return {
    get: { operationId: 'getTeam', parameters: [parameter], responses: { '204': { description: 'It is there.' } } },
  };
}

function teams(ofOperation: unknown[]) {
  return { operationId: 'listTeams', parameters: ofOperation, responses: { '204': { description: 'None.' } } };
}
