/** Test helpers of the package. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliContext, Environment } from '../src/terminal/context.ts';

export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'collaborator-cli-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export async function startServer(handler: RequestListener): Promise<{ base_url: string; close(): Promise<void> }> {
  const server = createServer(handler);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    base_url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** A place whose commands run in this folder and store their files in it. */
export function testContext(folder: string, environment: Environment = {}): CliContext {
  return {
    environment: { XDG_CONFIG_HOME: join(folder, 'config'), ...environment },
    program: 'collaborators',
    folder,
    defaultAddress: () => Promise.reject(new Error('no service is near')),
  };
}
