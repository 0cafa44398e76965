// Renders a random contract as an OpenAPI 3.1 document.
import type { Alternative, Field, Group, Model, Operation } from './model.ts';

type Components = Record<string, unknown>;

export function documentOf(model: Model): object {
  const schemas: Components = {
    Error: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
    ...Object.fromEntries(model.lists.map(({ name, values }) => [name, { type: 'string', enum: values }])),
  };
  const pathItems = (isWebhook: boolean) =>
    Object.fromEntries(
      model.operations
        .filter((one) => one.isWebhook === isWebhook)
        .map((one) => [isWebhook ? one.name : `/${one.name}`, { post: operationOf(model, one, schemas) }]),
    );
  return {
    openapi: '3.1.0',
    info: { title: 'Random', version: '1.0.0', 'x-webhook-payload-version': '1.0.0' },
    security: model.security.map(requirement),
    paths: pathItems(false),
    webhooks: pathItems(true),
    components: { schemas, securitySchemes: schemesOf(model) },
  };
}

function operationOf(model: Model, one: Operation, schemas: Components): object {
  const { owner, isWebhook, operationId, deprecated, security } = one;
  const fieldsOf = (place: Group['place']) =>
    model.groups.find((group) => group.place === place && group.owner === owner)?.fields ?? [];
  const json = (place: Group['place']) => ({
    content: { 'application/json': { schema: objectOf(model, fieldsOf(place), `${place}${owner}`, schemas) } },
  });
  return {
    ...(operationId !== undefined && { operationId }),
    ...(deprecated && { deprecated }),
    ...(security && { security: security.map(requirement) }),
    ...(!isWebhook && {
      parameters: fieldsOf('query').map((parameter) => ({
        name: parameter.name,
        in: 'query',
        required: parameter.required,
        schema: schemaOf(model, { ...parameter, nullable: false }, `query${owner}`, schemas),
      })),
    }),
    requestBody: { required: true, ...json(isWebhook ? 'webhook' : 'body') },
    responses: {
      ...(isWebhook ? { '200': { description: 'Thanks.' } } : { '200': { description: 'Made.', ...json('response') } }),
      ...Object.fromEntries(one.statuses.map((status) => [status, responseOf(status)])),
    },
  };
}

const responseOf = (status: string): object => ({
  description: 'An answer.',
  ...(status !== '204' && { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }),
});

function requirement(alternative: Alternative): object {
  const scopes: Record<string, string[]> = {};
  for (const credential of alternative) {
    const [scheme, scope] = credential.split(':') as [string, string | undefined];
    scopes[scheme] = [...(scopes[scheme] ?? []), ...(scope === undefined ? [] : [scope])];
  }
  return scopes;
}

const schemesOf = ({ schemes }: Model): object => ({
  ...Object.fromEntries(Object.entries(schemes).map(([key, name]) => [key, { type: 'apiKey', in: 'header', name }])),
  token: {
    type: 'oauth2',
    flows: {
      clientCredentials: { tokenUrl: 'https://login.example/token', scopes: { read: 'Read.', write: 'Write.' } },
    },
  },
});

function objectOf(model: Model, fields: readonly Field[], name: string, schemas: Components): object {
  const required = fields.filter((one) => one.required).map((one) => one.name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map((one) => [one.name, schemaOf(model, one, name, schemas)])),
  };
}

function schemaOf(model: Model, one: Field, group: string, schemas: Components): object {
  const plain = plainSchema(model, one);
  if (one.spelling === 1) {
    schemas[`${group}_${one.name}`] = plain;
    return { $ref: `#/components/schemas/${group}_${one.name}` };
  }
  if (one.spelling === 2) return { allOf: [plain] };
  return one.spelling === 3 && typeof plain.type === 'string' ? { ...plain, type: [plain.type] } : plain;
}

function plainSchema(model: Model, { type, limit, nullable }: Field): Readonly<Record<string, unknown>> {
  const typed = (name: string) => ({ type: nullable ? [name, 'null'] : name });
  if (type === 'string') return { ...typed('string'), maxLength: limit };
  if (type === 'integer') return { ...typed('integer'), maximum: limit };
  if (type === 'list') return { ...typed('array'), items: { type: 'boolean' }, maxItems: limit };
  if (type === 'named') {
    const list = { $ref: `#/components/schemas/${model.lists[limit % model.lists.length]!.name}` };
    return nullable ? { anyOf: [list, { type: 'null' }] } : list;
  }
  const values: unknown[] = Array.from({ length: limit }, (_, index) => `value ${index}`);
  return { enum: nullable ? [...values, null] : values, ...typed('string') };
}
