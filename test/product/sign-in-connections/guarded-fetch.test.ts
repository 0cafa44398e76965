/** Requests to identity providers: allowed destinations and response size. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuardedFetch } from '../../../src/product/sign-in-connections/guarded-fetch.ts';
import { AddressRefused } from '../../../src/product/webhooks/subscriptions/target.ts';

let server: Server;
let address: string;
let requests: string[];
beforeAll(async () => {
  server = createServer((req, res) => {
    requests.push(`${req.method} ${req.url}`);
    if (req.url === '/elsewhere') return res.writeHead(302, { location: `${address}/found` }).end();
    if (req.url === '/large') return res.end('x'.repeat(600 * 1024));
    let body = '';
    req.on('data', (chunk) => {
      body += chunk;
    });
    req.on('end', () => res.writeHead(201, { 'content-type': 'text/plain' }).end(`got ${body}`));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requests = [];
});
afterAll(() => new Promise((closed) => server.close(closed)));

test('works like fetch, but follows no redirects', async () => {
  const fetch = createGuardedFetch({ allow_private: true });
  const response = await fetch(`${address}/a?b=c`, { method: 'POST', body: new URLSearchParams({ code: 'é' }) });
  expect([response.status, await response.text()]).toEqual([201, 'got code=%C3%A9']);
  expect(response.headers.get('content-type')).toBe('text/plain');
  expect((await fetch(`${address}/elsewhere`, {})).status).toBe(302);
  expect(requests).toEqual(['POST /a?b=c', 'GET /elsewhere']);
});

test('limits the response size', async () => {
  await expect(createGuardedFetch({ allow_private: true })(`${address}/large`, {})).rejects.toThrow('too large');
});

test('rejects private networks by address or name, and plain HTTP', async () => {
  const fetch = createGuardedFetch({ allow_private: false });
  const { port } = new URL(address);
  const internal = [address, `https://127.0.0.1:${port}`, 'https://[::1]', 'https://localhost', 'https://10.1.2.3'];
  for (const url of [...internal, 'http://8.8.8.8']) await expect(fetch(url, {})).rejects.toThrow(AddressRefused);
  expect(requests).toEqual([]);
});
