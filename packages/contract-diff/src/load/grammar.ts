// Grammar of OpenAPI documents: the members of each kind of object, which distinguishes references from examples that look like
// one. Covers 3.0 to 3.2, because later additions do not conflict with earlier versions.

/** Kinds of objects, named as in the OpenAPI specification. */
export type Kind =
  | 'root'
  | 'info'
  | 'contact'
  | 'license'
  | 'server'
  | 'serverVariable'
  | 'paths'
  | 'pathItem'
  | 'operation'
  | 'externalDocs'
  | 'parameter'
  | 'requestBody'
  | 'mediaType'
  | 'encoding'
  | 'responses'
  | 'response'
  | 'callback'
  | 'example'
  | 'link'
  | 'header'
  | 'tag'
  | 'components'
  | 'requirement'
  | 'securityScheme'
  | 'flows'
  | 'flow'
  | 'schema';

/** Content of a member: a plain value, an object, or a map or list of objects. */
export type Content =
  | 'any'
  | 'string'
  | 'boolean'
  | 'strings'
  | 'stringMap'
  | { readonly one: Kind }
  | { readonly map: Kind }
  | { readonly list: Kind };

interface Shape {
  readonly members: Readonly<Record<string, Content>>;
  readonly required?: readonly string[];
  /** Freely named members, with the expected name pattern. */
  readonly others?: { readonly names: RegExp; readonly content: Content; readonly description: string };
  /** The `components` section for such objects; they may be written as a `$ref`. */
  readonly section?: string;
}

const one = (kind: Kind): Content => ({ one: kind });
const map = (kind: Kind): Content => ({ map: kind });
const list = (kind: Kind): Content => ({ list: kind });
const each = (names: readonly string[], content: Content) => Object.fromEntries(names.map((name) => [name, content]));

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

const described = { description: 'string' } as const;
const exampled = { example: 'any', examples: map('example') } as const;
const serialized = {
  ...described,
  ...exampled,
  ...each(['required', 'deprecated', 'allowEmptyValue', 'explode', 'allowReserved'], 'boolean'),
  style: 'string',
  schema: one('schema'),
  content: map('mediaType'),
} as const;

const flowNames = ['implicit', 'password', 'clientCredentials', 'authorizationCode', 'deviceAuthorization'] as const;

const nestedEncoding = {
  encoding: map('encoding'),
  prefixEncoding: list('encoding'),
  itemEncoding: one('encoding'),
} as const;

