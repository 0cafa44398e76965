// Random contracts, as a model that can be changed at one place and written in several spellings that mean the same.
import fc from 'fast-check';

/** A parameter or property. */
export interface Field {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'list' | 'values';
  /** Its largest length, value or number of elements, or how many values it has. */
  readonly limit: number;
  readonly required: boolean;
  readonly nullable: boolean;
  /** How its schema is written: as it is, in a component, within `allOf`, or with its type in a list. */
  readonly spelling: number;
}

/** Fields that go the same way: parameters of an operation, a body, an answer, the body of a webhook. */
export interface Group {
  readonly place: 'query' | 'body' | 'answer' | 'webhook';
  /** The number of the operation or webhook. */
  readonly owner: number;
  readonly fields: readonly Field[];
}

/** All that can be changed. */
export type Model = readonly Group[];

/** Whether who sends it is the client: requests are accepted, answers and webhooks emitted. */
export const isAccepted = ({ place }: Group): boolean => place === 'query' || place === 'body';

const field = fc.record({
  name: fc.stringMatching(/^[a-z]{3,10}$/),
  type: fc.constantFrom('string', 'integer', 'list', 'values' as const),
  limit: fc.integer({ min: 2, max: 60 }),
  required: fc.boolean(),
  nullable: fc.boolean(),
  spelling: fc.nat(3),
});

const places: readonly Group['place'][] = ['query', 'body', 'answer', 'webhook'];

/** Contracts of one to three operations and webhooks. */
export const models: fc.Arbitrary<Model> = fc
  .array(fc.tuple(...places.map(() => fc.uniqueArray(field, { maxLength: 5, selector: ({ name }) => name }))), {
    minLength: 1,
    maxLength: 3,
  })
  .map((owners) =>
    owners.flatMap((groups, owner) => groups.map((fields, index) => ({ place: places[index]!, owner, fields }))),
  );

/** A model as a document of OpenAPI 3.1. */
export function documentOf(model: Model): object {
  const components: Record<string, unknown> = {};
  const paths: Record<string, unknown> = {};
  const webhooks: Record<string, unknown> = {};
  const groupOf = (place: Group['place'], owner: number) =>
    model.find((group) => group.place === place && group.owner === owner)?.fields ?? [];
  const json = (place: Group['place'], owner: number) => ({
    content: { 'application/json': { schema: objectOf(groupOf(place, owner), `${place}${owner}`, components) } },
  });
  for (const owner of new Set(model.map((group) => group.owner))) {
    paths[`/things${owner}`] = {
      post: {
        operationId: `make${owner}`,
        parameters: groupOf('query', owner).map((one) => ({
          name: one.name,
          in: 'query',
          required: one.required,
          schema: schemaOf({ ...one, nullable: false }, `query${owner}`, components),
        })),
        requestBody: { required: true, ...json('body', owner) },
        responses: { '200': { description: 'Made.', ...json('answer', owner) } },
      },
    };
    webhooks[`made${owner}`] = {
      post: { requestBody: json('webhook', owner), responses: { '204': { description: 'Thanks.' } } },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Random', version: '1.0.0', 'x-webhook-payload-version': '1.0.0' },
    paths,
    webhooks,
    components: { schemas: components },
  };
}

function objectOf(fields: readonly Field[], name: string, components: Record<string, unknown>): object {
  const required = fields.filter((one) => one.required).map((one) => one.name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(fields.map((one) => [one.name, schemaOf(one, name, components)])),
  };
}

function schemaOf(one: Field, group: string, components: Record<string, unknown>): object {
  const plain = plainSchema(one);
  if (one.spelling === 1) {
    components[`${group}_${one.name}`] = plain;
    return { $ref: `#/components/schemas/${group}_${one.name}` };
  }
  if (one.spelling === 2) return { allOf: [plain] };
  return one.spelling === 3 && typeof plain.type === 'string' ? { ...plain, type: [plain.type] } : plain;
}

function plainSchema({ type, limit, nullable }: Field): Readonly<Record<string, unknown>> {
  const typed = (name: string) => ({ type: nullable ? [name, 'null'] : name });
  if (type === 'string') return { ...typed('string'), maxLength: limit };
  if (type === 'integer') return { ...typed('integer'), maximum: limit };
  if (type === 'list') return { ...typed('array'), items: { type: 'boolean' }, maxItems: limit };
  const values: unknown[] = Array.from({ length: limit }, (_, index) => `value ${index}`);
  return { enum: nullable ? [...values, null] : values, ...typed('string') };
}
