/**
 * Converts the contract to OpenAPI 3.0, for tools without 3.1 support:
 *
 * | 3.1 | 3.0 |
 * |---|---|
 * | null as a type | `nullable: true` beside the `type`; ignored anywhere else |
 * | null as an alternative | the alternative `{ type: object, nullable: true, enum: [null] }` |
 * | several types | `anyOf` |
 * | `const` | `enum` with one value |
 * | `examples` of a schema | `example`, and all of them in `x-examples` if there are several |
 * | numeric `exclusiveMinimum`, `exclusiveMaximum` | `true` beside `minimum`, `maximum` |
 * | `contentEncoding: base64` | `format: byte` |
 * | `\u0000` in a pattern | the equivalent `\x00`, which PHP and Go support as well |
 * | `propertyNames` | `x-property-names`: the only rule that 3.0 can't express |
 * | `webhooks` | `x-webhooks` |
 * | `info.summary`, `license.identifier` | `x-summary`, `license.url` |
 */
import { isObject, type JsonObject } from '../lint/contract/types.ts';

/**
 * @param openapiJson the bundled 3.1 contract
 * @returns the 3.0.3 document as JSON
 * @throws when the contract uses a feature without a conversion
 */
export function renderOpenApi30(openapiJson: string): string {
  const { openapi: _version, info, webhooks, paths, components, ...rest } = JSON.parse(openapiJson) as Contract;
  const { summary, license, ...about } = info;
  const { identifier, ...terms } = license;
  const document = {
    openapi: '3.0.3',
    info: {
      ...about,
      'x-summary': summary,
      license: { ...terms, url: `https://spdx.org/licenses/${identifier}.html` },
    },
    ...rest,
    paths: pathItems(paths),
    'x-webhooks': pathItems(webhooks),
    components: Object.fromEntries(
      Object.entries(components).map(([group, members]) => [group, convert(group, members)]),
    ),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function convert(group: string, members: JsonObject): JsonObject {
  const converter = converters[group];
  if (!converter) throw new Error(`components.${group} can't be converted to OpenAPI 3.0 yet`);
  return each(members, converter);
}

const converters: Record<string, (member: JsonObject) => JsonObject> = {
  schemas: schema30,
  parameters: holder,
  headers: holder,
  responses: response,
  requestBodies: content,
  examples: (example) => example,
  securitySchemes: (scheme) => scheme,
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

function pathItems(items: JsonObject): JsonObject {
  return each(items, (item) => {
    const operations = Object.fromEntries(
      methods.filter((method) => method in item).map((method) => [method, operation(object(item[method]))]),
    );
    return { ...item, ...operations, ...parameters(item) };
  });
}

function operation(node: JsonObject): JsonObject {
  if ('callbacks' in node) throw new Error("callbacks can't be converted to OpenAPI 3.0 yet");
  return {
    ...node,
    ...parameters(node),
    ...(isObject(node.requestBody) && { requestBody: content(node.requestBody) }),
    responses: each(object(node.responses), response),
  };
}

function parameters(node: JsonObject): JsonObject {
  return Array.isArray(node.parameters) ? { parameters: node.parameters.map(holder) } : {};
}

function response(node: JsonObject): JsonObject {
  const { headers } = node;
  return { ...content(node), ...(isObject(headers) && { headers: each(headers, holder) }) };
}

function content(node: JsonObject): JsonObject {
  return isObject(node.content) ? { ...node, content: each(node.content, holder) } : node;
}

function holder(node: JsonObject): JsonObject {
  return { ...content(node), ...(isObject(node.schema) && { schema: schema30(node.schema) }) };
}

function schema30(schema: JsonObject): JsonObject {
  if ('$ref' in schema) return schema;
  const result: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) Object.assign(result, keyword30(keyword, value, schema));
  if (result.type === 'array') result.items ??= {};
  return result;
}

/** @returns the keywords that replace this one */
function keyword30(keyword: string, value: unknown, schema: JsonObject): JsonObject {
  if (keyword === 'pattern') return { pattern: String(value).replaceAll('\\u0000', '\\x00') };
  if (keyword.startsWith('x-') || same.has(keyword)) return { [keyword]: value };
  switch (keyword) {
    case 'type':
      return Array.isArray(value) ? oneOfTypes(value, schema) : { type: value };
    case 'const':
      return { enum: [value] };
    case 'examples': {
      const [first, ...more] = value as unknown[];
      return { example: first, ...(more.length > 0 && { 'x-examples': value }) };
    }
    case 'anyOf':
    case 'oneOf':
      return alternatives(keyword, value as JsonObject[]);
    case 'allOf':
      return { allOf: (value as JsonObject[]).map(schema30) };
    case 'items':
      return { items: schema30(object(value)) };
    case 'additionalProperties':
      return { additionalProperties: isObject(value) ? schema30(value) : value };
    case 'properties':
      return { properties: each(object(value), schema30) };
    case 'propertyNames':
      return { 'x-property-names': schema30(object(value)) };
    case 'exclusiveMinimum':
      return { minimum: value, exclusiveMinimum: true };
    case 'exclusiveMaximum':
      return { maximum: value, exclusiveMaximum: true };
    case 'contentEncoding':
      if (value === 'base64' && !('format' in schema)) return { format: 'byte' };
  }
  throw new Error(`the keyword ${keyword}: ${JSON.stringify(value)} can't be converted to OpenAPI 3.0 yet`);
}

const same = new Set(
  'title description required enum format default deprecated readOnly writeOnly multipleOf minimum maximum minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties'.split(
    ' ',
  ),
);

function oneOfTypes(types: unknown[], schema: JsonObject): JsonObject {
  const named = types.filter((type) => type !== 'null');
  const nullable = named.length < types.length && { nullable: true };
  if (named.length === 1) return { type: named[0], ...nullable };
  if ('anyOf' in schema) throw new Error("several types with anyOf can't be converted to OpenAPI 3.0 yet");
  return { anyOf: named.map((type) => ({ type, ...nullable, ...(type === 'array' && { items: {} }) })) };
}

function alternatives(keyword: 'anyOf' | 'oneOf', list: JsonObject[]): JsonObject {
  const isNull = (schema: JsonObject) => schema.type === 'null';
  return {
    [keyword]: [...list.filter((schema) => !isNull(schema)).map(schema30), ...list.filter(isNull).map(() => nullAlone)],
  };
}

/** Only null: `nullable` needs a `type`, and a non-nullable alternative rejects null by itself. */
const nullAlone: JsonObject = { type: 'object', nullable: true, enum: [null] };

function each(members: JsonObject, change: (member: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(object(member))]));
}

function object(value: unknown): JsonObject {
  if (!isObject(value)) throw new Error(`${JSON.stringify(value)} should be an object`);
  return value;
}

interface Contract {
  openapi: string;
  info: JsonObject & { license: JsonObject };
  paths: JsonObject;
  webhooks: JsonObject;
  components: Record<string, JsonObject>;
}
