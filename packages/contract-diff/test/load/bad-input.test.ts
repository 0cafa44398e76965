// Invalid input: the comparison fails, with a message for each problem.
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotCompare } from '../../src/model/cannot-compare.ts';
import { compareContracts } from '../../src/verdict/compare-contracts.ts';
import { freshDocument } from '../cases/mutate.ts';
import { compareValues } from '../compare-values.ts';

let folder: string;
const paths = { '/ping': { get: { responses: { '204': { description: 'Yes.' } } } } };
const info = { title: 'T', version: '1.0.0' };
const good = { openapi: '3.1.0', info, paths };
const withSchema = (schema: unknown, schemas: object = {}) =>
  JSON.stringify({
    ...good,
    components: { schemas },
    paths: { '/ping': { get: { responses: { '200': { content: { 'application/json': { schema } } } } } } },
  });

const files: readonly [name: string, content: string | Uint8Array, expectedMessage: RegExp][] = [
  ['empty.yaml', '', /empty\.yaml is empty\.$/],
  ['blank.json', ' \n\t\n', /blank\.json is empty\.$/],
  ['prose.yaml', 'Dear reader,\nthis is a letter.', /prose\.yaml is not an OpenAPI document\.$/],
  ['list.json', '[1, 2]', /list\.json is not an OpenAPI document\.$/],
  ['other.json', '{"name": "a-package"}', /other\.json:1: it has no `openapi` version\.$/],
  [
    'truncated.json',
    JSON.stringify(good, null, 2).slice(0, 90),
    /truncated\.json:\d+:\d+ is not JSON: it ends too early\.$/,
  ],
  ['comma.json', '{\n  "openapi": "3.1.0",,\n}', /comma\.json:2:22 is not JSON: /],
  ['tabs.yaml', 'openapi: 3.1.0\n\tinfo: 1', /tabs\.yaml:2:\d+ is neither YAML nor JSON: /],
  [
    'twice.yaml',
    'openapi: 3.1.0\nopenapi: 3.0.0\n',
    /twice\.yaml:2:\d+ is neither YAML nor JSON: duplicated mapping key/,
  ],
  [
    'image.json',
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xfe, 0x00]),
    /is not a text in UTF-8\.$/,
  ],
  ['zeros.yaml', new Uint8Array(64), /zeros\.yaml is a binary file, not a text\.$/],
  ['deep.json', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, /nested more than 1000 levels deep\.$/],
  ['deep.yaml', `${'- '.repeat(3_000)}1`, /deep\.yaml:1:\d+ is neither YAML nor JSON: .*nesting/],
  ['circle.yaml', 'openapi: 3.1.0\nx: &a\n  b: *a\n', /an alias stands within what it stands for\.$/],
  [
    'laughs.yaml',
    [
      'a: &a [1,1,1,1,1,1,1,1,1]',
      ...'bcdefghij'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(',')}]`),
    ].join('\n'),
    /its aliases stand for more than \d+ values\.$/,
  ],
  ['two.yaml', 'openapi: 3.1.0\n---\nopenapi: 3.1.0\n', /two\.yaml.* is neither YAML nor JSON: /],
  [
    'version.json',
    JSON.stringify({ ...good, openapi: '4.0.0' }),
    /version\.json:1: its OpenAPI version is "4\.0\.0"; 3\.0, 3\.1 and 3\.2 can be compared\.$/,
  ],
  [
    'info.json',
    JSON.stringify({ openapi: '3.1.0', info1: info, paths }),
    /info\.json:1: it has no `info`; --fail-on compares without versions\.$/,
  ],
  [
    'semver.json',
    JSON.stringify({ ...good, info: { title: 'T', version: 'v1' } }),
    /\/info\/version `info\.version` is "v1", which is not a semantic version/,
  ],
  [
    'nothing.json',
    JSON.stringify({ openapi: '3.1.0', info }),
    /it has none of `paths`, `webhooks` and `components`\.$/,
  ],
  ['shape.json', JSON.stringify({ ...good, paths: [1] }), /\/paths must be an object\.$/],
  [
    'parameter.json',
    JSON.stringify({ ...good, paths: { '/a': { get: { parameters: [{ in: 'query' }] } } } }),
    /a parameter needs `name` and `in`\.$/,
  ],
  [
    'nowhere.json',
    withSchema({ $ref: '#/components/schemas/Missing' }),
    /nowhere\.json:1: #\/components\/schemas\/Missing leads nowhere\.$/,
  ],
  ['missing.json', withSchema({ $ref: './not-there.yaml#/A' }), /missing\.json:1: there is no \.\/not-there\.yaml\.$/],
  [
    'elsewhere.json',
    withSchema({ $ref: 'https://example.test/a.json#/A' }),
    /elsewhere\.json:1: https:\/\/example\.test\/a\.json#\/A is a URL, and files can.t refer to URLs\. Download it to a file\.$/,
  ],
  ['folder.json', withSchema({ $ref: './a-folder' }), /a-folder is a folder\.$/],
  ['anchor.json', withSchema({ $ref: '#nobody' }), /anchor\.json:1: #nobody leads nowhere\.$/],
  ['dynamic.json', withSchema({ $dynamicRef: '#nobody' }), /dynamic\.json:1: #nobody leads nowhere\.$/],
  [
    'self.json',
    withSchema({ $ref: '#/components/schemas/A' }, { A: { $ref: '#/components/schemas/A' } }),
    /self\.json:1: #\/components\/schemas\/A leads back to itself\.$/,
  ],
  [
    'round.json',
    withSchema(
      { $ref: '#/components/schemas/A' },
      {
        A: { $ref: '#/components/schemas/B' },
        B: { $ref: '#/components/schemas/C' },
        C: { $ref: '#/components/schemas/A' },
      },
    ),
    /leads back to itself\.$/,
  ],
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract bad input '));
  await mkdir(join(folder, 'a-folder'));
  await writeFile(join(folder, 'good.json'), JSON.stringify(good));
  await Promise.all(files.map(([name, content]) => writeFile(join(folder, name), content)));
});
afterAll(() => rm(folder, { recursive: true }));

/** The reasons why a comparison fails. */
async function reasonsFor(base: string, revised: string, options: Parameters<typeof compareContracts>[2] = {}) {
  const result = await compareContracts(base, revised, options).catch((error: unknown) => error);
  expect(result).toBeInstanceOf(CannotCompare);
  return (result as CannotCompare).reasons;
}

test.each(files)('rejects %s with a one-line error', async (name, _, expectedMessage) => {
  const messages = await reasonsFor(join(folder, 'good.json'), join(folder, name));
  expect(messages).toEqual([expect.stringMatching(expectedMessage)]);
  expect(messages[0]).not.toContain('\n');
});

test('rejects a folder without releases, and suggests the document in it', async () => {
  await writeFile(join(folder, 'a-folder/openapi.yaml'), '');
  expect(await reasonsFor(join(folder, 'a-folder'), join(folder, 'good.json'))).toEqual([
    expect.stringMatching(/There is no release in .*a-folder yet.* Is .*openapi\.yaml meant\?$/),
  ]);
});

test('rejects a file above the size limit without reading it', async () => {
  const large = join(folder, 'large.json');
  await writeFile(large, '');
  // A sparse file takes no disk space, but reading this one exceeds the memory and the time limit of a test.
  await truncate(large, 1_000_000_000_000);
  expect(await reasonsFor(large, join(folder, 'good.json'))).toEqual([
    expect.stringMatching(/large\.json is larger than 100 MB \(1000000 MB\); --max-size allows more\.$/),
  ]);
  const splitFile = join(folder, 'to-large.json');
  await writeFile(splitFile, withSchema({ $ref: './large.json#/A' }));
  expect(await reasonsFor(splitFile, join(folder, 'good.json'))).toEqual([
    expect.stringMatching(/large\.json is larger than 100 MB \(1000000 MB\); --max-size allows more\.$/),
  ]);
});

test.each([
  ['policy', 'severities: {wire: grave}\n', /bad-policy\.yaml:1:\d+: /],
  ['exceptions', '- rule: property-removed\n  place: nowhere\n', /bad-exceptions\.yaml:2:\d+: /],
  ['policy', 'a: [1\n', /bad-policy\.yaml:\d+:\d+: /],
  ['exceptions', '{{{{', /bad-exceptions\.yaml:\d+:\d+: /],
] as const)('reports line and column of an error in the %s file: %j', async (kind, text, expectedMessage) => {
  const file = join(folder, `bad-${kind}.yaml`);
  await writeFile(file, text);
  const messages = await reasonsFor(join(folder, 'good.json'), join(folder, 'good.json'), { [kind]: file });
  expect(messages).toEqual([expect.stringMatching(expectedMessage)]);
});

test('reports the errors of both documents', async () => {
  expect(await reasonsFor(join(folder, 'empty.yaml'), join(folder, 'list.json'))).toHaveLength(2);
});

describe('comparison of values', () => {
  const expectRejection = async (edit: (document: Record<string, unknown>) => void, reason: string) => {
    const document = freshDocument();
    edit(document);
    await expect(compareValues(freshDocument(), document)).rejects.toThrow(new RegExp(reason));
    await expect(compareValues(document, freshDocument())).rejects.toThrow(new RegExp(reason));
  };
  const infoOf = (document: Record<string, unknown>) => document.info as Record<string, unknown>;

  test.each([
    ['no `info`', (document: Record<string, unknown>) => delete document.info, 'info'],
    [
      '`info` under another name',
      (document: Record<string, unknown>) => {
        document.info1 = document.info;
        delete document.info;
      },
      'no `info`',
    ],
    ['no version', (document: Record<string, unknown>) => delete infoOf(document).version, 'info.version'],
    [
      'a numeric version',
      (document: Record<string, unknown>) => Object.assign(infoOf(document), { version: 1 }),
      'semantic version',
    ],
    [
      'a two-part version',
      (document: Record<string, unknown>) => Object.assign(infoOf(document), { version: '1.4' }),
      'semantic version',
    ],
    [
      'an unsupported OpenAPI version',
      (document: Record<string, unknown>) => Object.assign(document, { openapi: '4.0.0' }),
      '4.0.0',
    ],
    [
      'an unsupported Swagger version',
      (document: Record<string, unknown>) => Object.assign(document, { openapi: undefined, swagger: '1.2' }),
      'Swagger version is "1.2"',
    ],
    [
      'a broken reference',
      (document: Record<string, unknown>) =>
        Object.assign(document, {
          paths: { '/a': { get: { responses: { '200': { $ref: '#/components/responses/Nothing' } } } } },
        }),
      'leads nowhere',
    ],
  ])('fails for a document with %s', async (_, edit, reason) => {
    await expectRejection(edit, reason);
  });
});

test('prints small size limits', async () => {
  const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1.0.0' }, paths: {} });
  const folder = await mkdtemp(join(tmpdir(), 'contract-size-'));
  const file = join(folder, 'small.json');
  try {
    await writeFile(file, document);
    await expect(compareContracts(file, file, { sources: { maxBytes: 20 } })).rejects.toThrow(
      /small\.json is larger than 0\.00002 MB \(0\.00007 MB\); --max-size allows more\.$/,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
