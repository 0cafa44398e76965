import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceAddress } from '../../../packages/cli/src/account/address.ts';
import { checkoutContext } from '../../../src/api/cli/checkout-context.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'place-'));
});
afterAll(() => rm(folder, { recursive: true }));

const address = (environment: Record<string, string>, baseUrl?: string) =>
  serviceAddress(checkoutContext({ DATA_DIR: folder, ...environment }, '/checkout'), baseUrl ? { baseUrl } : {});

test('uses the given address in order of precedence, and never a default one', async () => {
  const all = { API_URL: 'https://a.example/', BASE_URL: 'https://b.example', PORT: '9000' };
  expect(await address(all, 'https://given.example/x/')).toBe('https://given.example/x');
  expect(await address(all)).toBe('https://a.example');
  expect(await address({ ...all, API_URL: '' })).toBe('https://b.example');
  expect(await address({ PORT: '9000' })).toBe('http://127.0.0.1:9000');
  for (const PORT of ['', '0']) await expect(address({ PORT })).rejects.toThrow('no service runs in this checkout');
});

test('falls back to the service running in this checkout', async () => {
  const service = { base_url: 'http://127.0.0.1:8099', pid: process.pid, key_id: 'x' };
  await writeFile(join(folder, 'service.json'), JSON.stringify(service));
  expect(await address({ PORT: '9000' })).toBe(service.base_url);
});

test('resolves relative names against the folder where npm ran, for the command line only', () => {
  const there = { INIT_CWD: '/somewhere' };
  expect(checkoutContext({ ...there, npm_lifecycle_event: 'cli' }, '/checkout').folder).toBe('/somewhere');
  expect(checkoutContext({ ...there, npm_lifecycle_event: 'test' }, '/checkout').folder).toBe('/checkout');
  expect(checkoutContext({}, '/checkout').folder).toBe('/checkout');
});
