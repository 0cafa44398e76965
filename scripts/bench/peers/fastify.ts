// Handwritten alternative: fastify with routes, validation, and serialization from our contract.
import { readFile } from 'node:fs/promises';
import addFormats from 'ajv-formats';
import { fastify } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { type Caller, callers } from './caller.ts';
import type { Query } from './lists.ts';
import { add, announce, change, getOne, listPage, pool } from './work.ts';

const callerOf = callers(pool);
const contract = JSON.parse(await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
// Only the benchmarked operations; the plugin doesn't support webhooks.
const paths = {
  '/v1/collaborators': contract.paths['/v1/collaborators'],
  '/v1/collaborators/{id}': contract.paths['/v1/collaborators/{id}'],
};
const { webhooks: _, ...specification } = { ...contract, paths };

const app = fastify({
  ajv: {
    customOptions: { strict: false, allErrors: true, multipleOfPrecision: 4 } as never,
    plugins: [addFormats as never],
  },
  genReqId: () => crypto.randomUUID(),
  requestIdHeader: 'x-request-id',
  logger: { level: 'info' },
});
const none = async () => {
  throw new Error('not measured');
};
type Request = {
  headers: Record<string, string>;
  params: { id: string };
  query: Query;
  body: Record<string, unknown>;
  caller: Caller;
};
const company = ({ headers }: Request) => headers['x-company-id'];
const found = <T>(one: T | undefined): T => {
  if (one === undefined) throw Object.assign(new Error('There is no such collaborator.'), { statusCode: 404 });
  return one;
};
const service: Record<string, unknown> = {
  getCollaborator: async (req: Request) => found(await getOne(company(req), req.caller, req.params.id)),
  listCollaborators: async (req: Request) => listPage(company(req), req.caller, req.query),
  patchCollaborator: async (req: Request) => found(await change(company(req), req.caller, req.params.id, req.body)),
  createCollaborator: async (req: Request, reply: { code(status: number): void }) => {
    reply.code(201);
    return add(company(req), req.caller, req.body);
  },
};
const operationResolver = (operationId: string) => service[operationId] ?? none;
const securityHandlers = {
  async oauth2(req: Request) {
    const caller = await callerOf(req.headers);
    if (!caller) throw new Error('unauthorized');
    req.caller = caller;
  },
};
app.decorateRequest('caller');
await app.register(openapiGlue as never, { specification, operationResolver, securityHandlers } as never);
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server);
