// Converts Swagger 2.0 to OpenAPI 3.0, as far as a comparison needs it. Schemas stay under `definitions`; converted parts keep
// their source location.
import { CannotCompare } from '../../model/cannot-compare.ts';
import { follow, isList, isObject, type JsonObject, keysOf, texts } from '../../model/json.ts';
import { fieldSchema, formBody, formTypes, plainParameter } from './parameters.ts';
import { tidySchemas } from './schemas.ts';
import { securityScheme } from './security.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

type RecordOrigin = (converted: object, keys: readonly string[]) => void;

export const isSwagger = (root: JsonObject): boolean => root.openapi === undefined && String(root.swagger) === '2.0';

/**
 * Converts a Swagger 2.0 document in place.
 * @param displayName file name for error messages
 * @throws CannotCompare when a path, parameter, or response is in another file, which would need conversion as well
 */
export function fromSwagger(root: Record<string, unknown>, displayName: string, recordOrigin: RecordOrigin): void {
  tidySchemas(root);
  const converter = new Converter(root, displayName, recordOrigin);
  const paths = isObject(root.paths) ? Object.entries(root.paths) : [];
  root.paths = Object.fromEntries(paths.map(([path, item]) => [path, converter.pathItem(item, ['paths', path])]));
  const { host, basePath } = root;
  if (typeof host === 'string' || typeof basePath === 'string') root.servers = serversOf(root);
  const schemes = isObject(root.securityDefinitions) ? Object.entries(root.securityDefinitions) : [];
  root.components = {
    securitySchemes: Object.fromEntries(
      schemes.map(([name, scheme]) => {
        const converted = securityScheme(scheme);
        recordOrigin(converted, ['securityDefinitions', name]);
        return [name, converted];
      }),
    ),
  };
  for (const obsoleteKey of [
    ...['swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces'],
    ...['parameters', 'responses', 'securityDefinitions'],
  ])
    delete root[obsoleteKey];
  root.openapi = '3.0.3';
}

