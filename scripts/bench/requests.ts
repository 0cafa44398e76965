// What a measured request is, by operationId.
import { randomUUID } from 'node:crypto';
import type { Filled } from './fill.ts';

export interface MeasuredRequest {
  method: string;
  path: string;
  body?: object;
}

/** Lists are of the first pages, in turn. */
export const listed_pages = 20;

/** @returns a maker of requests, each of which counts on */
export function requestsOf(operationId: string, { ids }: Filled): (n: number) => MeasuredRequest {
  const id = (n: number) => ids[n % ids.length]!;
  const known: Record<string, (n: number) => MeasuredRequest> = {
    getAuthUser: () => get('/auth/user'),
    listPermissions: () => get('/v1/permissions'),
    getCollaborator: (n) => get(`/v1/collaborators/${id(n)}`),
    listCollaborators: (n) => get(`/v1/collaborators?page=${1 + (n % listed_pages)}&per_page=20`),
    getStatus: (n) => get(`/v1/collaborators/${id(n)}/status`),
    listHistory: (n) => get(`/v1/collaborators/${id(n)}/history`),
    listWebhooks: () => get('/v1/webhooks'),
    createCollaborator: () => ({ method: 'POST', path: '/v1/collaborators', body: newPerson() }),
    patchCollaborator: (n) => ({
      method: 'PATCH',
      path: `/v1/collaborators/${id(n)}`,
      body: { phone: `+351 ${Date.now() % 1e9}${n}` },
    }),
  };
  const found = known[operationId];
  if (!found) throw new Error(`OPERATION must be one of ${Object.keys(known).join(', ')}.`);
  return found;
}

function newPerson() {
  return {
    name: 'Marta Oliveira Lopes',
    email: `${randomUUID()}@example.com`,
    position: 'Route Planner',
    department: 'Field Operations',
    phone: '+351 21 234 5678',
    hire_date: '2026-03-02',
    location: 'Porto',
  };
}

function get(path: string): MeasuredRequest {
  return { method: 'GET', path };
}
