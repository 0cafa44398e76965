/** The fields of a body for the reference: a flat list, with nested fields below their object. */
import { resolve, type Schema } from '../../../contract/contract.ts';
import { renderBlock } from '../markdown.ts';

interface Field {
  name: string;
  type: string;
  is_required: boolean;
  bounds: string;
  html: string;
}

/** Nesting depth; deeper fields show only their type. */
const maxDepth = 4;

export function fieldsOf(schema: Schema): Field[] {
  return fieldsBelow(mergeSchema(schema), '', 0, new Set());
}

function fieldsBelow(schema: MergedSchema, prefix: string, depth: number, ancestors: ReadonlySet<Schema>): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix + name;
    const own = mergeSchema(property);
    const field = { name: path, is_required: required.has(name), ...describe(own) };
    const [inner, mark] = innermostItem(own);
    const target = resolve(inner);
    if (depth + 1 >= maxDepth || ancestors.has(target)) return [field];
    return [field, ...fieldsBelow(mergeSchema(inner), `${path}${mark}.`, depth + 1, new Set([...ancestors, target]))];
  });
}

export function describe(schema: Schema): Pick<Field, 'type' | 'bounds' | 'html'> {
  const own = mergeSchema(schema);
  return { type: typeOf(own), bounds: boundsOf(own), html: renderBlock(String(own.description ?? '')) };
}

interface MergedSchema extends Schema {
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Resolves references and merges `allOf`; for alternatives, the union of their fields, none of them required. */
function mergeSchema(source: Schema): MergedSchema {
  const { $ref: _, allOf = [], ...siblings } = source;
  const target = source.$ref ? mergeSchema(resolve(source)) : undefined;
  const parts = [...(target ? [target] : []), ...allOf.map(mergeSchema), siblings as MergedSchema];
  const choices = alternatives(source).map(mergeSchema);
  const properties = Object.assign(
    {},
    ...choices.map((each) => each.properties),
    ...parts.map((each) => each.properties),
  );
  const required = parts.flatMap((each) => each.required ?? []);
  const all = Object.assign({}, ...parts) as MergedSchema;
  return {
    ...all,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function alternatives({ anyOf, oneOf }: Schema): Schema[] {
  return [...((anyOf as Schema[]) ?? []), ...((oneOf as Schema[]) ?? [])];
}

function innermostItem(schema: Schema): [Schema, string] {
  const { items } = mergeSchema(schema);
  if (!items) return [schema, ''];
  const [inner, mark] = innermostItem(items);
  return [inner, `[]${mark}`];
}

const typeNames: Record<string, string> = {
  string: 'text',
  object: 'object',
  array: 'array',
  null: 'null',
  boolean: 'true or false',
};

function typeOf(schema: MergedSchema): string {
  const choices = alternatives(schema);
  if (choices.length > 0 && !schema.type)
    return [...new Set(choices.map((each) => typeOf(mergeSchema(each))))].join(' or ');
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat();
  if (types.length === 0) return schema.const === undefined ? 'any' : JSON.stringify(schema.const);
  return types
    .map((type) => {
      if (type === 'array' && schema.items) return `array of ${typeOf(mergeSchema(schema.items))}`;
      if (type === 'string' && typeof schema.format === 'string') return schema.format;
      return typeNames[type] ?? type;
    })
    .join(' or ');
}

function boundsOf(schema: MergedSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Record<string, number | undefined>;
  const values = schema.enum as unknown[] | undefined;
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least !== undefined && least === most) return `${most}${unit}`;
    if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
    if (most !== undefined) return `at most ${most}${unit}`;
    return least ? `at least ${least}${unit}` : '';
  };
  return [
    values && `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
    range(minLength, maxLength, ' characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' items'),
    schema.default !== undefined && `${JSON.stringify(schema.default)} if omitted`,
  ]
    .filter(Boolean)
    .join('; ');
}
