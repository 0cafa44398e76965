import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestCommandOptions, requestOf } from '../src/service/api-command.ts';
import { temporaryFolder, testContext } from './helpers.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder.path, 'change.json'), '{"department":"Fleet"}');
});
afterAll(() => folder.remove());

const buildRequest = (args: [string, string?], options: RequestCommandOptions = {}) =>
  requestOf(testContext(folder.path), args[0], args[1], options);

test.each<[string, [string, string?], RequestCommandOptions, object]>([
  ['a path alone is read', ['/v1/events'], {}, { method: 'GET', path: '/v1/events', headers: {} }],
  ['a method in small letters', ['delete', '/v1/webhooks/1'], {}, { method: 'DELETE', path: '/v1/webhooks/1' }],
  [
    'fields are the query of a GET',
    ['GET', '/v1/collaborators?sort=name'],
    { field: [['search', 'a b']], jsonField: [['per_page', '5']] },
    { path: '/v1/collaborators?sort=name&search=a+b&per_page=5' },
  ],
  [
    'fields are the body of all else',
    ['PATCH', '/v1/collaborators/1'],
    {
      field: [['name', '12']],
      jsonField: [
        ['salary', '12.5'],
        ['location', 'null'],
      ],
    },
    {
      method: 'PATCH',
      body: '{"name":"12","salary":12.5,"location":null}',
      headers: { 'content-type': 'application/json' },
    },
  ],
  [
    'data without a method is a POST, which gets a key',
    ['/v1/collaborators'],
    { data: '{}' },
    { method: 'POST', body: '{}', headers: { 'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/) } },
  ],
  [
    'a key that is given stays',
    ['POST', '/v1/imports/1/cancel'],
    { header: ['Idempotency-Key: mine', 'If-Match: "a:b"'] },
    { body: undefined, headers: { 'idempotency-key': 'mine', 'if-match': '"a:b"' } },
  ],
  ['data of a file', ['PATCH', '/v1/x'], { data: '@change.json' }, { body: '{"department":"Fleet"}' }],
])('%s', async (_name, args, options, expected) => {
  expect(await buildRequest(args, options)).toMatchObject(expected);
});

test.each<[string, [string, string?], RequestCommandOptions, RegExp]>([
  ['a method that is none', ['FETCH', '/v1/x'], {}, /^FETCH is not a method/],
  ['an address', ['https://evil.example/v1'], {}, /is not a path/],
  ['an address without its scheme', ['//evil.example/v1'], {}, /is not a path/],
  ['two bodies', ['/v1/x'], { data: '{}', field: [['a', 'b']] }, /--data can't be combined/],
  ['a GET with a body', ['GET', '/v1/x'], { data: '{}' }, /GET has no body/],
  ['pages of a POST', ['POST', '/v1/x'], { paginate: true }, /--paginate only works for lists/],
  ['data that is no JSON', ['/v1/x'], { data: '{a' }, /^--data is not JSON/],
  ['a field that is no JSON', ['POST', '/v1/x'], { jsonField: [['a', 'b']] }, /^a is not JSON: b; use -f for strings/],
  ['a file that is not there', ['/v1/x'], { data: '@none.json' }, /^none\.json can't be read: ENOENT/],
  ['a header without a colon', ['/v1/x'], { header: ['abc'] }, /^abc is not a header/],
])('%s is refused before anything is sent', async (_name, args, options, message) => {
  await expect(buildRequest(args, options)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(message),
  });
});
