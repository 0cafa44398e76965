// Multiple documents that are compared as one API.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compareContracts, type Options } from '../../src/verdict/compare-contracts.ts';
import { builtCommand } from '../command/built-command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-several-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Document = Record<string, unknown>;

const response = (schema: unknown) => ({
  responses: { 200: { description: 'Good.', content: { 'application/json': { schema } } } },
});
const thing = { $ref: '#/components/schemas/Thing' };
const document = (path: string, more: Document = {}, schema: unknown = { type: 'string', maxLength: 5 }): Document => ({
  openapi: '3.1.0',
  info: { title: path, version: '1.0.0' },
  paths: { [path]: { get: response(thing) } },
  components: { schemas: { Thing: schema } },
  ...more,
});

async function write(side: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(files)) {
    await mkdir(dirname(join(folder, side, name)), { recursive: true });
    await writeFile(join(folder, side, name), JSON.stringify(value, null, 2));
  }
}

async function compareFiles(base: object, revised: object, options: Options = {}) {
  for (const side of ['a', 'b']) await rm(join(folder, side), { recursive: true, force: true });
  await Promise.all([write('a', base as never), write('b', revised as never)]);
  return compareContracts(join(folder, 'a/**/*.json'), join(folder, 'b/**/*.json'), options);
}
const rulesOf = ({ findings }: { findings: readonly { rule: string }[] }) => findings.map(({ rule }) => rule);

test('ignores the move of an operation to another document', async () => {
  const [shop, stock] = [document('/shop'), document('/stock', {}, { type: 'integer' })];
  const moved = { ...shop, paths: { ...(shop.paths as object), '/stock': { get: response({ type: 'integer' }) } } };
  expect(rulesOf(await compareFiles({ 'shop.json': shop, 'deep/stock.json': stock }, { 'all.json': moved }))).toEqual(
    [],
  );
  expect(rulesOf(await compareFiles({ 'shop.json': shop, 'deep/stock.json': stock }, { 'shop.json': shop }))).toEqual([
    'operation-removed',
  ]);
});

test('keeps schemas with the same name apart, and locates findings in the source', async () => {
  const shop = document('/shop');
  const before = { 'shop.json': shop, 'stock.json': document('/stock', {}, { type: 'integer' }) };
  const after = { 'shop.json': shop, 'stock.json': document('/stock', {}, { type: 'string' }) };
  const { findings } = await compareFiles(before, after);
  const written = JSON.stringify(after['stock.json'], null, 2).split('\n');
  expect(findings).toEqual([
    expect.objectContaining({
      rule: 'type-changed',
      level: 'major',
      file: expect.stringMatching(/b\/stock\.json$/),
      line: written.lastIndexOf('        "type": "string"') + 1,
      operations: ['GET /stock'],
      pointer: '/components/schemas/stock:Thing/type',
    }),
  ]);
});

