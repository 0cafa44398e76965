// Operations and tags.
import {
  absent,
  type Case,
  change,
  changes,
  create,
  interfaceOnly,
  item,
  list,
  noFindings,
  payloadOnly,
} from './case.ts';

const ping = {
  operationId: 'ping',
  summary: 'Is anybody there?',
  responses: { '204': { description: 'Yes.' } },
};
const search = {
  operationId: 'searchCollaborators',
  parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
  responses: { '200': { description: 'Those who match.' } },
};
const { operationId: _, ...withoutOperationId } = search;
/** An operation with a summary that many operations share. */
const resources = (group: string) => ({
  operationId: `get${group}Resources`,
  summary: 'Get the available resources of this group.',
  responses: { '200': { description: 'All of them.' } },
});

/** Edits of the servers and of all paths. */
const movePrefix = (
  from: readonly [url: string, ...paths: string[]],
  to: readonly [url: string, ...paths: string[]],
) => {
  const servers = ([url]: readonly string[]) => [{ url }];
  const paths = ([, ...all]: readonly string[]) => Object.fromEntries(all.map((path) => [path, { get: ping }]));
  return [
    { at: '/servers', before: servers(from), after: servers(to) },
    { at: '/paths', before: paths(from), after: paths(to) },
  ];
};

