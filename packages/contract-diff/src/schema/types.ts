// The words the schema comparison is spoken in. Nothing here knows operations, versions or policy.

/** The OpenAPI version's schema dialect: 3.0 has `nullable` and boolean exclusive bounds, 3.1 is JSON Schema 2020-12. */
export type Dialect = '3.0' | '3.1';

/**
 * One side: the whole parsed document and its dialect. Every `$ref` in it is `#/...`: whoever loads a document makes
 * what stood in other files a part of it.
 */
export interface SchemaDocument {
  readonly root: unknown;
  readonly dialect: Dialect;
}

/**
 * A schema where it stands. The node itself may be a `$ref`, a boolean, or anything else a document may hold; places that
 * `resolveSchema` hands out may hold a `Conjunction` or a `Fragment`, which only `resolveSchema` and relations can read.
 */
export interface SchemaPlace {
  readonly document: SchemaDocument;
  readonly schema: unknown;
}

/**
 * Several schemas, perhaps of several documents, that hold together: what `allOf` says, said of places. `unevaluated*` see
 * what all members evaluate.
 */
export class Conjunction {
  readonly members: readonly SchemaPlace[];
  readonly unevaluated: Unevaluated;

  constructor(members: readonly SchemaPlace[], unevaluated: Unevaluated = {}) {
    this.members = members;
    this.unevaluated = unevaluated;
  }
}

/** A schema that stands in no document, given in its normal form; what is not given restricts nothing. */
export class Fragment {
  readonly keywords: Partial<NormalSchema>;

  constructor(keywords: Partial<NormalSchema>) {
    this.keywords = keywords;
  }
}

/** What is asked of the properties and elements that no other keyword says anything about. */
export interface Unevaluated {
  readonly properties?: SchemaPlace;
  readonly items?: SchemaPlace;
}

/**
 * Which properties exist: readOnly ones are not part of what is accepted, writeOnly ones not of what is emitted. `any`
 * leaves out neither.
 */
export type Direction = 'accept' | 'emit' | 'any';

/**
 * The answer to "is every instance of A one of B?".
 *
 * `keyword` is the keyword of B that refuses or may refuse, `path` where within the instance: property names, `[]` for an
 * element of an array, its index where only that one is meant, `{}` for the properties no schema names. `witness` is an
 * instance of A that B refuses, checked with Ajv; without that member none was found.
 *
 * `unknown` means that neither a proof nor a counter-example was found.
 */
export type Verdict =
  | { readonly answer: 'yes' }
  | {
      readonly answer: 'no' | 'unknown';
      readonly keyword: string;
      readonly path: readonly string[];
      readonly witness?: unknown;
    };

/** The seven types of JSON Schema. `number` contains `integer`, so no set of types holds both. */
export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** An end of a range of numbers. */
export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** What `contains` asks: at least `min` and at most `max` elements that are of `schema`. */
export interface Contains {
  readonly schema: SchemaPlace;
  readonly min: number;
  readonly max: number;
}

/** `if`, with its `then` and `else`. */
export interface Conditional {
  readonly if: SchemaPlace;
  readonly holds?: SchemaPlace;
  readonly fails?: SchemaPlace;
}

/** `discriminator`, with the mapping as it is written. It decides nothing here: it is kept for who compares meaning. */
export interface Discriminator {
  readonly propertyName: string;
  readonly mapping: ReadonlyMap<string, string>;
}

/**
 * A schema in one canonical spelling. `$ref`, `allOf` and siblings are merged as far as that is exact; what can't be merged
 * (a second `oneOf`, a second `if`) is in `allOf`, so nothing is lost.
 *
 * - `types` never lacks what the schema allows: without `type` it is all types, it contains `null` in whatever way null was
 *   allowed, and it is narrowed to the types of the values of `enum`.
 * - `enum` holds `const` too. Bounds are numbers with a flag, whatever the dialect.
 * - A number without the limit is without the member; `minLength`, `minItems`, `minProperties` of 0 are no limit.
 */
export interface NormalSchema {
  /** False when something was not understood (a `$dynamicRef`, a `$ref` that leads nowhere) and is left out. */
  readonly exact: boolean;
  /** The component's name when the schema came from a `$ref`: the last segment of the first reference followed. */
  readonly refName?: string;

  readonly types: ReadonlySet<TypeName>;
  readonly enum?: readonly unknown[];

  readonly minimum?: Bound;
  readonly maximum?: Bound;
  readonly multipleOf?: number;

  readonly minLength?: number;
  readonly maxLength?: number;
  readonly patterns: readonly string[];
  readonly format?: string;

  readonly properties: ReadonlyMap<string, SchemaPlace>;
  readonly required: ReadonlySet<string>;
  readonly patternProperties: ReadonlyMap<string, SchemaPlace>;
  readonly additionalProperties?: SchemaPlace;
  readonly propertyNames?: SchemaPlace;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired: ReadonlyMap<string, ReadonlySet<string>>;
  readonly dependentSchemas: ReadonlyMap<string, SchemaPlace>;
  /** Only where it could not be said by `additionalProperties`. */
  readonly unevaluatedProperties?: SchemaPlace;

  readonly prefixItems: readonly SchemaPlace[];
  readonly items?: SchemaPlace;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems: boolean;
  readonly contains?: Contains;
  /** Only where it could not be said by `items`. */
  readonly unevaluatedItems?: SchemaPlace;

  readonly anyOf?: readonly SchemaPlace[];
  readonly oneOf?: readonly SchemaPlace[];
  readonly allOf: readonly SchemaPlace[];
  readonly not?: SchemaPlace;
  readonly conditional?: Conditional;

  readonly discriminator?: Discriminator;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  /** Whether there is a `default`: null is one. */
  readonly hasDefault: boolean;
  readonly examples: readonly unknown[];
  /** Every `x-` member. */
  readonly extensions: ReadonlyMap<string, unknown>;
}

/** One comparison's memory of pairs it has judged. */
export interface Relation {
  /** Is every instance of `a` one of `b`? Ends on recursive schemas; asking again is free. */
  sub(a: SchemaPlace, b: SchemaPlace): Verdict;
}

/** Makes instances, and remembers them by schema. */
export interface Sampler {
  samples(place: SchemaPlace): readonly unknown[];
  /** The plainest instances only: the smallest and the fullest object, the shortest array. */
  plain(place: SchemaPlace): readonly unknown[];
}
