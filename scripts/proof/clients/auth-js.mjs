// A site with Auth.js, configured as docs/guides/authentication.md describes.
import { createServer } from 'node:http';
import { Auth } from '@auth/core';

const [port, issuer, clientId, clientSecret] = process.argv.slice(2);
const config = {
  trustHost: true,
  secret: 'of this site alone',
  basePath: '/auth',
  providers: [{ id: 'ours', name: 'Ours', type: 'oidc', issuer, clientId, clientSecret }],
};

createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = req.method === 'POST' ? Buffer.concat(chunks) : undefined;
  const url = `http://127.0.0.1:${port}${req.url}`;
  const response = await Auth(new Request(url, { method: req.method, headers: req.headers, body }), config);
  res.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'set-cookie': response.headers.getSetCookie(),
  });
  res.end(await response.text());
}).listen(Number(port), '127.0.0.1');
