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
const deepest = 4;

export function fieldsOf(schema: Schema): Field[] {
  return below(merged(schema), '', 0, new Set());
}

function below(schema: Merged, prefix: string, depth: number, above: ReadonlySet<Schema>): Field[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix + name;
    const own = merged(property);
    const field = { name: path, is_required: required.has(name), ...described(own) };
    const [inner, mark] = innermost(own);
    const target = resolve(inner);
    if (depth + 1 >= deepest || above.has(target)) return [field];
    return [field, ...below(merged(inner), `${path}${mark}.`, depth + 1, new Set([...above, target]))];
  });
}

export function described(schema: Schema): Pick<Field, 'type' | 'bounds' | 'html'> {
  const own = merged(schema);
  return { type: typeOf(own), bounds: boundsOf(own), html: renderBlock(String(own.description ?? '')) };
}

interface Merged extends Schema {
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Resolves references and merges `allOf`; for alternatives, the union of their fields, none of them required. */
function merged(given: Schema): Merged {
  const { $ref: _, allOf = [], ...beside } = given;
  const target = given.$ref ? merged(resolve(given)) : undefined;
  const parts = [...(target ? [target] : []), ...allOf.map(merged), beside as Merged];
  const choices = alternatives(given).map(merged);
  const properties = Object.assign(
    {},
    ...choices.map((each) => each.properties),
    ...parts.map((each) => each.properties),
  );
  const required = parts.flatMap((each) => each.required ?? []);
  const all = Object.assign({}, ...parts) as Merged;
  return {
    ...all,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function alternatives({ anyOf, oneOf }: Schema): Schema[] {
  return [...((anyOf as Schema[]) ?? []), ...((oneOf as Schema[]) ?? [])];
}

function innermost(schema: Schema): [Schema, string] {
  const { items } = merged(schema);
  if (!items) return [schema, ''];
  const [inner, mark] = innermost(items);
  return [inner, `[]${mark}`];
}

const words: Record<string, string> = {
  string: 'text',
  object: 'object',
  array: 'array',
  null: 'null',
  boolean: 'true or false',
};

function typeOf(schema: Merged): string {
  const choices = alternatives(schema);
  if (choices.length > 0 && !schema.type) return [...new Set(choices.map((each) => typeOf(merged(each))))].join(' or ');
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat();
  if (types.length === 0) return schema.const === undefined ? 'any' : JSON.stringify(schema.const);
  return types
    .map((type) => {
      if (type === 'array' && schema.items) return `array of ${typeOf(merged(schema.items))}`;
      if (type === 'string' && typeof schema.format === 'string') return schema.format;
      return words[type] ?? type;
    })
    .join(' or ');
}

function boundsOf(schema: Merged): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Record<string, number | undefined>;
  const values = schema.enum as unknown[] | undefined;
  const range = (least: number | undefined, most: number | undefined, what: string) => {
    if (least !== undefined && least === most) return `${most}${what}`;
    if (least !== undefined && most !== undefined) return `${least} to ${most}${what}`;
    if (most !== undefined) return `at most ${most}${what}`;
    return least ? `at least ${least}${what}` : '';
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
