// A TCP proxy in front of a Postgres port, which stands for the hop to a worker. A separate process, so that it doesn't use the
// benchmark's CPU time. Takes a port, and prints its own.
import { type AddressInfo, connect, createServer } from 'node:net';
import { exit } from '../../../../src/platform/process/exit.ts';

const port = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (client) => {
  const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
  client.pipe(upstream).pipe(client);
  for (const socket of [client, upstream]) socket.on('error', () => {}); // the other end notices by itself
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => exit(0)); // the parent process has ended
