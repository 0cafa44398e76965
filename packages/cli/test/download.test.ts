import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { download } from '../src/sheets/download.ts';
import { startServer, temporaryFolder } from './helpers.ts';

const content = Buffer.alloc(300_000, 'x');
const handlers: Record<string, RequestListener> = {
  '/whole': (_req, res) => res.writeHead(200, { 'Content-Length': content.length }).end(content),
  '/half': (_req, res) => {
    res.writeHead(200, { 'Content-Length': content.length });
    res.write(content.subarray(0, 100_000), () => res.destroy());
  },
  '/slow': (_req, res) => {
    res.writeHead(200, { 'Content-Length': content.length });
    res.write(content.subarray(0, 100_000)); // the rest never arrives
  },
};

let server: Awaited<ReturnType<typeof startServer>>;
let baseUrl: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer((req, res) => (handlers[req.url!] ?? ((_req, res) => res.writeHead(410).end()))(req, res));
  ({ base_url: baseUrl } = server);
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

const neverAborted = new AbortController().signal;

test('a file is there when it is whole, and tells how far it is', async () => {
  const file = join(folder.path, 'whole');
  const steps: [number, number | undefined][] = [];
  const onBytes = (bytes: number, total: number | undefined) => void steps.push([bytes, total]);
  expect(await download(`${baseUrl}/whole`, file, { signal: neverAborted, onBytes })).toBe(content.length);
  expect((await readFile(file)).equals(content)).toBe(true);
  expect(steps.at(-1)).toEqual([content.length, content.length]);
  expect(await readdir(folder.path)).toEqual(['whole']);
});

test.each([
  ['that breaks off', '/half', /^the file can't be fetched: /],
  ['that has expired', '/gone', /^the file request returned 410$/],
])('one %s leaves nothing, and what was there before', async (_name, path, message) => {
  const file = join(folder.path, 'before');
  await writeFile(file, 'before');
  await expect(download(baseUrl + path, file, { signal: neverAborted })).rejects.toThrow(message);
  expect(await readFile(file, 'utf8')).toBe('before');
  expect(await readdir(folder.path)).toEqual(['before', 'whole']);
});

test('one that is interrupted ends with the reason, and leaves nothing', async () => {
  const stop = new AbortController();
  const onBytes = () => stop.abort(new Error('enough'));
  const file = join(folder.path, 'slow');
  await expect(download(`${baseUrl}/slow`, file, { signal: stop.signal, onBytes })).rejects.toThrow('enough');
  expect(await readdir(folder.path)).toEqual(['before', 'whole']);
});