test('applies inherited servers and security only to operations of the same document', async () => {
  const key = (header: string) => ({
    security: [{ key: [] }],
    components: {
      schemas: { Thing: { type: 'string' } },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: header } },
    },
  });
  const [one, other] = [{ url: 'https://one.test' }, { url: 'https://other.test' }];
  const before = {
    'shop.json': document('/shop', { servers: [one], ...key('X-Shop') }),
    'stock.json': document('/stock', { servers: [other], ...key('X-Stock') }),
    'open.json': document('/open', { servers: [one] }, { type: 'string' }),
  };
  expect(rulesOf(await compareFiles(before, before))).toEqual([]);
  const closed = { ...before, 'open.json': document('/open', { servers: [one], ...key('X-Shop') }) };
  const tightened = (await compareFiles(before, closed)).findings.filter(({ level }) => level === 'major');
  expect(tightened).toEqual([expect.objectContaining({ rule: 'security-tightened', operations: ['GET /open'] })]);
  const renamed = { ...before, 'stock.json': document('/stock', { servers: [other], ...key('X-Other') }) };
  expect(rulesOf(await compareFiles(before, renamed))).toEqual(['security-scheme-changed']);
  const moved = { ...before, 'stock.json': document('/stock', { servers: [one], ...key('X-Stock') }) };
  expect((await compareFiles(before, moved)).findings).toEqual([
    expect.objectContaining({ rule: 'server-changed', level: 'major', message: expect.stringContaining('GET /stock') }),
  ]);
  const all = {
    ...document('/shop', { servers: [one], ...key('X-Shop') }),
    paths: { '/shop': { get: response(thing) } },
  };
  const [stock, open] = [before['stock.json'], before['open.json']];
  const split = { 'shop.json': all, 'stock.json': { ...stock, servers: [one] } };
  expect(rulesOf(await compareFiles({ 'shop.json': all }, split))).toEqual(['operation-added']);
  expect(
    rulesOf(await compareFiles({ 'shop.json': all }, { 'shop.json': all, 'stock.json': stock, 'open.json': open })),
  ).toEqual(['operation-added', 'operation-added']);
});

test('merges security schemes that differ only in scopes', async () => {
  const oauth = (scope: string) => {
    const flow = { tokenUrl: 'https://id.test/token', scopes: { [scope]: `To ${scope}.` } };
    return {
      security: [{ oauth: [scope] }],
      components: {
        schemas: { Thing: { type: 'string' } },
        securitySchemes: { oauth: { type: 'oauth2', flows: { clientCredentials: flow } } },
      },
    };
  };
  const both = { 'shop.json': document('/shop', oauth('shop')), 'stock.json': document('/stock', oauth('stock')) };
  expect(rulesOf(await compareFiles(both, both))).toEqual([]);
  expect(rulesOf(await compareFiles({ 'stock.json': both['stock.json'] }, both)).sort()).toEqual([
    'operation-added',
    'scope-added',
  ]);
});

test('keeps schema names that are discriminator values', async () => {
  const pets = (path: string, kind: string) => ({
    ...document(path),
    components: {
      schemas: {
        Thing: { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: 'kind' } },
        Cat: { type: 'object', required: ['kind'], properties: { kind: { type: kind } } },
      },
    },
  });
  const both = { 'a.json': pets('/a', 'string'), 'b.json': pets('/b', 'string') };
  const single = await compareFiles({ 'a.json': both['a.json'] }, both);
  expect(rulesOf(single)).toEqual(['operation-added']);
  expect(rulesOf(await compareFiles(both, { 'a.json': both['a.json'], 'b.json': pets('/b', 'integer') }))).toEqual([
    'type-changed',
  ]);
});

test('merges the methods of a path from two documents, and rejects conflicting operations', async () => {
  const parameter = { name: 'q', in: 'query', required: true, schema: { type: 'string' } };
  const reading = { ...document('/shop'), paths: { '/shop': { get: response(thing), parameters: [parameter] } } };
  const writing = { ...document('/shop'), paths: { '/shop': { put: response(thing) } } };
  const both = { 'read.json': reading, 'write.json': writing };
  expect(rulesOf(await compareFiles(both, both))).toEqual([]);
  const without = { ...both, 'read.json': { ...reading, paths: { '/shop': { get: response(thing) } } } };
  expect((await compareFiles(without, both)).findings).toEqual([
    expect.objectContaining({ rule: 'required-parameter-added', operations: ['GET /shop'] }),
  ]);
  const other = { ...reading, paths: { '/shop': { get: response(thing) } } };
  const differing = compareFiles({ 'read.json': reading, 'again.json': other }, both);
  await expect(differing).rejects.toThrow(/GET \/shop is another one in .*again\.json than in .*read\.json\./);
});

