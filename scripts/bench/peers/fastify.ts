// What one would write by hand today: fastify with routes, validation and serialisation from our own contract.
import { readFile } from 'node:fs/promises';
import addFormats from 'ajv-formats';
import { fastify } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { add, announce, getOne, listPage, tokenCheck } from './work.ts';

const isGood = tokenCheck();
const contract = JSON.parse(await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
// The operations that are measured; the glue knows no webhooks.
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
type Request = { headers: Record<string, string>; params: { id: string }; query: Record<string, number>; body: object };
const service: Record<string, unknown> = {
  getCollaborator: async ({ headers, params }: Request) => getOne(headers['x-company-id'], params.id),
  listCollaborators: async ({ headers, query }: Request) =>
    listPage(headers['x-company-id'], query.page ?? 1, query.per_page ?? 20),
  createCollaborator: async ({ headers, body }: Request, reply: { code(status: number): void }) => {
    reply.code(201);
    return add(headers['x-company-id'], body as never);
  },
};
const operationResolver = (operationId: string) => service[operationId] ?? none;
const securityHandlers = {
  async oauth2({ headers }: Request) {
    if (!(await isGood(headers.authorization))) throw new Error('unauthorized');
  },
};
await app.register(openapiGlue as never, { specification, operationResolver, securityHandlers } as never);
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server);
