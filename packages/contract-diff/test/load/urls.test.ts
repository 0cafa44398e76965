// Documents at URLs: redirects, limits, and private addresses. Uses a local server.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accept } from '../../src/accept-command.ts';
import { isPrivate } from '../../src/load/sources/private-addresses.ts';
import { CannotCompare } from '../../src/model/cannot-compare.ts';
import { compareContracts, type Options } from '../../src/verdict/compare-contracts.ts';
import { printed } from '../printed.ts';

const document = { openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: {} };
const split = {
  ...document,
  paths: { '/a': { get: { responses: { '200': { $ref: 'parts/answer.json' } } } } },
};
const handlers: Record<string, RequestListener> = {
  '/good.json': (_, response) => response.end(JSON.stringify(document)),
  '/split.json': (_, response) => response.end(JSON.stringify(split)),
  '/parts/answer.json': (_, response) => response.end('{"description": "Yes."}'),
  '/moved': (_, response) => response.writeHead(302, { location: '/good.json' }).end(),
  '/round': (_, response) => response.writeHead(307, { location: '/round' }).end(),
  '/file': (_, response) => response.writeHead(302, { location: 'file:///etc/hostname' }).end(),
  '/tls': ({ headers }, response) => response.writeHead(302, { location: `https://${headers.host}/good.json` }).end(),
  '/odd': (_, response) => response.writeHead(302, { location: 'http://[' }).end(),
  '/broken': (_, response) => response.writeHead(500).end('no'),
  '/silent': () => {},
  '/cut': (_, response) => response.writeHead(200, { 'content-length': '1000' }).write('{', () => response.destroy()),
  // Writes without end, as fast as the client reads.
  '/endless': (_, response) => {
    const writeMore = (): void => {
      while (response.write(' '.repeat(65_536)));
    };
    response.on('drain', writeMore);
    writeMore();
  },
};

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const handler = handlers[request.url ?? ''];
    if (handler) handler(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const compare = (path: string, sources: Options['sources'] = {}) =>
  compareContracts(path.startsWith('http') ? path : origin + path, document, {
    sources: { privateAddresses: true, ...sources },
  }).then(
    ({ ok }) => (ok ? 'compared' : 'differs'),
    (error: unknown) => {
      if (error instanceof CannotCompare) return error.reasons.join('\n');
      throw error;
    },
  );

test('reads a document, follows a redirect, and resolves a relative reference', async () => {
  expect(await compare('/good.json')).toBe('compared');
  expect(await compare('/moved')).toBe('compared');
  expect(await compare('/split.json')).toBe('differs');
});

test.each([
  ['/absent', /^There is no http:.*\/absent\.$/],
  ['/broken', /\/broken responds with status 500\.$/],
  ['/round', /\/round redirects more than 5 times\.$/],
  ['/file', /\/file redirects to file:, which is not followed\.$/],
  ['/odd', /\/odd redirects to no address\.$/],
  ['/cut', /\/cut does not respond: /],
  ['/tls', /^https:\S+\/good\.json does not respond: .*SSL routines.*[^:]\.$/],
  ['http://127.0.0.1:1/', /does not respond: .*ECONNREFUSED/],
  ['http://[', /is not an address\.$/],
])('reports in one line why it fails to read %s', async (path, expectedMessage) => {
  const message = await compare(path);
  expect(message).toMatch(expectedMessage);
  expect(message).not.toMatch(/[\n\r]/);
});

test('enforces the size limit and the timeout', async () => {
  expect(await compare('/endless', { maxBytes: 200_000 })).toMatch(
    /^http:\S+\/endless is larger than 0\.2 MB; --max-size allows more\.$/,
  );
  expect(await compare('/silent', { timeoutMs: 50 })).toMatch(/^http:\S+\/silent does not respond within 0\.05 s\.$/);
});

test('omits the password of a URL from errors', async () => {
  expect(await compare(origin.replace('//', '//me:secret@').concat('/broken'))).not.toContain('secret');
});

test('rejects loopback and private addresses unless they are allowed', async () => {
  const rejection = /is an address of this machine or of a private network; --allow-private-addresses asks it\.$/;
  const port = new URL(origin).port;
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '10.1.2.3',
    '169.254.169.254',
  ])
    expect(await compare(`http://${host}:${port}/good.json`, { privateAddresses: false })).toMatch(rejection);
});

test('`accept` applies the same limits to URLs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contract-addresses-'));
  const base = join(folder, 'base.json');
  await writeFile(base, JSON.stringify({ ...document, paths: { '/a': { get: { responses: {} } } } }));
  const exceptions = join(folder, 'exceptions.yaml');
  const runAccept = (path: string, ...args: string[]) =>
    printed(() =>
      accept([base, origin + path, '--exceptions', exceptions, '--reason', 'agreed', '--at-most', 'none', ...args]),
    );
  const rejectionWith = (reason: string) => ({ code: 2, output: expect.stringContaining(reason) });
  const local = '--allow-private-addresses';
  try {
    expect(await runAccept('/good.json')).toEqual(rejectionWith('of a private network'));
    expect(await runAccept('/good.json', local, '--max-size', '0.00001')).toEqual(rejectionWith('larger than'));
    expect(await runAccept('/silent', local, '--timeout', '0.05')).toEqual(rejectionWith('does not respond'));
    expect(await runAccept('/good.json', '--timeout', '0')).toEqual(rejectionWith('a number above 0'));
    expect(existsSync(exceptions)).toBe(false);
    expect(await runAccept('/good.json', local, '--timeout', '60', '--max-size', '1')).toMatchObject({ code: 0 });
    expect(await readFile(exceptions, 'utf8')).toContain('rule: operation-removed');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ...[
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.255.0.1',
    '169.254.1.1',
    '172.31.0.1',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
  ],
  ...['::', '::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', 'fc00::1', 'fd12::1', 'fe80::1', 'ff02::1', '2002:7f00:1::'],
])('classifies %s as private', (address) => {
  expect(isPrivate(address)).toBe(true);
});

test.each(['1.1.1.1', '172.32.0.1', '192.167.255.255', '2606:4700::1111', 'example.test'])(
  'classifies %s as not private',
  (address) => {
    expect(isPrivate(address)).toBe(false);
  },
);