export const operations: readonly Case[] = [
  change(
    'a path is added',
    '/paths/~1ping',
    absent,
    { get: ping },
    interfaceOnly('operation-added', 'minor'),
    interfaceOnly('operation-removed', 'major'),
  ),
  change(
    'an operation is added to a path',
    `${item}/put`,
    absent,
    { ...ping, operationId: 'replaceCollaborator' },
    interfaceOnly('operation-added', 'minor'),
    interfaceOnly('operation-removed', 'major'),
  ),
  changes(
    'a URL prefix moves from the servers to the paths',
    movePrefix(['https://e.test/v1', '/x'], ['https://e.test', '/v1/x']),
    interfaceOnly('server-prefix-moved', 'patch'),
    interfaceOnly('server-prefix-moved', 'patch'),
  ),
  changes(
    'a URL prefix moves, with trailing slashes in the server URLs',
    movePrefix(['https://e.test/v1/', '/x'], ['https://e.test/', '/v1/x']),
    interfaceOnly('server-prefix-moved', 'patch'),
    interfaceOnly('server-prefix-moved', 'patch'),
  ),
  changes(
    'a URL prefix moves, and an operation is removed',
    movePrefix(['https://e.test/v1', '/x', '/y'], ['https://e.test', '/v1/x']),
    interfaceOnly('operation-removed', 'major'),
    interfaceOnly('operation-added', 'minor'),
  ),
  changes(
    'a URL prefix is removed from the servers only',
    movePrefix(['https://e.test/v1', '/x'], ['https://e.test', '/x']),
    interfaceOnly('server-changed', 'major'),
    interfaceOnly('server-changed', 'major'),
  ),
  changes(
    'an operation moves to another path',
    [
      { at: '/paths/~1search', before: { get: search }, after: absent },
      { at: '/paths/~1collaborators~1search', before: absent, after: { get: search } },
    ],
    interfaceOnly('operation-moved', 'major'),
    interfaceOnly('operation-moved', 'major'),
  ),
  changes(
    'an operation without operationId moves to another path',
    [
      { at: '/paths/~1search', before: { get: withoutOperationId }, after: absent },
      { at: '/paths/~1collaborators~1search', before: absent, after: { get: withoutOperationId } },
    ],
    interfaceOnly('operation-moved', 'major'),
    interfaceOnly('operation-moved', 'major'),
  ),
  changes(
    'an operation is replaced by one that has the summary of an unchanged operation',
    [
      { at: '/paths/~1apps~1list', before: { get: resources('Apps') }, after: { get: resources('Apps') } },
      { at: '/paths/~1storage~1list', before: { get: resources('Storage') }, after: absent },
      { at: '/paths/~1identities~1list', before: absent, after: { get: resources('Identities') } },
    ],
    interfaceOnly('operation-removed', 'major'),
    interfaceOnly('operation-removed', 'major'),
  ),
  changes(
    'an operation moves to the next version of its path, and its operationId changes',
    [
      { at: '/paths/~1v1~1apps', before: { get: resources('V1Apps') }, after: { get: resources('V1Apps') } },
      { at: '/paths/~1v1alpha1~1storage', before: { get: resources('V1alpha1Storage') }, after: absent },
      { at: '/paths/~1v1alpha2~1storage', before: absent, after: { get: resources('V1alpha2Storage') } },
    ],
    interfaceOnly('operation-moved', 'major'),
    interfaceOnly('operation-moved', 'major'),
  ),
  changes(
    'the method of an operation changes',
    [
      { at: '/paths/~1search/get', before: search, after: absent },
      { at: '/paths/~1search/post', before: absent, after: search },
    ],
    interfaceOnly('operation-moved', 'major'),
    interfaceOnly('operation-moved', 'major'),
  ),
  change(
    'an operationId changes',
    `${list}/operationId`,
    'listCollaborators',
    'getCollaborators',
    interfaceOnly('operation-id-changed', 'major'),
    interfaceOnly('operation-id-changed', 'major'),
  ),
  change(
    'an operation gets an operationId',
    `${list}/operationId`,
    absent,
    'listCollaborators',
    interfaceOnly('operation-id-added', 'minor'),
    interfaceOnly('operation-id-changed', 'major'),
  ),
  change(
    'an operation without a tag gets one',
    `${create}/tags`,
    absent,
    ['collaborators'],
    interfaceOnly('first-tag-added', 'minor'),
    interfaceOnly('tag-moved', 'major'),
  ),
  change(
    'an operation moves to another tag',
    `${create}/tags`,
    ['collaborators'],
    ['documents'],
    interfaceOnly('tag-moved', 'major'),
    interfaceOnly('tag-moved', 'major'),
  ),
  change(
    'an operation gets another tag',
    `${create}/tags`,
    ['collaborators'],
    ['collaborators', 'documents'],
    interfaceOnly('tag-added', 'minor'),
    interfaceOnly('tag-moved', 'major'),
  ),
  change(
    'the description of a tag is added',
    '/tags/3',
    absent,
    { name: 'reports' },
    interfaceOnly('tag-list-changed', 'patch'),
    interfaceOnly('tag-list-changed', 'patch'),
  ),
  change(
    'an operation is deprecated',
    `${list}/deprecated`,
    absent,
    true,
    interfaceOnly('deprecated', 'minor'),
    interfaceOnly('deprecation-withdrawn', 'minor'),
  ),
  change('`deprecated: false` is stated explicitly', `${list}/deprecated`, absent, false, noFindings, noFindings),
  change(
    'a webhook is deprecated',
    '/webhooks/report.created/post/deprecated',
    absent,
    true,
    payloadOnly('deprecated', 'minor'),
    payloadOnly('deprecation-withdrawn', 'minor'),
  ),
  changes(
    'a path parameter is renamed',
    [
      { at: '/paths/~1teams~1{id}', before: teams('id'), after: absent },
      { at: '/paths/~1teams~1{team_id}', before: absent, after: teams('team_id') },
    ],
    interfaceOnly('path-parameter-renamed', 'none'),
    interfaceOnly('path-parameter-renamed', 'none'),
  ),
  change(
    'a link points to another operation',
    `${create}/responses/201/links/read/operationId`,
    'getCollaborator',
    'updateCollaborator',
    interfaceOnly('link-changed', 'major'),
    interfaceOnly('link-changed', 'major'),
  ),
  change(
    'a link is added',
    `${create}/responses/201/links/remove`,
    absent,
    { operationId: 'deleteCollaborator', parameters: { id: '$response.body#/id' } },
    interfaceOnly('link-added', 'minor'),
    interfaceOnly('link-removed', 'major'),
  ),
  change(
    'a sunset date is announced',
    `${list}/x-sunset`,
    absent,
    '2027-01-01',
    interfaceOnly('sunset-announced', 'minor'),
    interfaceOnly('sunset-withdrawn', 'minor'),
  ),
  change(
    'a sunset date is postponed',
    `${list}/x-sunset`,
    '2027-01-01',
    '2027-06-01',
    interfaceOnly('sunset-later', 'minor'),
    interfaceOnly('sunset-earlier', 'major'),
  ),
];

function teams(name: string) {
  const parameter = { name, in: 'path', required: true, schema: { type: 'string' } };
  return {
    get: { operationId: 'getTeam', parameters: [parameter], responses: { '204': { description: 'It is there.' } } },
  };
}
