// The servers to compare: the service as the image starts it, and peers that do the same work, with the same settings.
import { deployed, startServer } from './servers.ts';

export const service = 'this service';
const peers = {
  'node:http + pg': 'bare',
  'fastify + pg': 'fastify',
  'express-openapi-validator': 'express-validator',
};
/** Uses plain OFFSET pagination, as most people write it; all others paginate as the service does. */
const plainLists = 'fastify + pg, plain statement';

/** Whether a contestant differs from the others in this operation. */
export function isMeasured(name: string, operation: string): boolean {
  return name !== plainLists || operation === 'listCollaborators';
}

/** @returns base URL by name; the service comes first */
export async function startCandidates(url: string): Promise<Map<string, string>> {
  const image = deployed();
  const ISSUER = await startServer(['src/main.ts', 'api'], { DATABASE_URL: url, ...image });
  const all = new Map([[service, ISSUER]]);
  for (const [name, file] of Object.entries(peers)) {
    all.set(name, await startServer([`scripts/bench/peers/${file}.ts`], { DATABASE_URL: url, ISSUER, ...image }));
  }
  const plain = { DATABASE_URL: url, ISSUER, PLAIN_LISTS: 'true', ...image };
  all.set(plainLists, await startServer(['scripts/bench/peers/fastify.ts'], plain));
  return all;
}