export const grammar: Readonly<Record<Kind, Shape>> = {
  root: {
    required: ['openapi', 'info'],
    members: {
      openapi: 'string',
      $self: 'string',
      jsonSchemaDialect: 'string',
      info: one('info'),
      servers: list('server'),
      paths: one('paths'),
      webhooks: map('pathItem'),
      // Used by tools for webhooks before OpenAPI 3.1.
      'x-webhooks': map('pathItem'),
      components: one('components'),
      // Schemas of Swagger 2.0, which stay here.
      definitions: map('schema'),
      security: list('requirement'),
      tags: list('tag'),
      externalDocs: one('externalDocs'),
    },
  },
  info: {
    required: ['title', 'version'],
    members: {
      ...each(['title', 'summary', 'description', 'termsOfService'], 'string'),
      version: 'any', // checked by lint.ts, with better messages
      contact: one('contact'),
      license: one('license'),
    },
  },
  contact: { members: each(['name', 'url', 'email'], 'string') },
  license: { required: ['name'], members: each(['name', 'identifier', 'url'], 'string') },
  server: {
    required: ['url'],
    members: { ...described, ...each(['url', 'name'], 'string'), variables: map('serverVariable') },
  },
  serverVariable: { required: ['default'], members: { ...described, default: 'string', enum: 'strings' } },
  paths: {
    members: {},
    others: { names: /^\//, content: one('pathItem'), description: 'a path, which begins with "/"' },
  },
  pathItem: {
    section: 'pathItems',
    members: {
      ...described,
      summary: 'string',
      servers: list('server'),
      parameters: list('parameter'),
      ...each(methods, one('operation')),
      additionalOperations: map('operation'),
    },
  },
  operation: {
    members: {
      ...described,
      summary: 'string',
      operationId: 'string',
      tags: 'strings',
      externalDocs: one('externalDocs'),
      parameters: list('parameter'),
      requestBody: one('requestBody'),
      responses: one('responses'),
      callbacks: map('callback'),
      deprecated: 'boolean',
      security: list('requirement'),
      servers: list('server'),
    },
  },
  externalDocs: { required: ['url'], members: { ...described, url: 'string' } },
  parameter: { section: 'parameters', members: { ...serialized, name: 'string', in: 'string' } },
  requestBody: {
    section: 'requestBodies',
    required: ['content'],
    members: { ...described, content: map('mediaType'), required: 'boolean' },
  },
  mediaType: {
    section: 'mediaTypes',
    members: { ...exampled, ...described, schema: one('schema'), itemSchema: one('schema'), ...nestedEncoding },
  },
  encoding: {
    members: {
      ...nestedEncoding,
      contentType: 'string',
      headers: map('header'),
      style: 'string',
      explode: 'boolean',
      allowReserved: 'boolean',
    },
  },
  responses: {
    members: {},
    others: {
      names: /^([1-5](\d\d|XX)|default)$/,
      content: one('response'),
      description: 'a status, such as 200, 4XX or default',
    },
  },
  response: {
    section: 'responses',
    members: { ...described, summary: 'string', headers: map('header'), content: map('mediaType'), links: map('link') },
  },
  callback: {
    section: 'callbacks',
    members: {},
    others: { names: /./, content: one('pathItem'), description: 'an address' },
  },
  example: {
    section: 'examples',
    members: {
      ...described,
      ...each(['summary', 'externalValue', 'serializedValue'], 'string'),
      ...each(['value', 'dataValue'], 'any'),
    },
  },
  link: {
    section: 'links',
    members: {
      ...described,
      operationRef: 'string',
      operationId: 'string',
      parameters: 'any',
      requestBody: 'any',
      server: one('server'),
    },
  },
  header: { section: 'headers', members: serialized },
  tag: {
    required: ['name'],
    members: {
      ...described,
      ...each(['name', 'summary', 'parent', 'kind'], 'string'),
      externalDocs: one('externalDocs'),
    },
  },
  components: {
    members: {
      schemas: map('schema'),
      responses: map('response'),
      parameters: map('parameter'),
      examples: map('example'),
      requestBodies: map('requestBody'),
      headers: map('header'),
      securitySchemes: map('securityScheme'),
      links: map('link'),
      callbacks: map('callback'),
      pathItems: map('pathItem'),
      mediaTypes: map('mediaType'),
    },
  },
  requirement: { members: {}, others: { names: /./, content: 'strings', description: 'a security scheme' } },
  securityScheme: {
    section: 'securitySchemes',
    required: ['type'],
    members: {
      ...described,
      ...each(['type', 'name', 'in', 'scheme', 'bearerFormat', 'openIdConnectUrl', 'oauth2MetadataUrl'], 'string'),
      deprecated: 'boolean',
      flows: one('flows'),
    },
  },
  flows: { members: each(flowNames, one('flow')) },
  flow: {
    required: ['scopes'],
    members: {
      ...each(['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl'], 'string'),
      scopes: 'stringMap',
    },
  },
  schema: {
    section: 'schemas',
    // Keywords that contain schemas. All others are plain values.
    members: {
      ...each(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'], map('schema')),
      ...each(['allOf', 'anyOf', 'oneOf', 'prefixItems'], list('schema')),
      ...each(
        [
          ...['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'],
          ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
        ],
        one('schema'),
      ),
    },
  },
};

/** Content of a member; undefined if the grammar does not know it. */
export function contentOf(kind: Kind, name: string): Content | undefined {
  const { members, others } = grammar[kind];
  if (Object.hasOwn(members, name)) return members[name];
  return others !== undefined && !name.startsWith('x-') ? others.content : undefined;
}

/** Objects within a member, with their kind and path. */
export function* objectsIn(
  content: Content | undefined,
  value: unknown,
): Generator<[path: string[], kind: Kind, value: unknown]> {
  if (typeof content !== 'object' || typeof value !== 'object' || value === null) return;
  // Tuples in drafts 4 to 7 are an array of `items`.
  if ('one' in content && (content.one !== 'schema' || !Array.isArray(value))) yield [[], content.one, value];
  else
    for (const [key, item] of Object.entries(value)) {
      // A schema may be a boolean.
      if (typeof item !== 'object' || item === null) continue;
      const kind = 'one' in content ? content.one : 'map' in content ? content.map : content.list;
      yield [[key], kind, item];
    }
}