test('merges equal operations, and rejects them if their servers differ', async () => {
  // Each document has its own, equal `Thing`.
  const health = { '/health': { get: response(thing) } };
  const service = (path: string, servers: object[]) => {
    const own = document(path, { servers });
    return { ...own, paths: { ...(own.paths as object), ...health } };
  };
  const [one, other] = [[{ url: 'https://one.test' }], [{ url: 'https://other.test' }]];
  const both = { 'shop.json': service('/shop', one), 'stock.json': service('/stock', one) };
  expect(rulesOf(await compareFiles({ 'shop.json': both['shop.json'] }, both))).toEqual(['operation-added']);
  const apart = compareFiles(both, { ...both, 'stock.json': service('/stock', other) });
  await expect(apart).rejects.toThrow(/GET \/health is another one in .*shop\.json than in .*stock\.json\./);
});

test('supports Swagger 2.0, webhooks, and a list of files', async () => {
  const swagger = {
    swagger: '2.0',
    info: { title: 'Old', version: '1.0.0' },
    paths: {
      '/old': {
        get: {
          produces: ['application/json'],
          responses: { 200: { description: 'Good.', schema: { $ref: '#/definitions/Thing' } } },
        },
      },
    },
    definitions: { Thing: { type: 'string' } },
  };
  const hooks = (name: string) => ({
    openapi: '3.0.3',
    info: { title: name, version: '1.0.0', 'x-webhook-payload-version': '1.0.0' },
    paths: {},
    'x-webhooks': { [name]: { post: { responses: { 200: { description: 'Taken.' } } } } },
  });
  await write('a', { 'old.json': swagger, 'one.json': hooks('one'), 'other.json': hooks('other') });
  await write('b', { 'old.json': swagger, 'one.json': hooks('one') });
  const side = (name: string, files: string[]) => files.map((file) => join(folder, name, file));
  const result = await compareContracts(
    side('a', ['old.json', 'one.json', 'other.json']),
    side('b', ['old.json', 'one.json']),
  );
  expect(rulesOf(result)).toEqual(['webhook-removed']);
});

test('rejects different API versions without --fail-on, mixed schema dialects, and a glob without matches', async () => {
  const other = document('/stock', { info: { title: 'Stock', version: '2.0.0' } });
  const both = { 'shop.json': document('/shop'), 'stock.json': other };
  await expect(compareFiles(both, both)).rejects.toThrow(/1\.0\.0, 2\.0\.0.*--fail-on/);
  expect(await compareFiles(both, both, { failOn: 'major' })).toMatchObject({ ok: true, findings: [] });
  const mixed = { ...both, 'stock.json': { ...other, openapi: '3.0.3' } };
  await expect(compareFiles(both, mixed, { failOn: 'major' })).rejects.toThrow(/is OpenAPI 3\.1\.0, and .* is 3\.0\.3/);
  await expect(compareContracts(join(folder, 'a/*.yaml'), join(folder, 'b/*.json'))).rejects.toThrow(
    /No file matches .*\*\.yaml/,
  );
});

test('supports globs of files, of a git revision, and of staged files on the command line', async () => {
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], { cwd: folder });
  git('init', '-q');
  await write('services', { 'shop.json': document('/shop'), 'stock/v1.json': document('/stock') });
  git('add', '.');
  git('commit', '-qm', 'one');
  await write('services', { 'stock/v1.json': document('/stock', {}, { type: 'integer' }) });
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand(), ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };
  const broken = { status: 1, output: expect.stringMatching(/\(services\/stock\/v1\.json:\d+\)/) };
  expect(run('HEAD:services/**/*.json', 'services/**/*.json')).toEqual(broken);
  expect(run('HEAD:services/**/*.json', ':services/**/*.json')).toMatchObject({ status: 0 });
  git('add', '.');
  expect(run('HEAD:services/**/*.json', ':./services/**/*.json')).toMatchObject({ status: 1 });
  expect(run('HEAD:other/*.json', 'services/*.json')).toEqual({
    status: 2,
    output: expect.stringContaining('No file matches HEAD:other/*.json.'),
  });
});
