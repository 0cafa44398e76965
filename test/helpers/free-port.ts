import { type AddressInfo, createServer } from 'node:net';

/** A port of 127.0.0.1 that was free a moment ago, for a process that is to be started on the same one again. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
