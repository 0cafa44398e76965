// Parameters of Swagger 2.0, which say of their values beside their names what OpenAPI 3 says in a schema.
import { isObject, type JsonObject } from '../../model/json.ts';

/** What says something of the parameter, and not of its value. */
const ofParameter = new Set([
  'name',
  'in',
  'description',
  'required',
  'allowEmptyValue',
  'collectionFormat',
  'deprecated',
]);

/** A parameter or header, with its schema. */
export function plainParameter(parameter: JsonObject): { readonly schema: object } {
  const own = Object.entries(parameter).filter(([key]) => ofParameter.has(key) || key.startsWith('x-'));
  const { collectionFormat, ...rest } = Object.fromEntries(own);
  return {
    ...rest,
    ...(parameter.type === 'array' && written(collectionFormat, parameter.in)),
    schema: schemaOf(parameter),
  };
}

/** How the elements of an array are written: with commas unless something else is said. */
function written(format: unknown, place: unknown): object {
  if (format === 'multi') return { style: 'form', explode: true };
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false };
  if (format === 'pipes') return { style: 'pipeDelimited', explode: false };
  return place === 'query' ? { style: 'form', explode: false } : {};
}

/** The media types of a form. @param consumes what the operation says that it takes */
export function formTypes(consumes: readonly string[], holdsFile: boolean): string[] {
  const known = consumes.filter((type) => /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(type));
  return known.length > 0 ? known : [holdsFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
}

/** A form, of the schemas of its fields. */
export function formBody(
  fields: ReadonlyMap<string, object>,
  required: readonly string[],
  types: readonly string[],
): object {
  const properties = Object.fromEntries(fields);
  const schema = { type: 'object', ...(required.length > 0 && { required }), properties };
  return { required: required.length > 0, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

/** A field of a form, as a property. */
export const fieldSchema = (field: JsonObject): object => ({
  ...schemaOf(field),
  ...(typeof field.description === 'string' && { description: field.description }),
});

function schemaOf(parameter: JsonObject): object {
  const own = Object.entries(parameter).filter(([key]) => !ofParameter.has(key) && !key.startsWith('x-'));
  const schema: Record<string, unknown> = Object.fromEntries(own);
  if (schema.type === 'file') return { ...schema, type: 'string', format: 'binary' };
  if (isObject(schema.items)) schema.items = schemaOf(schema.items);
  return schema;
}
