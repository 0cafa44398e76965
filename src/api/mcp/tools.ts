/** Generates the tools from operations with `x-tool`. Descriptions are short, because a model reads all of them up front. */
import { contractOperations, type Method, type Operation, resolve, type Schema } from '../../contract/contract.ts';

/** `write` is reversible, `destructive` isn't. */
export type Effect = 'read' | 'write' | 'destructive';

export interface Tool {
  name: string;
  description: string;
  effect: Effect;
  operationId: string;
  method: Method;
  path: string;
  locations: ReadonlyMap<string, 'path' | 'query' | 'body'>;
  scopes: readonly string[];
  acceptsFields: boolean;
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[]; additionalProperties: false };
}

/** The argument that makes retries of a write safe. */
export const idempotencyKey = 'idempotency_key';

const maxDescription = 160;

export const tools: readonly Tool[] = contractOperations.flatMap(({ path, method, operation }) => {
  const tool = operation['x-tool'];
  return tool ? [toolOf(path, method, operation, tool)] : [];
});

function toolOf(path: string, method: Method, operation: Operation, tool: NonNullable<Operation['x-tool']>): Tool {
  const locations = new Map<string, 'path' | 'query' | 'body'>();
  const properties: Record<string, object> = {};
  const required: string[] = [];
  for (const parameter of operation.parameters ?? []) {
    const { name = '', in: location, schema = {}, description } = parameter as Parameter;
    if (!tool.parameters.includes(name)) continue;
    locations.set(name, location === 'path' ? 'path' : 'query');
    properties[name] = brief(schema, description);
    if (location === 'path') required.push(name);
  }
  const body = resolve(Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {});
  for (const name of tool.body ?? []) {
    locations.set(name, 'body');
    properties[name] = brief(body.properties![name]!);
    if ((body.required as string[] | undefined)?.includes(name)) required.push(name);
  }
  if (method !== 'get') {
    const description = 'Use the same value to repeat a call: it is then executed once.';
    properties[idempotencyKey] = { type: 'string', maxLength: 255, description };
  }
  return {
    ...{ name: tool.name, description: tool.description, effect: tool.effect },
    ...{ operationId: operation.operationId, method, path, locations },
    scopes: operation.security.flatMap(({ oauth2 }) => oauth2 ?? []),
    acceptsFields: (operation.parameters ?? []).some(({ name }) => name === 'fields'),
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
  };
}

type Parameter = { name?: string; in?: string; schema?: Schema; description?: string };

/** The schema keywords that a model needs for a value; the operation validates the rest. */
function brief(schema: Schema, description?: string): object {
  const alternatives = (schema.anyOf ?? schema.allOf ?? []) as Schema[];
  const [first] = alternatives.filter(({ type }) => type !== 'null');
  const {
    type,
    enum: values,
    format,
    minimum,
    maximum,
    items,
    ...own
  } = resolve({ ...(first && resolve(first)), ...resolve(schema) });
  const fullDescription = description ?? own.description;
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(format !== undefined && { format }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(items !== undefined && { items: brief(items) }),
    ...(typeof fullDescription === 'string' && { description: sentence(fullDescription) }),
  };
}

function sentence(text: string): string {
  const [first = ''] = text.replaceAll(/\s+/g, ' ').split(/(?<=\.) /, 1);
  return first.length > maxDescription ? `${first.slice(0, maxDescription - 1)}…` : first.trim();
}
