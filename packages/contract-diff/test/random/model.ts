// Random contracts, as a model that can be changed at one place and written in several spellings that mean the same.
import fc from 'fast-check';

/** A parameter or property. */
export interface Field {
  readonly name: string;
  /** `values` has a list of its own, `named` one that others use too. */
  readonly type: 'string' | 'integer' | 'list' | 'values' | 'named';
  /** Its largest length, value or number of elements, how many values it has, or which of the named lists. */
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

/** One way to be let in: all of these together, a scheme or a scheme with a scope. */
export type Alternative = readonly string[];

/** An operation that is called, or a webhook that is sent. */
export interface Operation {
  readonly owner: number;
  readonly isWebhook: boolean;
  /** The last part of its path, or the name of the webhook. */
  readonly name: string;
  readonly operationId: string | undefined;
  readonly deprecated: boolean;
  /** The statuses of its answers, beside the one that all have. */
  readonly statuses: readonly string[];
  /** Who is let in, or what is carried; undefined where the operation itself does not say. */
  readonly security: readonly Alternative[] | undefined;
}

/** A list of values that is a component. */
interface NamedList {
  readonly name: string;
  readonly values: readonly string[];
}

/** All that can be changed. */
export interface Model {
  readonly groups: readonly Group[];
  readonly operations: readonly Operation[];
  readonly lists: readonly NamedList[];
  /** Who is let in where an operation does not say. */
  readonly security: readonly Alternative[];
  /** The header that each scheme uses, by its name. */
  readonly schemes: Readonly<Record<string, string>>;
}

/** Whether who sends it is the client: requests are accepted, answers and webhooks emitted. */
export const isAccepted = ({ place }: Group): boolean => place === 'query' || place === 'body';

/** Operations that an edit adds have numbers from here on. What is done to them changes nothing that was there. */
export const firstAdded = 10;
export const wasThere = ({ owner }: { readonly owner: number }): boolean => owner < firstAdded;

/** The statuses that are tried. */
export const failures = ['400', '404', '409', '410', '422', '500', '503', '4XX', '5XX', 'default'];
export const successes = ['202', '204', '302'];
/** What an alternative asks for: a key, a token, or a token with a scope. */
export const demands = ['key', 'mark', 'token', 'token:read', 'token:write'];

const field = fc.record({
  name: fc.stringMatching(/^[a-z]{3,10}$/),
  type: fc.constantFrom('string', 'integer', 'list', 'values', 'named' as const),
  limit: fc.integer({ min: 2, max: 60 }),
  required: fc.boolean(),
  nullable: fc.boolean(),
  spelling: fc.nat(3),
});
const fields = fc.uniqueArray(field, { maxLength: 5, selector: ({ name }) => name });
const alternatives = fc.array(fc.subarray(demands, { maxLength: 3 }), { maxLength: 3 });
const operation = fc.record({
  operationId: fc.option(fc.stringMatching(/^[a-z]{4,9}$/), { nil: undefined }),
  deprecated: fc.boolean(),
  statuses: fc.subarray([...failures, ...successes], { maxLength: 5 }),
  security: fc.option(alternatives, { nil: undefined }),
});
const list = fc.record({
  name: fc.stringMatching(/^[A-Z][a-z]{3,8}$/),
  values: fc.uniqueArray(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 1, maxLength: 6 }),
});
const owner = fc.record({
  query: fields,
  body: fields,
  answer: fields,
  webhook: fields,
  called: operation,
  sent: operation,
});

/** Contracts of one to three operations, with as many webhooks. */
export const models: fc.Arbitrary<Model> = fc
  .record({
    owners: fc.array(owner, { minLength: 1, maxLength: 3 }),
    lists: fc.uniqueArray(list, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
    security: alternatives,
  })
  .map(({ owners, lists, security }) => ({
    groups: owners.flatMap((one, number) =>
      (['query', 'body', 'answer', 'webhook'] as const).map((place) => ({ place, owner: number, fields: one[place] })),
    ),
    operations: owners.flatMap(({ called, sent }, number) => [
      { ...called, ...named(called.operationId, number), owner: number, isWebhook: false, name: `things${number}` },
      { ...sent, operationId: undefined, owner: number, isWebhook: true, name: `made${number}` },
    ]),
    lists,
    security,
    schemes: { key: 'X-Key', mark: 'X-Mark' },
  }));

const named = (operationId: string | undefined, owner: number) => ({
  operationId: operationId && `${operationId}${owner}`,
});
