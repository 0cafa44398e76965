// Random contracts: a model that can be edited, and rendered in equivalent spellings.
import fc from 'fast-check';

export interface Field {
  readonly name: string;
  /** `values` has its own enum, `named` a shared one. */
  readonly type: 'string' | 'integer' | 'list' | 'values' | 'named';
  /** Maximum length, value, or number of items; number of enum values; or which named list. */
  readonly limit: number;
  readonly required: boolean;
  readonly nullable: boolean;
  /** Spelling of its schema: plain, in a component, in `allOf`, or with a type list. */
  readonly spelling: number;
}

/** Fields with the same direction: parameters, a body, a response, or a webhook body. */
export interface Group {
  readonly place: 'query' | 'body' | 'response' | 'webhook';
  /** Number of the operation or webhook. */
  readonly owner: number;
  readonly fields: readonly Field[];
}

/** A security alternative: credentials that are all required. */
export type Alternative = readonly string[];

export interface Operation {
  readonly owner: number;
  readonly isWebhook: boolean;
  /** Last part of its path, or the webhook name. */
  readonly name: string;
  readonly operationId: string | undefined;
  readonly deprecated: boolean;
  /** Response statuses in addition to 200. */
  readonly statuses: readonly string[];
  /** Security requirements; undefined for the document's. */
  readonly security: readonly Alternative[] | undefined;
}

/** A shared enum component. */
interface NamedList {
  readonly name: string;
  readonly values: readonly string[];
}

export interface Model {
  readonly groups: readonly Group[];
  readonly operations: readonly Operation[];
  readonly lists: readonly NamedList[];
  /** Default security requirements. */
  readonly security: readonly Alternative[];
  /** Header by scheme name. */
  readonly schemes: Readonly<Record<string, string>>;
}

/** Whether clients send the group: requests are accepted, responses and webhooks are emitted. */
export const isAccepted = ({ place }: Group): boolean => place === 'query' || place === 'body';

/** Operations added by an edit have numbers from here on. Editing them affects nothing that existed before. */
export const firstAdded = 10;
export const existedBefore = ({ owner }: { readonly owner: number }): boolean => owner < firstAdded;

export const errorStatuses = ['400', '404', '409', '410', '422', '500', '503', '4XX', '5XX', 'default'];
export const successStatuses = ['202', '204', '302'];
/** Credentials that an alternative may require: a key, a token, or a token with a scope. */
export const credentials = ['key', 'mark', 'token', 'token:read', 'token:write'];

const field = fc.record({
  name: fc.stringMatching(/^[a-z]{3,10}$/),
  type: fc.constantFrom('string', 'integer', 'list', 'values', 'named' as const),
  limit: fc.integer({ min: 2, max: 60 }),
  required: fc.boolean(),
  nullable: fc.boolean(),
  spelling: fc.nat(3),
});
const fields = fc.uniqueArray(field, { maxLength: 5, selector: ({ name }) => name });
const alternatives = fc.array(fc.subarray(credentials, { maxLength: 3 }), { maxLength: 3 });
const operation = fc.record({
  operationId: fc.option(fc.stringMatching(/^[a-z]{4,9}$/), { nil: undefined }),
  deprecated: fc.boolean(),
  statuses: fc.subarray([...errorStatuses, ...successStatuses], { maxLength: 5 }),
  security: fc.option(alternatives, { nil: undefined }),
});
const list = fc.record({
  name: fc.stringMatching(/^[A-Z][a-z]{3,8}$/),
  values: fc.uniqueArray(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 1, maxLength: 6 }),
});
const owner = fc.record({
  query: fields,
  body: fields,
  response: fields,
  webhook: fields,
  operation,
  webhookOperation: operation,
});

/** Contracts with one to three operations and as many webhooks. */
export const models: fc.Arbitrary<Model> = fc
  .record({
    owners: fc.array(owner, { minLength: 1, maxLength: 3 }),
    lists: fc.uniqueArray(list, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
    security: alternatives,
  })
  .map(({ owners, lists, security }) => ({
    groups: owners.flatMap((one, number) =>
      (['query', 'body', 'response', 'webhook'] as const).map((place) => ({
        place,
        owner: number,
        fields: one[place],
      })),
    ),
    operations: owners.flatMap(({ operation, webhookOperation }, number) => [
      {
        ...operation,
        ...named(operation.operationId, number),
        owner: number,
        isWebhook: false,
        name: `things${number}`,
      },
      { ...webhookOperation, operationId: undefined, owner: number, isWebhook: true, name: `made${number}` },
    ]),
    lists,
    security,
    schemes: { key: 'X-Key', mark: 'X-Mark' },
  }));

const named = (operationId: string | undefined, owner: number) => ({
  operationId: operationId && `${operationId}${owner}`,
});
