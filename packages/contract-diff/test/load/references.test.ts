// References: every way to refer to a schema resolves, so a change in it is found where it is used.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareContracts, type Result } from '../../src/verdict/compare-contracts.ts';

type Schemas = Readonly<Record<string, unknown>>;

/** A document whose only response has this schema. */
const answering = (schema: unknown, schemas: Schemas, rest: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1.0.0' },
  paths: {
    '/things': {
      get: { responses: { '200': { description: 'All.', content: { 'application/json': { schema } } } } },
    },
  },
  components: { schemas },
  ...rest,
});
const ref = ($ref: string) => ({ $ref });
const text = (maxLength: number) => ({ type: 'string', maxLength });
const node = (value: object) => ({ type: 'object', properties: { value } });

const levels = ({ findings }: Result) => findings.map(({ rule, level }) => `${rule} ${level}`);

/** Findings when a response limit is raised, and when it is lowered. */
async function bothWays(document: (length: number) => object): Promise<string[][]> {
  const [short, long] = [5, 8];
  return [
    levels(await compareContracts(document(short), document(long))),
    levels(await compareContracts(document(long), document(short))),
  ];
}
const raised = ['limit-loosened major'];
const lowered = ['limit-tightened minor'];

describe('a change behind a reference is found', () => {
  test.each<[string, (length: number) => object]>([
    [
      'a pointer that goes through another reference',
      (length) =>
        answering(ref('#/components/schemas/A/properties/b/properties/c'), {
          A: { type: 'object', properties: { b: ref('#/components/schemas/B') } },
          B: { type: 'object', properties: { c: text(length) } },
        }),
    ],
    [
      'a pointer through two references, one of them beside a description',
      (length) =>
        answering(ref('#/components/schemas/A/properties/b/properties/c'), {
          A: { type: 'object', properties: { b: { description: 'B.', ...ref('#/components/schemas/B') } } },
          B: ref('#/components/schemas/C'),
          C: { type: 'object', properties: { c: text(length) } },
        }),
    ],
    [
      'a pointer through a parameter by reference',
      (length) =>
        answering(
          ref('#/components/parameters/Q/schema/properties/c'),
          { S: { properties: { c: text(length) } } },
          {
            components: {
              parameters: {
                P: { name: 'p', in: 'query', schema: ref('#/components/schemas/S') },
                Q: ref('#/components/parameters/P'),
              },
              schemas: { S: { properties: { c: text(length) } } },
            },
          },
        ),
    ],
    ['an anchor', (length) => answering(ref('#name'), { A: { $defs: { n: { $anchor: 'name', ...text(length) } } } })],
    [
      'an anchor of a schema with an $id',
      (length) =>
        answering(ref('thing#name'), { A: { $id: 'thing', $defs: { n: { $anchor: 'name', ...text(length) } } } }),
    ],
    ['a relative $id', (length) => answering(ref('thing.json'), { A: { $id: 'thing.json', ...text(length) } })],
    [
      'an absolute $id',
      (length) =>
        answering(ref('https://schemas.example.test/thing'), {
          A: { $id: 'https://schemas.example.test/thing', ...text(length) },
        }),
    ],
    [
      'a pointer seen from an $id',
      (length) =>
        answering(ref('#/components/schemas/A'), {
          A: { $id: 'thing', ...ref('#/$defs/n'), $defs: { n: text(length) } },
        }),
    ],
    [
      'a pointer seen from the document, in a schema with an $id',
      (length) =>
        answering(ref('#/components/schemas/A'), {
          A: { $id: 'thing', properties: { b: ref('#/components/schemas/B') } },
          B: text(length),
        }),
    ],
    [
      'an $id relative to $self',
      (length) =>
        answering(
          ref('https://api.example.test/schemas/thing'),
          { A: { $id: 'schemas/thing', ...text(length) } },
          {
            openapi: '3.2.0',
            $self: 'https://api.example.test/openapi.json',
          },
        ),
    ],
    [
      'a dynamic reference to the schema itself',
      (length) =>
        answering(ref('#/components/schemas/Tree'), {
          Tree: {
            $dynamicAnchor: 'node',
            properties: { value: text(length), children: { type: 'array', items: { $dynamicRef: '#node' } } },
          },
        }),
    ],
    [
      'a dynamic reference to an anchor that nothing else leads to',
      (length) => answering({ $dynamicRef: '#node' }, { N: { $dynamicAnchor: 'node', ...node(text(length)) } }),
    ],
    [
      'a dynamic reference to a plain anchor',
      (length) => answering({ $dynamicRef: '#node' }, { N: { $anchor: 'node', ...node(text(length)) } }),
    ],
    [
      'a dynamic reference whose anchor stands twice in one place',
      (length) =>
        answering(
          { type: 'array', items: { $dynamicRef: '#node' } },
          {
            M: { $dynamicAnchor: 'node', type: 'integer' },
            N: { $dynamicAnchor: 'node', ...text(length) },
          },
        ),
    ],
  ])('%s', async (_, document) => {
    const [forth, back] = await bothWays(document);
    expect({ forth, back }).toEqual({ forth: raised, back: lowered });
  });
});

