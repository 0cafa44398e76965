// Validates an exchange against the contract: the response, and the request if it succeeded.
import type { RecordedExchange } from '../../../test/helpers/contract/record-exchanges.ts';
import { type Check, createSchemas, type JsonObject, type Schemas } from './schemas.ts';

interface Operation extends JsonObject {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonObject }> };
  responses: Record<string, JsonObject>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: JsonObject;
}

interface Document {
  paths: Record<string, Record<string, JsonObject>>;
}

interface Route {
  pattern: RegExp;
  /** Number of path parameters; the match with the fewest wins. */
  parameters: number;
  names: string[];
  method: string;
  operation: Operation;
}

interface ExchangeValidator {
  /** @returns undefined if no operation matches */
  (exchange: RecordedExchange): Promise<{ operationId: string; errors: string[] } | undefined>;
  operationIds: string[];
}

export async function createExchangeValidator(document: Document): Promise<ExchangeValidator> {
  const schemas = await createSchemas(document as unknown as JsonObject);
  const routes = routesOf(document, schemas);
  const validator = async (exchange: RecordedExchange) => {
    const [path, query = ''] = exchange.url.split('?') as [string, string?];
    const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase();
    const route = routes.find((each) => each.method === method && each.pattern.test(path));
    if (!route) return undefined;
    const { operation } = route;
    const errors = await responseErrors(schemas, operation, exchange);
    if (exchange.status < 300) errors.push(...(await requestErrors(schemas, route, path, query, exchange)));
    return { operationId: operation.operationId, errors };
  };
  return Object.assign(validator, { operationIds: routes.map(({ operation }) => operation.operationId) });
}

function routesOf({ paths }: Document, schemas: Schemas): Route[] {
  const routes = Object.entries(paths).flatMap(([path, item]) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
    const shared = (item.parameters ?? []) as unknown as JsonObject[];
    return Object.entries(item).flatMap(([method, found]) => {
      if (!('operationId' in found)) return [];
      const own = (found.parameters ?? []) as JsonObject[];
      const parameters = [...shared, ...own].map((each) => schemas.resolve(each) as unknown as Parameter);
      const operation = { ...found, parameters } as unknown as Operation;
      return [{ pattern, parameters: names.length, names, method, operation }];
    });
  });
  return routes.sort((a, b) => a.parameters - b.parameters);
}

async function responseErrors(schemas: Schemas, operation: Operation, exchange: RecordedExchange): Promise<string[]> {
  const { status, headers, body } = exchange;
  const found = operation.responses[String(status)];
  // A 405 belongs to the path, not to an operation.
  if (!found) return status === 405 ? [] : ['the status is not declared'];
  const response = schemas.resolve(found);
  const declared = Object.entries((response.headers ?? {}) as Record<string, JsonObject>);
  const errors: string[] = [];
  for (const [name, reference] of declared) {
    const header = schemas.resolve(reference) as { required?: boolean; schema: JsonObject };
    const value = headers[name.toLowerCase()];
    if (value === undefined) {
      if (header.required) errors.push(`the header ${name} is missing`);
    } else
      errors.push(
        ...(await schemaErrors(schemas, `header ${name}`, header.schema, fromText(schemas, header.schema, value))),
      );
  }
  return [...errors, ...(await bodyErrors(schemas, response, exchange.method === 'HEAD' ? undefined : body, exchange))];
}

async function bodyErrors(
  schemas: Schemas,
  response: JsonObject,
  body: string | undefined,
  { method, headers }: RecordedExchange,
): Promise<string[]> {
  const content = response.content as Record<string, { schema: JsonObject }> | undefined;
  if (!content) return body === undefined ? [] : ['there is a body, and none is declared'];
  if (body === undefined) return method === 'HEAD' ? [] : ['there is no body, and one is declared'];
  const type = headers['content-type']?.split(';')[0] ?? '';
  const media = content[type];
  if (!media) return [`the media type ${type} is not declared`];
  return schemaErrors(schemas, 'body', media.schema, JSON.parse(body));
}

async function requestErrors(
  schemas: Schemas,
  { pattern, names, operation }: Route,
  path: string,
  query: string,
  { requestHeaders, request_body: requestBody }: RecordedExchange,
): Promise<string[]> {
  const values = pattern.exec(path)!.slice(1);
  const searchParams = new URLSearchParams(query);
  const errors: string[] = [];
  const known = operation.parameters ?? [];
  for (const parameter of known) {
    const { name, schema } = parameter;
    const text = {
      path: () => decodeURIComponent(values[names.indexOf(name)]!),
      query: () => searchParams.get(name) ?? undefined,
      header: () => requestHeaders[name.toLowerCase()],
    }[parameter.in]();
    if (text === undefined) {
      if (parameter.required) errors.push(`the ${parameter.in} parameter ${name} is missing, and it succeeded`);
    } else errors.push(...(await schemaErrors(schemas, `parameter ${name}`, schema, fromText(schemas, schema, text))));
  }
  for (const name of searchParams.keys()) {
    if (!known.some((each) => each.in === 'query' && each.name === name))
      errors.push(`the parameter ${name} is unknown`);
  }
  const media = operation.requestBody?.content['application/json'];
  if (media && requestBody !== undefined) {
    errors.push(...(await schemaErrors(schemas, 'request', media.schema, requestBody)));
  }
  return errors;
}

function fromText(schemas: Schemas, schema: JsonObject, text: string): unknown {
  const types = [schemas.resolve(schema).type].flat();
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

async function schemaErrors(schemas: Schemas, label: string, schema: JsonObject, value: unknown): Promise<string[]> {
  const check: Check = await schemas.check(schema);
  return check(value).map((error) => `${label}: ${error}`);
}
