// References to shared components: each added or removed reference is reported at its own location.
import type { Finding } from '../src/model/findings.ts';
import { compareContracts } from '../src/verdict/compare-contracts.ts';

const reference = (section: string, name: string) => ({ $ref: `#/components/${section}/${name}` });

/** Three operations; the last one always references every shared component. */
function contract(parts: 'all' | 'none', error = '404'): object {
  const operation = (id: string, full: boolean) => ({
    operationId: id,
    parameters: full ? [reference('parameters', 'Page')] : [],
    ...(full && {
      requestBody: reference('requestBodies', 'Filter'),
      callbacks: { done: reference('callbacks', 'Done') },
    }),
    responses: {
      '200': {
        description: 'All.',
        headers: full ? { 'X-Total': reference('headers', 'Total') } : {},
        links: full ? { next: reference('links', 'Next') } : {},
      },
      ...(full && { [error]: reference('responses', 'NotFound') }),
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Shared', version: '1.0.0' },
    paths: {
      '/a': { post: operation('a', parts === 'all') },
      '/b': { post: operation('b', parts === 'all') },
      '/kept': { post: operation('kept', true) },
    },
    components: {
      parameters: { Page: { name: 'page', in: 'query', required: true, schema: { type: 'string' } } },
      requestBodies: { Filter: { required: true, content: { 'application/json': { schema: { type: 'object' } } } } },
      callbacks: { Done: { '{$request.body#/url}': { post: { responses: { '200': { description: 'Thanks.' } } } } } },
      headers: { Total: { schema: { type: 'string' } } },
      links: { Next: { operationId: 'a' } },
      responses: { NotFound: { description: 'There is none.' } },
    },
  };
}

const summarize = ({ rule, pointer, operations }: Finding) => `${rule} ${pointer} ${operations.join(', ')}`;
const rulesByLocation = {
  'parameters/0': ['required-parameter-added', 'parameter-removed'],
  requestBody: ['required-body-added', 'body-removed'],
  'callbacks/done': ['callback-added', 'callback-removed'],
  'responses/200/headers/X-Total': ['header-added', 'header-removed'],
  'responses/200/links/next': ['link-added', 'link-removed'],
  'responses/404': ['error-status-added', 'status-removed'],
} as const;

test.each([
  ['added', 'none', 'all', 0],
  ['removed', 'all', 'none', 1],
] as const)('reports each reference that is %s', async (_name, before, after, index) => {
  const { findings } = await compareContracts(contract(before), contract(after));
  const expected = ['a', 'b'].flatMap((id) =>
    Object.entries(rulesByLocation).map(
      ([location, rules]) => `${rules[index]} /paths/~1${id}/post/${location} POST /${id} (${id})`,
    ),
  );
  expect(findings.map(summarize).sort()).toEqual(expected.sort());
});

test('reports each reference that moves to another status', async () => {
  const { findings } = await compareContracts(contract('all'), contract('all', '410'));
  expect(findings.map(summarize)).toEqual(
    ['a', 'b', 'kept'].map((id) => `status-replaced /paths/~1${id}/post/responses/410 POST /${id} (${id})`),
  );
});

test('reports a change in a shared component once, with all operations', async () => {
  const changed = structuredClone(contract('all')) as { components: { parameters: { Page: { required: boolean } } } };
  changed.components.parameters.Page.required = false;
  const { findings } = await compareContracts(contract('all'), changed);
  expect(findings.map(summarize)).toEqual([
    'became-optional /components/parameters/Page/required POST /a (a), POST /b (b), POST /kept (kept)',
  ]);
});

test('locates an added reference at its own line', async () => {
  const { findings } = await compareContracts(contract('none'), contract('all'));
  const added = findings.find(({ pointer }) => pointer === '/paths/~1b/post/requestBody');
  const lines = JSON.stringify(contract('all'), null, 2).split('\n');
  expect(lines[added!.line - 1]).toContain('"requestBody"');
  expect(lines.slice(0, added!.line).join('\n')).toContain('"operationId": "b"');
});

test('reports no changed description if a reference moves into `allOf`', async () => {
  const wrapped = (schema: object, part: object) => ({
    openapi: '3.1.0',
    info: { title: 'Wrapped', version: '1.0.0' },
    paths: {
      '/issue': {
        get: { responses: { '200': { description: 'One.', content: { 'application/json': { schema } } } } },
      },
    },
    components: { schemas: { Issue: { type: 'object', title: 'Issue', description: 'What is to be done.', ...part } } },
  });
  const more = { type: 'object', properties: { more: { type: 'string' } } };
  const { findings, notes } = await compareContracts(
    wrapped(reference('schemas', 'Issue'), {}),
    wrapped({ allOf: [reference('schemas', 'Issue'), more] }, { 'x-since': 4 }),
  );
  // Its title and description are not reported separately.
  expect([...findings, ...notes].map(({ rule }) => rule)).toEqual(['property-added', 'extension-changed']);
});

test('locates changed members next to a reference at the reference', async () => {
  const person = reference('schemas', 'Person');
  const documentWith = (siblings: object) => {
    const schema = {
      type: 'object',
      properties: { author: { ...person, ...siblings }, owner: { ...person, ...siblings }, reader: person },
    };
    const responses = { '200': { description: 'One.', content: { 'application/json': { schema } } } };
    return {
      openapi: '3.1.0',
      info: { title: 'Beside', version: '1.0.0' },
      paths: { '/task': { get: { responses } } },
      components: { schemas: { Person: { type: 'object', description: 'Somebody.' } } },
    };
  };
  const { findings, notes } = await compareContracts(
    documentWith({ 'x-since': '4' }),
    documentWith({ deprecated: true, 'x-since': '5' }),
  );
  const at = '/paths/~1task/get/responses/200/content/application~1json/schema/properties';
  expect([...findings, ...notes].map(summarize).sort()).toEqual([
    `deprecated ${at}/author/deprecated GET /task`,
    `deprecated ${at}/owner/deprecated GET /task`,
    `extension-changed ${at}/author/x-since GET /task`,
    `extension-changed ${at}/owner/x-since GET /task`,
  ]);
  expect(findings.map(({ message }) => message)).toEqual([
    'GET /task, response 200, application/json.author: is deprecated now',
    'GET /task, response 200, application/json.owner: is deprecated now',
  ]);
});

test.each([
  [['base'], ['base', 'other']],
  [['base', 'other'], ['base']],
])('locates a property in several parts of `allOf` at the changed part: %j to %j', async (old, now) => {
  const type = (values: string[]) => ({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1.0.0' },
    paths: Object.fromEntries(
      ['Special', 'Plain'].map((name) => [
        `/${name}`,
        {
          get: {
            responses: {
              200: { description: 'One.', content: { 'application/json': { schema: reference('schemas', name) } } },
            },
          },
        },
      ]),
    ),
    components: {
      schemas: {
        Base: { allOf: [{ type: 'object', properties: { kind: { type: 'string', maxLength: 9 } } }] },
        Special: { allOf: [reference('schemas', 'Base'), { properties: { kind: { type: 'string', enum: values } } }] },
        Plain: reference('schemas', 'Base'),
      },
    },
  });
  const { findings } = await compareContracts(type(old), type(now));
  const rule = old.length < now.length ? 'enum-value-added' : 'enum-value-removed';
  expect(findings.map(summarize)).toEqual([
    `${rule} /components/schemas/Special/allOf/1/properties/kind/enum GET /Special`,
  ]);
});
