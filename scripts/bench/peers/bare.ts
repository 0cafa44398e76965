// The least a service can do: node:http and pg with prepared statements; no token, no validation, no log.
import { createServer } from 'node:http';
import { add, announce, getOne, listPage } from './work.ts';

const server = createServer(async (req, res) => {
  const company_id = req.headers['x-company-id'];
  const [path = '', query] = req.url!.split('?');
  if (req.method === 'POST') {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    send(201, await add(company_id, JSON.parse(Buffer.concat(chunks).toString())));
  } else if (path === '/v1/collaborators') {
    const { page, per_page } = Object.fromEntries(new URLSearchParams(query));
    send(200, await listPage(company_id, Number(page), Number(per_page)));
  } else send(200, await getOne(company_id, path.slice(path.lastIndexOf('/') + 1)));

  function send(status: number, answer: unknown) {
    const body = JSON.stringify(answer);
    res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    res.end(body);
  }
});
server.listen(0, '127.0.0.1', () => announce(server));