describe('a dynamic reference means the schema that is first on the way', () => {
  /** An open list, and two that define its items. */
  const lists = (items: { readonly a: object; readonly b: object }, used: string) =>
    answering(ref(`#/components/schemas/${used}`), {
      List: {
        $id: 'list',
        type: 'array',
        items: { $dynamicRef: '#item' },
        $defs: { item: { $dynamicAnchor: 'item', type: 'boolean' } },
      },
      A: { $id: 'list-of-a', $defs: { item: { $dynamicAnchor: 'item', ...items.a } }, ...ref('list') },
      B: { $id: 'list-of-b', $defs: { item: { $dynamicAnchor: 'item', ...items.b } }, ...ref('list') },
    });

  test.each([
    ['A', raised, lowered],
    ['B', [], []],
    ['List', [], []],
  ])('where %s is used', async (used, forth, back) => {
    expect(await bothWays((length) => lists({ a: text(length), b: text(3) }, used))).toEqual([forth, back]);
  });

  test('a schema that takes the place of another is found', async () => {
    const [text_, number] = [
      lists({ a: text(3), b: { type: 'integer' } }, 'A'),
      lists({ a: text(3), b: { type: 'integer' } }, 'B'),
    ];
    expect(levels(await compareContracts(text_, number))).toEqual(['type-changed major']);
    expect(levels(await compareContracts(number, text_))).toEqual(['type-changed major']);
  });

  test('a tree of another kind of node goes all the way down', async () => {
    const trees = (length: number, used: string) =>
      answering(ref(`#/components/schemas/${used}`), {
        Tree: {
          $id: 'tree',
          $dynamicAnchor: 'node',
          type: 'object',
          properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
        },
        Named: {
          $id: 'named',
          $dynamicAnchor: 'node',
          allOf: [ref('tree')],
          properties: { name: text(length) },
        },
      });
    const used = await compareContracts(trees(5, 'Named'), trees(8, 'Named'));
    expect(used.findings.map(({ rule, pointer, line }) => ({ rule, pointer, line: line > 1 }))).toEqual([
      { rule: 'limit-loosened', pointer: '/components/schemas/Named/properties/name/maxLength', line: true },
    ]);
    expect(levels(await compareContracts(trees(5, 'Tree'), trees(8, 'Tree')))).toEqual([]);
    const bare = await compareContracts(trees(5, 'Named'), trees(5, 'Tree'));
    expect(levels(bare)).toEqual(['property-removed major']);
  });
});

describe('in other files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contract-references-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('pointers go through references, and an $id is distinguished from a file', async () => {
    const write = async (name: string, length: number) => {
      const file = join(folder, `${name}.json`);
      const parts = {
        A: { properties: { b: ref('#/B'), c: ref('thing'), d: ref('more.json#inside') } },
        B: { properties: { c: text(length) } },
        T: { $id: 'thing', properties: { e: text(length) } },
      };
      await writeFile(join(folder, `${name}-parts.json`), JSON.stringify(parts));
      await writeFile(join(folder, 'more.json'), JSON.stringify({ $defs: { x: { $anchor: 'inside', ...text(3) } } }));
      const schema = {
        properties: { deep: ref(`${name}-parts.json#/A/properties/b/properties/c`), all: ref(`${name}-parts.json#/A`) },
      };
      await writeFile(file, JSON.stringify(answering(schema, {})));
      return file;
    };
    const [short, long] = [await write('short', 5), await write('long', 8)];
    const there = await compareContracts(short, long);
    expect(new Set(levels(there))).toEqual(new Set(raised));
    expect(there.findings.every(({ file }) => file.endsWith('long-parts.json'))).toBe(true);
    expect(new Set(levels(await compareContracts(long, short)))).toEqual(new Set(lowered));
  });
});
