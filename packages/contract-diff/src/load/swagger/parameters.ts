// Converts parameters of Swagger 2.0, which have schema keywords beside the name instead of in a schema.
import { isObject, type JsonObject } from '../../model/json.ts';

/** Keywords about the parameter rather than its value. */
const parameterKeys = new Set([
  'name',
  'in',
  'description',
  'required',
  'allowEmptyValue',
  'collectionFormat',
  'deprecated',
]);

export function plainParameter(parameter: JsonObject): { readonly schema: object } {
  const own = Object.entries(parameter).filter(([key]) => parameterKeys.has(key) || key.startsWith('x-'));
  const { collectionFormat, ...rest } = Object.fromEntries(own);
  return {
    ...rest,
    ...(parameter.type === 'array' && serializationOf(collectionFormat, parameter.in)),
    schema: schemaOf(parameter),
  };
}

/** Serialization of array elements; default: comma-separated. */
function serializationOf(format: unknown, location: unknown): object {
  if (format === 'multi') return { style: 'form', explode: true };
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false };
  if (format === 'pipes') return { style: 'pipeDelimited', explode: false };
  return location === 'query' ? { style: 'form', explode: false } : {};
}

/** Media types of a form. @param consumes media types of the operation */
export function formTypes(consumes: readonly string[], holdsFile: boolean): string[] {
  const known = consumes.filter((type) => /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(type));
  return known.length > 0 ? known : [holdsFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
}

export function formBody(
  fields: ReadonlyMap<string, object>,
  required: readonly string[],
  types: readonly string[],
): object {
  const properties = Object.fromEntries(fields);
  const schema = { type: 'object', ...(required.length > 0 && { required }), properties };
  return { required: required.length > 0, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

export const fieldSchema = (field: JsonObject): object => ({
  ...schemaOf(field),
  ...(typeof field.description === 'string' && { description: field.description }),
});

function schemaOf(parameter: JsonObject): object {
  const own = Object.entries(parameter).filter(([key]) => !parameterKeys.has(key) && !key.startsWith('x-'));
  const schema: Record<string, unknown> = Object.fromEntries(own);
  if (schema.type === 'file') return { ...schema, type: 'string', format: 'binary' };
  if (isObject(schema.items)) schema.items = schemaOf(schema.items);
  return schema;
}
