// Parameters: location, serialization, allowed values.
import { absent, type Case, change, changes, interfaceOnly, item, list, noFindings } from './case.ts';

const at = `${list}/parameters`;
const search = { name: 'search', in: 'query', schema: { type: 'string' } };

export const parameters: readonly Case[] = [
  change(
    'an optional parameter is added',
    `${at}/5`,
    absent,
    search,
    interfaceOnly('parameter-added', 'minor'),
    interfaceOnly('parameter-removed', 'major'),
  ),
  change(
    'a required parameter is added',
    `${at}/5`,
    absent,
    { ...search, required: true },
    interfaceOnly('required-parameter-added', 'major'),
    interfaceOnly('parameter-removed', 'major'),
  ),
  change(
    'a parameter is added to the path item',
    `${item}/parameters/1`,
    absent,
    search,
    interfaceOnly('parameter-added', 'minor'),
    interfaceOnly('parameter-removed', 'major'),
  ),
  change(
    'a parameter becomes required',
    `${at}/1/required`,
    absent,
    true,
    interfaceOnly('became-required', 'major'),
    interfaceOnly('became-optional', 'minor'),
  ),
  change('`required: false` is stated explicitly', `${at}/1/required`, absent, false, noFindings, noFindings),
  change(
    'a parameter is renamed',
    `${at}/1/name`,
    'department',
    'department_name',
    interfaceOnly('parameter-renamed', 'major'),
    interfaceOnly('parameter-renamed', 'major'),
  ),
  change(
    'a renamed parameter declares its former name',
    `${at}/5`,
    { name: 'q', in: 'query', schema: { type: 'string' } },
    { name: 'text', in: 'query', 'x-renamed-from': 'q', schema: { type: 'string', maxLength: 50 } },
    interfaceOnly('parameter-renamed', 'major'),
    interfaceOnly('parameter-removed', 'major'),
  ),
  change(
    'a parameter moves from the query to a header',
    `${at}/5`,
    search,
    { ...search, in: 'header' },
    interfaceOnly('parameter-moved', 'major'),
    interfaceOnly('parameter-moved', 'major'),
  ),
  change(
    'a default changes',
    `${at}/2/schema/default`,
    20,
    50,
    interfaceOnly('default-changed', 'major'),
    interfaceOnly('default-changed', 'major'),
  ),
  change(
    'a default is added',
    `${at}/1/schema/default`,
    absent,
    'sales',
    interfaceOnly('default-changed', 'major'),
    interfaceOnly('default-changed', 'major'),
  ),
  change(
    'the style changes',
    `${at}/3/style`,
    'form',
    'pipeDelimited',
    interfaceOnly('serialization-changed', 'major'),
    interfaceOnly('serialization-changed', 'major'),
  ),
  change('the default style is stated explicitly', `${at}/3/style`, absent, 'form', noFindings, noFindings),
  change(
    '`explode` changes',
    `${at}/3/explode`,
    false,
    true,
    interfaceOnly('serialization-changed', 'major'),
    interfaceOnly('serialization-changed', 'major'),
  ),
  change(
    '`allowReserved` changes',
    `${at}/1/allowReserved`,
    absent,
    true,
    interfaceOnly('serialization-changed', 'major'),
    interfaceOnly('serialization-changed', 'major'),
  ),
  change(
    'a parameter may be empty',
    `${at}/1/allowEmptyValue`,
    absent,
    true,
    interfaceOnly('empty-value-allowed', 'minor'),
    interfaceOnly('empty-value-refused', 'major'),
  ),
  change(
    'a parameter is serialized as JSON',
    `${at}/5`,
    { name: 'filter', in: 'query', schema: { type: 'object' } },
    { name: 'filter', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    interfaceOnly('serialization-changed', 'major'),
    interfaceOnly('serialization-changed', 'major'),
  ),
  change(
    'a parameter is deprecated',
    `${at}/1/deprecated`,
    absent,
    true,
    interfaceOnly('deprecated', 'minor'),
    interfaceOnly('deprecation-withdrawn', 'minor'),
  ),
  change(
    'the description of a parameter changes',
    `${at}/1/description`,
    'Only those of this department.',
    'Only those not of this department.',
    interfaceOnly('prose-changed', 'none'),
    interfaceOnly('prose-changed', 'none'),
  ),
  change(
    'an example of a parameter changes',
    `${at}/1/example`,
    'sales',
    'support',
    interfaceOnly('example-changed', 'patch'),
    interfaceOnly('example-changed', 'patch'),
  ),
  change(
    'the maximum of a parameter is lowered',
    `${at}/2/schema/maximum`,
    100,
    50,
    interfaceOnly('limit-tightened', 'major'),
    interfaceOnly('limit-loosened', 'minor'),
  ),
  change(
    'the type of a parameter changes',
    `${at}/1/schema`,
    { type: 'string' },
    { type: 'boolean' },
    interfaceOnly('text-type-narrowed', 'major'),
    interfaceOnly('text-type-widened', 'minor'),
  ),
  change(
    'the schema of a parameter becomes unrestricted',
    `${at}/5`,
    { ...search, schema: { type: 'string', maxLength: 5 } },
    { ...search, schema: {} },
    interfaceOnly('type-widened', 'minor'),
    interfaceOnly('type-narrowed', 'major'),
  ),
  change(
    'the default of a required parameter changes',
    `${at}/5`,
    { ...search, required: true, schema: { type: 'string', default: 'a' } },
    { ...search, required: true, schema: { type: 'string', default: 'b' } },
    interfaceOnly('default-hint-changed', 'minor'),
    interfaceOnly('default-hint-changed', 'minor'),
  ),
  change(
    'the default of a response header changes',
    `${list}/responses/200/headers/Warning/schema/default`,
    'a',
    'b',
    interfaceOnly('default-hint-changed', 'minor'),
    interfaceOnly('default-hint-changed', 'minor'),
  ),
  changes(
    'parameters are merged into one object',
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
    interfaceOnly('parameters-regrouped', 'minor'),
    interfaceOnly('parameters-regrouped', 'minor'),
  ),
  changes(
    'parameters are merged into one object, with a tighter limit and a new property',
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
    interfaceOnly('limit-tightened', 'major'),
    interfaceOnly('parameter-removed', 'major'),
  ),
  change(
    'the name of a path parameter is corrected to match the path',
    '/paths/~1teams~1{id}',
    teamsAt('ID'),
    teamsAt('id'),
    noFindings,
    noFindings,
  ),
  change(
    'the case of a query parameter name changes',
    `${at}/5`,
    search,
    { ...search, name: 'Search' },
    interfaceOnly('parameter-renamed', 'major'),
    interfaceOnly('parameter-renamed', 'major'),
  ),
  change(
    'the case of a request header name changes',
    `${at}/4/name`,
    'X-Company-Id',
    'x-company-id',
    noFindings,
    noFindings,
  ),
  change(
    'a required header becomes optional',
    `${at}/4/required`,
    true,
    false,
    interfaceOnly('became-optional', 'minor'),
    interfaceOnly('became-required', 'major'),
  ),
  changes(
    'a parameter moves from the operation to the path item',
    [{ at: '/paths/~1teams', before: { get: teams([search]) }, after: { parameters: [search], get: teams([]) } }],
    noFindings,
    noFindings,
  ),
];

function teamsAt(name: string) {
  const parameter = { name, in: 'path', required: true, schema: { type: 'string' } };
  return {
    get: { operationId: 'getTeam', parameters: [parameter], responses: { '204': { description: 'It is there.' } } },
  };
}

function teams(operationParameters: unknown[]) {
  return { operationId: 'listTeams', parameters: operationParameters, responses: { '204': { description: 'None.' } } };
}
