// One more hop on the way to a Postgres: takes connections, and passes on what comes, both ways. A process of its own, so that
// the one that measures does not do its work. Given a port, it prints its own.
import { type AddressInfo, connect, createServer } from 'node:net';
import { exit } from '../../../../src/platform/process/exit.ts';

const port = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (here) => {
  const there = connect({ port, host: '127.0.0.1', noDelay: true });
  here.pipe(there).pipe(here);
  for (const socket of [here, there]) socket.on('error', () => {}); // who is at the other end notices by itself
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => exit(0)); // whoever started it has ended
