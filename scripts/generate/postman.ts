/**
 * Converts the contract to a Postman collection (format 2.1): a folder per tag, a request per operation with sample bodies, and a
 * first folder with a tested walkthrough. Authorization is set on the collection. Ids are omitted to keep the output
 * reproducible.
 */
import { isObject, type JsonObject } from '../lint/contract/types.ts';
import { firstSteps, type PostmanItem, scope } from './postman-first-steps.ts';

const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Variables for the user; those with a value work for a local service. */
const variables = {
  base_url: 'http://127.0.0.1:8080',
  client_id: '',
  client_secret: '',
  company_id: '',
};

/** @param openapiJson the bundled contract */
export function renderPostmanCollection(openapiJson: string): string {
  const contract = JSON.parse(openapiJson) as Contract;
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [request(contract, path, item, method)] : [])),
  );
  const folders = contract.tags.map(({ name, description }) => ({
    name,
    description,
    item: operations.filter(({ tag }) => tag === name).map(({ item }) => item),
  }));
  const collection = {
    info: { name: contract.info.title, description: about, schema: format },
    auth: signingIn,
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: [firstSteps, ...folders.filter(({ item }) => item.length > 0)],
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

const about = `Every operation of the API. Fill in the variables of this collection, open its tab "Authorization", choose "Get New
Access Token", and run the folder "Start here". The guide at \`/docs/guides/postman\` explains each step.`;

/** OAuth 2.0 with PKCE; public clients leave the secret empty. */
const signingIn = {
  type: 'oauth2',
  oauth2: Object.entries({
    tokenName: 'Collaborators',
    grant_type: 'authorization_code_with_pkce',
    challengeAlgorithm: 'S256',
    authUrl: '{{base_url}}/oauth/authorize',
    accessTokenUrl: '{{base_url}}/oauth/token',
    refreshTokenUrl: '{{base_url}}/oauth/token',
    redirect_uri: 'https://oauth.pstmn.io/v1/callback',
    useBrowser: true,
    clientId: '{{client_id}}',
    clientSecret: '{{client_secret}}',
    client_authentication: 'body',
    scope,
    state: '{{$randomUUID}}',
    addTokenTo: 'header',
    headerPrefix: 'Bearer',
  }).map(([key, value]) => ({ key, value, type: typeof value })),
};

interface Contract {
  info: { title: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, JsonObject>;
  components: Record<string, Record<string, JsonObject>>;
}

function request(
  contract: Contract,
  path: string,
  item: JsonObject,
  method: string,
): { tag: string; item: PostmanItem } {
  const operation = item[method] as JsonObject & { tags: string[]; operationId: string; summary: string };
  const allParameters = [item.parameters, operation.parameters].flatMap((list) => (list ?? []) as JsonObject[]);
  const parameters = allParameters.map((parameter) => resolve(contract, parameter)) as unknown as Parameter[];
  const described = ({ name, description = '' }: Parameter) => ({ key: name, description: description.trim() });
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({ ...described(parameter), value: sample(contract, parameter), disabled: true }));
  const variable = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => ({ ...described(parameter), value: sample(contract, parameter) }));
  const header = parameters
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => ({ ...described(parameter), ...headerValue(contract, parameter) }));
  const body = bodyOf(contract, operation.requestBody as JsonObject | undefined);
  if (body?.mode === 'raw') header.push({ key: 'Content-Type', description: '', value: body.type });
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const raw = `{{base_url}}/${segments}`;
  return {
    tag: operation.tags[0]!,
    item: {
      name: operation.summary,
      request: {
        method: method.toUpperCase(),
        url: { raw, host: ['{{base_url}}'], path: segments.split('/'), query, variable },
        header,
        ...(body && { body: body.postman }),
        ...(isPublic(contract, operation) && { auth: { type: 'noauth' } }),
        description: String(operation.description ?? '').trim(),
      },
    },
  };
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  schema: JsonObject;
  example?: unknown;
  examples?: Record<string, JsonObject>;
}

/** The company is a variable. Optional headers are included but disabled. */
function headerValue(contract: Contract, parameter: Parameter): { value: string; disabled?: true } {
  if (parameter.name === 'X-Company-Id') return { value: '{{company_id}}' };
  const value = parameter.name === 'Idempotency-Key' ? '{{$randomUUID}}' : sample(contract, parameter);
  return parameter.required ? { value } : { value, disabled: true };
}

function sample(contract: Contract, { example, examples, schema }: Parameter): string {
  const [first] = Object.values(examples ?? {}).map((one) => resolve(contract, one).value);
  const ofSchema = resolve(contract, schema);
  const found = example ?? first ?? (ofSchema.examples as unknown[] | undefined)?.[0] ?? ofSchema.default ?? '';
  return String(found);
}

/** Sample JSON bodies, most complete first; otherwise the fields of a form. */
function bodyOf(contract: Contract, body: JsonObject | undefined) {
  if (!body) return undefined;
  const content = resolve(contract, body).content as Record<string, JsonObject>;
  const [type, media] = Object.entries(content).find(([name]) => /json/.test(name)) ?? Object.entries(content)[0]!;
  if (!/json/.test(type)) return { mode: 'form', type, postman: form(contract, media.schema as JsonObject) } as const;
  const examples = Object.values((media.examples ?? {}) as Record<string, JsonObject>);
  const value = resolve(contract, examples[0] ?? {}).value ?? {};
  const postman = { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } };
  return { mode: 'raw', type, postman } as const;
}

function form(contract: Contract, schema: JsonObject) {
  const { properties } = resolve(contract, schema) as { properties: Record<string, JsonObject> };
  const formdata = Object.entries(properties).map(([key, property]) => {
    const field = resolve(contract, property);
    if (field.format === 'binary' || field.contentMediaType) return { key, type: 'file', src: [] };
    const value = String(
      (field.examples as unknown[] | undefined)?.[0] ?? (field.enum as unknown[] | undefined)?.[0] ?? '',
    );
    return { key, type: 'text', value };
  });
  return { mode: 'formdata', formdata };
}

function isPublic({ security }: Contract & { security?: unknown[] }, operation: JsonObject): boolean {
  const needed = (operation.security ?? security) as unknown[] | undefined;
  return needed !== undefined && needed.length === 0;
}

function resolve({ components }: Contract, node: JsonObject): JsonObject {
  if (typeof node.$ref !== 'string') return node;
  const [, , group, name] = node.$ref.split('/');
  const found = components[group!]?.[name!];
  if (!isObject(found)) throw new Error(`${node.$ref} is not in the contract`);
  return found;
}
