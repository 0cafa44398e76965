// Lower bound of a service: node:http and pg with prepared statements, without token verification, validation, or logging.
import { createServer } from 'node:http';
import { callers } from './caller.ts';
import { add, announce, change, getOne, listPage, pool } from './work.ts';

const callerOf = callers(pool, false);

const server = createServer(async (req, res) => {
  const companyId = req.headers['x-company-id'];
  const caller = (await callerOf(req.headers))!;
  const [path = '', query] = req.url!.split('?');
  const id = path.slice('/v1/collaborators/'.length);
  if (req.method === 'POST') send(201, await add(companyId, caller, await body()));
  else if (req.method === 'PATCH') send(200, await change(companyId, caller, id, await body()));
  else if (id) send(200, await getOne(companyId, caller, id));
  else send(200, await listPage(companyId, caller, Object.fromEntries(new URLSearchParams(query))));

  async function body() {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString());
  }

  function send(status: number, responseBody: unknown) {
    const found = responseBody !== undefined;
    const text = JSON.stringify(
      found ? responseBody : { error: 'not_found', message: 'There is no such collaborator.' },
    );
    res.writeHead(found ? status : 404, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    res.end(text);
  }
});
server.listen(0, '127.0.0.1', () => announce(server));
