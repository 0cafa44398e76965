/** Listens on a port. Errors name its settings, because a process has several ports. */
import { once } from 'node:events';
import type { Server } from 'node:net';
import { ConfigError } from '../config/config-error.ts';

interface Address {
  host: string;
  port: number;
}

/** @param names of the settings @throws ConfigError with the system's code if the port is taken or the address is unusable */
export async function listen(
  server: Server,
  { host, port }: Address,
  names: { host: string; port: string },
): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(new ConfigError(problemOf(error as NodeJS.ErrnoException, { host, port }, names)), { code });
  }
}

function problemOf(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: Address,
  names: { host: string; port: string },
) {
  if (code === 'EADDRINUSE') return `port ${port} is in use; set ${names.port} to another one`;
  if (code === 'EACCES') return `port ${port} needs more privileges; set ${names.port} to one above 1023`;
  return `invalid configuration: ${names.host} must be an address of this machine, not ${host}: ${message}`;
}
