// A receiver of webhooks for measurements: answers 204, and keeps for each request when its event happened and when it
// came. `GET /` tells and forgets them. Prints its address as the first line.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let delays_ms: number[] = [];
let first_ms = 0;
let last_ms = 0;

const server = createServer((req, res) => {
  if (req.method === 'GET') {
    res.end(JSON.stringify({ delays_ms, first_ms, last_ms }));
    delays_ms = [];
    first_ms = 0;
    return;
  }
  let body = '';
  req.setEncoding('latin1');
  req.on('data', (chunk) => (body += chunk));
  req.on('end', () => {
    last_ms = Date.now();
    first_ms ||= last_ms;
    const happened = /"event_type":"[^"]*","timestamp":"([^"]+)"/.exec(body)?.[1];
    delays_ms.push(last_ms - Date.parse(happened ?? ''));
    res.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
