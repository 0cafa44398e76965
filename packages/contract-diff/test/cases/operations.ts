// Operations and tags.
import { absent, type Case, change, changes, create, item, list, nothing, own, payload } from './case.ts';

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
const { operationId: _, ...unnamed } = search;
/** Boilerplate prose that many operations share. */
const resources = (group: string) => ({
  operationId: `get${group}Resources`,
  summary: 'Get the available resources of this group.',
  responses: { '200': { description: 'All of them.' } },
});

/** Servers, and all paths. */
const moved = (from: readonly [url: string, ...paths: string[]], to: readonly [url: string, ...paths: string[]]) => {
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
    own('operation-added', 'minor'),
    own('operation-removed', 'major'),
  ),
  change(
    'an operation is added to a path',
    `${item}/put`,
    absent,
    { ...ping, operationId: 'replaceCollaborator' },
    own('operation-added', 'minor'),
    own('operation-removed', 'major'),
  ),
  changes(
    'a part of the address moves from the servers into the paths',
    moved(['https://e.test/v1', '/x'], ['https://e.test', '/v1/x']),
    own('server-prefix-moved', 'patch'),
    own('server-prefix-moved', 'patch'),
  ),
  changes(
    'a part of the address moves, behind a slash',
    moved(['https://e.test/v1/', '/x'], ['https://e.test/', '/v1/x']),
    own('server-prefix-moved', 'patch'),
    own('server-prefix-moved', 'patch'),
  ),
  changes(
    'a part of the address moves, and one of the operations goes',
    moved(['https://e.test/v1', '/x', '/y'], ['https://e.test', '/v1/x']),
    own('operation-removed', 'major'),
    own('operation-added', 'minor'),
  ),
  changes(
    'a part of the address goes, and the paths stay',
    moved(['https://e.test/v1', '/x'], ['https://e.test', '/x']),
    own('server-changed', 'major'),
    own('server-changed', 'major'),
  ),
  changes(
    'an operation moves to another path',
    [
      { at: '/paths/~1search', before: { get: search }, after: absent },
      { at: '/paths/~1collaborators~1search', before: absent, after: { get: search } },
    ],
    own('operation-moved', 'major'),
    own('operation-moved', 'major'),
  ),
  changes(
    'an operation without operationId moves to another path',
    [
      { at: '/paths/~1search', before: { get: unnamed }, after: absent },
      { at: '/paths/~1collaborators~1search', before: absent, after: { get: unnamed } },
    ],
    own('operation-moved', 'major'),
    own('operation-moved', 'major'),
  ),
  changes(
    'an operation goes, and another comes of which is said what is said of one that stayed',
    [
      { at: '/paths/~1apps~1list', before: { get: resources('Apps') }, after: { get: resources('Apps') } },
      { at: '/paths/~1storage~1list', before: { get: resources('Storage') }, after: absent },
      { at: '/paths/~1identities~1list', before: absent, after: { get: resources('Identities') } },
    ],
    own('operation-removed', 'major'),
    own('operation-removed', 'major'),
  ),
  changes(
    'an operation moves to the next version of its path, and is called by it',
    [
      { at: '/paths/~1v1~1apps', before: { get: resources('V1Apps') }, after: { get: resources('V1Apps') } },
      { at: '/paths/~1v1alpha1~1storage', before: { get: resources('V1alpha1Storage') }, after: absent },
      { at: '/paths/~1v1alpha2~1storage', before: absent, after: { get: resources('V1alpha2Storage') } },
    ],
    own('operation-moved', 'major'),
    own('operation-moved', 'major'),
  ),
  changes(
    'an operation changes its method',
    [
      { at: '/paths/~1search/get', before: search, after: absent },
      { at: '/paths/~1search/post', before: absent, after: search },
    ],
    own('operation-moved', 'major'),
    own('operation-moved', 'major'),
  ),
  change(
    'an operationId changes',
    `${list}/operationId`,
    'listCollaborators',
    'getCollaborators',
    own('operation-id-changed', 'major'),
    own('operation-id-changed', 'major'),
  ),
  change(
    'an operation gets an operationId',
    `${list}/operationId`,
    absent,
    'listCollaborators',
    own('operation-id-added', 'minor'),
    own('operation-id-changed', 'major'),
  ),
  change(
    'an operation without a tag gets one',
    `${create}/tags`,
    absent,
    ['collaborators'],
    own('first-tag-added', 'minor'),
    own('tag-moved', 'major'),
  ),
  change(
    'an operation moves to another tag',
    `${create}/tags`,
    ['collaborators'],
    ['documents'],
    own('tag-moved', 'major'),
    own('tag-moved', 'major'),
  ),
  change(
    'an operation gets one more tag',
    `${create}/tags`,
    ['collaborators'],
    ['collaborators', 'documents'],
    own('tag-added', 'minor'),
    own('tag-moved', 'major'),
  ),
  change(
    'the description of a tag is added',
    '/tags/3',
    absent,
    { name: 'reports' },
    own('tag-list-changed', 'patch'),
    own('tag-list-changed', 'patch'),
  ),
  change(
    'an operation is deprecated',
    `${list}/deprecated`,
    absent,
    true,
    own('deprecated', 'minor'),
    own('deprecation-withdrawn', 'minor'),
  ),
  change('`deprecated: false` is written down', `${list}/deprecated`, absent, false, nothing, nothing),
  change(
    'a webhook is deprecated',
    '/webhooks/report.created/post/deprecated',
    absent,
    true,
    payload('deprecated', 'minor'),
    payload('deprecation-withdrawn', 'minor'),
  ),
  changes(
    'a parameter in a path is called something else',
    [
      { at: '/paths/~1teams~1{id}', before: teams('id'), after: absent },
      { at: '/paths/~1teams~1{team_id}', before: absent, after: teams('team_id') },
    ],
    own('path-parameter-renamed', 'none'),
    own('path-parameter-renamed', 'none'),
  ),
  change(
    'a link leads to another operation',
    `${create}/responses/201/links/read/operationId`,
    'getCollaborator',
    'updateCollaborator',
    own('link-changed', 'major'),
    own('link-changed', 'major'),
  ),
  change(
    'a link is added',
    `${create}/responses/201/links/remove`,
    absent,
    { operationId: 'deleteCollaborator', parameters: { id: '$response.body#/id' } },
    own('link-added', 'minor'),
    own('link-removed', 'major'),
  ),
  change(
    'an end is announced',
    `${list}/x-sunset`,
    absent,
    '2027-01-01',
    own('sunset-announced', 'minor'),
    own('sunset-withdrawn', 'minor'),
  ),
  change(
    'an announced end comes later',
    `${list}/x-sunset`,
    '2027-01-01',
    '2027-06-01',
    own('sunset-later', 'minor'),
    own('sunset-earlier', 'major'),
  ),
];

function teams(name: string) {
  const parameter = { name, in: 'path', required: true, schema: { type: 'string' } };
  return {
    get: { operationId: 'getTeam', parameters: [parameter], responses: { '204': { description: 'It is there.' } } },
  };
}