function serversOf({ host, basePath, schemes }: JsonObject): object[] {
  const path = typeof basePath === 'string' ? basePath.replace(/\/$/, '') : '';
  if (typeof host !== 'string') return [{ url: path || '/' }];
  const all = texts(schemes);
  return (all.length > 0 ? all : ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

interface Found {
  readonly value: JsonObject;
  readonly keys: readonly string[];
}

class Converter {
  readonly #root: JsonObject;
  readonly #displayName: string;
  readonly #recordOrigin: RecordOrigin;
  readonly #consumes: readonly string[];
  readonly #produces: readonly string[];

  constructor(root: JsonObject, displayName: string, recordOrigin: RecordOrigin) {
    // Copy the root, because conversion reads the original.
    this.#root = { ...root };
    this.#displayName = displayName;
    this.#recordOrigin = recordOrigin;
    this.#consumes = texts(root.consumes);
    this.#produces = texts(root.produces);
  }

  pathItem(written: unknown, keys: readonly string[]): unknown {
    if (!isObject(written)) return written;
    const { value: item, keys: at } = this.#follow(written, keys);
    const shared = this.#list(item.parameters, [...at, 'parameters']);
    const converted: Record<string, unknown> = { ...item };
    delete converted.parameters;
    for (const method of methods)
      if (isObject(item[method]))
        converted[method] = this.#operation(item[method] as JsonObject, shared, [...at, method]);
    return this.#withOrigin(converted, at);
  }

  #operation(operation: JsonObject, shared: readonly Found[], keys: readonly string[]): object {
    const { consumes, produces, schemes: _, parameters: __, responses, ...rest } = operation;
    const own = this.#list(operation.parameters, [...keys, 'parameters']);
    const isSame = (a: Found, b: Found) => a.value.name === b.value.name && a.value.in === b.value.in;
    const all = [...shared.filter((one) => !own.some((other) => isSame(one, other))), ...own];
    const types = isList(consumes) ? texts(consumes) : this.#consumes;
    const plain = all.filter(({ value }) => value.in !== 'body' && value.in !== 'formData');
    const body = this.#body(all, types);
    const converted = {
      ...rest,
      parameters: plain.map((one) => this.#parameter(one.value, one.keys)),
      ...(body && { requestBody: body }),
      responses: this.#responses(responses, isList(produces) ? texts(produces) : this.#produces, [
        ...keys,
        'responses',
      ]),
    };
    return this.#withOrigin(converted, keys);
  }

  #body(all: readonly Found[], types: readonly string[]): object | undefined {
    const body = all.find(({ value }) => value.in === 'body');
    if (body) {
      const { name: _, in: __, schema, required, ...rest } = body.value;
      if (isObject(schema)) this.#recordOrigin(schema, [...body.keys, 'schema']);
      return this.#withOrigin(
        { ...rest, required: required === true, content: contentOf(types, { schema }) },
        body.keys,
      );
    }
    const fields = all.filter(({ value }) => value.in === 'formData');
    if (fields.length === 0) return undefined;
    const schemas = fields.map(
      ({ value, keys }) => [String(value.name), this.#withOrigin(fieldSchema(value), keys)] as const,
    );
    const required = fields.filter(({ value }) => value.required === true).map(({ value }) => String(value.name));
    const file = fields.some(({ value }) => value.type === 'file');
    return this.#withOrigin(formBody(new Map(schemas), required, formTypes(types, file)), fields[0]!.keys);
  }

  /** A parameter or header; its schema keywords are in the parameter itself. */
  #parameter(written: JsonObject, keys: readonly string[]): object {
    const converted = plainParameter(written);
    this.#recordOrigin(converted.schema, keys);
    return this.#withOrigin(converted, keys);
  }

  #responses(responses: unknown, types: readonly string[], keys: readonly string[]): unknown {
    if (!isObject(responses)) return {};
    const converted = Object.entries(responses).map(([status, written]) => {
      if (!isObject(written) || status.startsWith('x-')) return [status, written];
      const { value, keys: at } = this.#follow(written, [...keys, status]);
      const { schema, headers, examples, ...rest } = value;
      if (isObject(schema)) this.#recordOrigin(schema, [...at, 'schema']);
      const content = schema === undefined ? undefined : contentOf(types, { schema }, examples);
      const named = isObject(headers) ? Object.entries(headers) : [];
      const convertedHeaders = Object.fromEntries(
        named.map(([name, header]) => [
          name,
          isObject(header) ? this.#parameter(header, [...at, 'headers', name]) : header,
        ]),
      );
      const all = { ...rest, ...(content && { content }), ...(named.length > 0 && { headers: convertedHeaders }) };
      return [status, this.#withOrigin(all, at)];
    });
    return this.#withOrigin(Object.fromEntries(converted), keys);
  }

  #list(written: unknown, keys: readonly string[]): Found[] {
    if (!isList(written)) return [];
    return written.flatMap((one, index) => (isObject(one) ? [this.#follow(one, [...keys, String(index)])] : []));
  }

  #follow(value: JsonObject, keys: readonly string[]): Found {
    const visited = new Set<unknown>();
    let found: Found = { value, keys };
    while (typeof found.value.$ref === 'string') {
      const reference = found.value.$ref;
      const target = reference.startsWith('#') ? follow(this.#root, reference) : undefined;
      if (!isObject(target) || visited.has(target))
        throw new CannotCompare(
          reference.startsWith('#')
            ? `${this.#displayName}: ${reference} leads nowhere.`
            : `${this.#displayName}: ${reference}: of Swagger 2.0, only schemas may stand in other files.`,
        );
      visited.add(target);
      found = { value: target, keys: keysOf(reference) };
    }
    return found;
  }

  #withOrigin<T extends object>(converted: T, keys: readonly string[]): T {
    this.#recordOrigin(converted, keys);
    return converted;
  }
}

/** The same schema for each media type; JSON by default. */
function contentOf(types: readonly string[], media: object, examples?: unknown): object {
  const all = types.length > 0 ? types : ['application/json'];
  const exampleOf = (type: string) =>
    isObject(examples) && Object.hasOwn(examples, type) ? { example: examples[type] } : {};
  return Object.fromEntries(all.map((type) => [type, { ...media, ...exampleOf(type) }]));
}
