// References: every kind resolves, so a change in the target is found.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareContracts, type Result } from '../../src/verdict/compare-contracts.ts';

type Schemas = Readonly<Record<string, unknown>>;

/** A document whose only response has this schema. */
const respondingWith = (schema: unknown, schemas: Schemas, rest: object = {}) => ({
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

/** Findings if a response limit is raised, and if it is lowered. */
async function bothWays(document: (length: number) => object): Promise<string[][]> {
  const [short, long] = [5, 8];
  return [
    levels(await compareContracts(document(short), document(long))),
    levels(await compareContracts(document(long), document(short))),
  ];
}
const raised = ['limit-loosened major'];
const lowered = ['limit-tightened minor'];

describe('change behind a reference', () => {
  test.each<[string, (length: number) => object]>([
    [
      'a pointer across another reference',
      (length) =>
        respondingWith(ref('#/components/schemas/A/properties/b/properties/c'), {
          A: { type: 'object', properties: { b: ref('#/components/schemas/B') } },
          B: { type: 'object', properties: { c: text(length) } },
        }),
    ],
    [
      'a pointer across two references, one with a description',
      (length) =>
        respondingWith(ref('#/components/schemas/A/properties/b/properties/c'), {
          A: { type: 'object', properties: { b: { description: 'B.', ...ref('#/components/schemas/B') } } },
          B: ref('#/components/schemas/C'),
          C: { type: 'object', properties: { c: text(length) } },
        }),
    ],
    [
      'a pointer across a referenced parameter',
      (length) =>
        respondingWith(
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
    [
      'an anchor',
      (length) => respondingWith(ref('#name'), { A: { $defs: { n: { $anchor: 'name', ...text(length) } } } }),
    ],
    [
      'an anchor in a schema with an $id',
      (length) =>
        respondingWith(ref('thing#name'), { A: { $id: 'thing', $defs: { n: { $anchor: 'name', ...text(length) } } } }),
    ],
    ['a relative $id', (length) => respondingWith(ref('thing.json'), { A: { $id: 'thing.json', ...text(length) } })],
    [
      'an absolute $id',
      (length) =>
        respondingWith(ref('https://schemas.example.test/thing'), {
          A: { $id: 'https://schemas.example.test/thing', ...text(length) },
        }),
    ],
    [
      'a pointer relative to an $id',
      (length) =>
        respondingWith(ref('#/components/schemas/A'), {
          A: { $id: 'thing', ...ref('#/$defs/n'), $defs: { n: text(length) } },
        }),
    ],
    [
      'a pointer relative to the document, in a schema with an $id',
      (length) =>
        respondingWith(ref('#/components/schemas/A'), {
          A: { $id: 'thing', properties: { b: ref('#/components/schemas/B') } },
          B: text(length),
        }),
    ],
    [
      'an $id relative to $self',
      (length) =>
        respondingWith(
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
        respondingWith(ref('#/components/schemas/Tree'), {
          Tree: {
            $dynamicAnchor: 'node',
            properties: { value: text(length), children: { type: 'array', items: { $dynamicRef: '#node' } } },
          },
        }),
    ],
    [
      'a dynamic reference to an otherwise unused anchor',
      (length) => respondingWith({ $dynamicRef: '#node' }, { N: { $dynamicAnchor: 'node', ...node(text(length)) } }),
    ],
    [
      'a dynamic reference to a plain anchor',
      (length) => respondingWith({ $dynamicRef: '#node' }, { N: { $anchor: 'node', ...node(text(length)) } }),
    ],
    [
      'a dynamic reference with two matching anchors',
      (length) =>
        respondingWith(
          { type: 'array', items: { $dynamicRef: '#node' } },
          {
            M: { $dynamicAnchor: 'node', type: 'integer' },
            N: { $dynamicAnchor: 'node', ...text(length) },
          },
        ),
    ],
  ])('is found behind %s', async (_, document) => {
    const [forward, backward] = await bothWays(document);
    expect({ forward, backward }).toEqual({ forward: raised, backward: lowered });
  });
});

describe('dynamic reference', () => {
  /** An open list, and two that define its items. */
  const lists = (items: { readonly a: object; readonly b: object }, used: string) =>
    respondingWith(ref(`#/components/schemas/${used}`), {
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
  ])('resolves to the outermost anchor if %s is used', async (used, forward, backward) => {
    expect(await bothWays((length) => lists({ a: text(length), b: text(3) }, used))).toEqual([forward, backward]);
  });

  test('detects a different target', async () => {
    const [ofStrings, ofIntegers] = [
      lists({ a: text(3), b: { type: 'integer' } }, 'A'),
      lists({ a: text(3), b: { type: 'integer' } }, 'B'),
    ];
    expect(levels(await compareContracts(ofStrings, ofIntegers))).toEqual(['type-changed major']);
    expect(levels(await compareContracts(ofIntegers, ofStrings))).toEqual(['type-changed major']);
  });

  test('resolves to the extending schema in a recursive tree', async () => {
    const trees = (length: number, used: string) =>
      respondingWith(ref(`#/components/schemas/${used}`), {
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

describe('reference to another file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contract-references-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('resolves a pointer across references, and distinguishes an $id from a file', async () => {
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
      await writeFile(file, JSON.stringify(respondingWith(schema, {})));
      return file;
    };
    const [short, long] = [await write('short', 5), await write('long', 8)];
    const result = await compareContracts(short, long);
    expect(new Set(levels(result))).toEqual(new Set(raised));
    expect(result.findings.every(({ file }) => file.endsWith('long-parts.json'))).toBe(true);
    expect(new Set(levels(await compareContracts(long, short)))).toEqual(new Set(lowered));
  });
});
