// Webhook receiver for benchmarks. `/ok/…` returns 204 at once, `/hang/…` never responds. Records each request to `/ok` with its
// arrival time, the event's marker, and the event time, if the body has it. `GET /count` returns the number of records, `GET
// /take` returns and clears them. Prints its base URL as the first line.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let arrivals: [marker: number, atMs: number, happenedMs: number][] = [];

const server = createServer((req, res) => {
  if (req.method === 'GET') {
    res.end(JSON.stringify(req.url === '/take' ? arrivals : arrivals.length));
    if (req.url === '/take') arrivals = [];
    return;
  }
  if (req.url!.startsWith('/hang')) {
    req.resume();
    return;
  }
  let body = '';
  req.setEncoding('latin1');
  req.on('data', (chunk) => (body += chunk));
  req.on('end', () => {
    const happened = /"event_type":"[^"]*","timestamp":"([^"]+)"/.exec(body)?.[1];
    const atMs = performance.timeOrigin + performance.now();
    arrivals.push([Number(/Bench (\d+)/.exec(body)?.[1]), atMs, Date.parse(happened ?? '')]);
    res.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
