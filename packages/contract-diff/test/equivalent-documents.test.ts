// Equivalent documents: no findings.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dump } from 'js-yaml';
import { follow, isObject } from '../src/model/json.ts';
import { compareContracts } from '../src/verdict/compare-contracts.ts';
import { freshDocument } from './cases/mutate.ts';
import { compareValues } from './compare-values.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-spelling-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

async function expectEqualFiles(base: string, revised: string): Promise<void> {
  const { findings, notes, ok } = await compareContracts(base, revised, {
    sources: { privateAddresses: true },
  });
  expect([...findings, ...notes]).toEqual([]);
  expect(ok).toBe(true);
}

describe('equivalent documents', () => {
  test('may have inlined references', async () => {
    const document = freshDocument();
    await expectEqual(document, { ...inline(document, document), components: document.components });
  });

  test('may have a different key order', async () => {
    await expectEqual(freshDocument(), reverseKeys(freshDocument()));
  });

  test('may be one JSON file or YAML with a file for each schema', async () => {
    const document = freshDocument();
    const whole = await write('split/whole.json', JSON.stringify(document));
    const { schemas } = document.components as { schemas: Record<string, unknown> };
    const toFiles = (text: string, folder: string) =>
      text.replaceAll(/#\/components\/schemas\/(\w+)/g, `${folder}$1.yaml`);
    for (const [name, schema] of Object.entries(schemas)) {
      await write(`split/schemas/${name}.yaml`, toFiles(dump(schema), './'));
      schemas[name] = { $ref: `./schemas/${name}.yaml` };
    }
    const split = await write('split/openapi.yaml', toFiles(dump(document), './schemas/'));
    await expectEqualFiles(whole, split);
    await expectEqualFiles(split, whole);
  });

  test('may come from git, a file, or a URL', async () => {
    const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    const here = process.cwd();
    await write(
      'repository/openapi.yaml',
      dump({ ...freshDocument(), paths: { '/ping': { $ref: './paths/ping.yaml' } } }),
    );
    await write('repository/paths/ping.yaml', dump({ get: { responses: { '204': { description: 'Yes.' } } } }));
    const repository = join(folder, 'repository');
    git('init', '-q', repository);
    git('-C', repository, 'add', '.');
    git('-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.test', 'commit', '-qm', 'one');
    const server = createServer(async (request, response) => {
      const file = join(repository, request.url ?? '');
      response.end(await readFile(file).catch(() => ''));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      process.chdir(repository);
      await expectEqualFiles('HEAD:openapi.yaml', 'openapi.yaml');
      await expectEqualFiles(`http://127.0.0.1:${port}/openapi.yaml`, 'HEAD:./openapi.yaml');
    } finally {
      process.chdir(here);
      server.close();
    }
  });
});

describe('equivalent schemas', () => {
  test('may use the keywords of OpenAPI 3.0 or 3.1', async () => {
    await expectEqual(
      asVersion('3.0.3', {
        type: 'object',
        properties: {
          a: { type: 'string', nullable: true },
          b: { type: 'integer', minimum: 0, exclusiveMinimum: true },
        },
      }),
      asVersion('3.1.0', {
        type: 'object',
        properties: { a: { type: ['string', 'null'] }, b: { type: 'integer', exclusiveMinimum: 0 } },
      }),
    );
    await expectEqual(
      asVersion('3.1.0', { anyOf: [{ type: 'string', description: 'A name.' }, { type: 'null' }] }),
      asVersion('3.1.0', { type: ['null', 'string'], description: 'A name.' }),
    );
  });

  test('may be recursive with different names', async () => {
    const tree = (name: string) => ({
      ...asVersion('3.1.0', { $ref: `#/components/schemas/${name}` }),
      components: {
        schemas: {
          [name]: {
            type: 'object',
            properties: { children: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } },
          },
        },
      },
    });
    await expectEqual(tree('Tree'), tree('Node'));
  });

  test('may be split into allOf', async () => {
    const part = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    const rest = { required: ['b'], properties: { b: { type: 'string' } } };
    await expectEqual(
      asVersion('3.1.0', { allOf: [part, rest] }),
      asVersion('3.1.0', {
        type: 'object',
        required: ['b', 'a'],
        properties: { ...rest.properties, ...part.properties },
      }),
    );
  });
});

async function expectEqual(base: unknown, revised: unknown): Promise<void> {
  expect((await compareValues(base, revised)).findings).toEqual([]);
  expect((await compareValues(revised, base)).findings).toEqual([]);
}

const asVersion = (openapi: string, schema: unknown) => ({
  openapi,
  info: { title: 'T', version: '1.0.0' },
  paths: {
    '/a': {
      post: {
        requestBody: { content: { 'application/json': { schema } } },
        responses: { '200': { description: 'Done.', content: { 'application/json': { schema } } } },
      },
    },
  },
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (!isObject(value)) return value;
  const reversed = Object.entries(value).reverse();
  return Object.fromEntries(reversed.map(([key, member]) => [key, reverseKeys(member)]));
}

/** Inlines all references except recursive ones. Discriminator targets stay names. */
function inline(root: unknown, value: unknown, open: readonly string[] = []): Record<string, unknown> {
  return inlined(value, open) as Record<string, unknown>;

  function inlined(node: unknown, within: readonly string[]): unknown {
    if (Array.isArray(node)) return node.map((item) => inlined(item, within));
    if (!isObject(node)) return node;
    if (typeof node.$ref === 'string') {
      if (within.includes(node.$ref)) return node;
      return inlined(follow(root, node.$ref), [...within, node.$ref]);
    }
    return Object.fromEntries(
      Object.entries(node).map(([key, item]) => [key, key === 'components' ? item : inlined(item, within)]),
    );
  }
}
