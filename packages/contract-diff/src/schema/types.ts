// Types of the schema comparison, which is independent of operations, versions, and policy.

/** Schema dialect of the OpenAPI version: 3.0 has `nullable` and boolean exclusive bounds, 3.1 is JSON Schema 2020-12. */
export type Dialect = '3.0' | '3.1';

/** One side: the whole parsed document and its dialect. Every `$ref` is `#/...`, because the loader bundles external files. */
export interface SchemaDocument {
  readonly root: unknown;
  readonly dialect: Dialect;
}

/**
 * A schema with its document. The node may be a `$ref`, a boolean, or any other value in a document. Results of `resolveSchema`
 * may contain a `Conjunction` or `Fragment`, which only `resolveSchema` and relations understand.
 */
export interface SchemaLocation {
  readonly document: SchemaDocument;
  readonly schema: unknown;
}

/** Several schemas, possibly of several documents, that all apply, like `allOf`. `unevaluated*` see what all members evaluate. */
export class Conjunction {
  readonly members: readonly SchemaLocation[];
  readonly unevaluated: Unevaluated;

  constructor(members: readonly SchemaLocation[], unevaluated: Unevaluated = {}) {
    this.members = members;
    this.unevaluated = unevaluated;
  }
}

/** A schema outside any document, in normal form; omitted keywords restrict nothing. */
export class Fragment {
  readonly keywords: Partial<NormalSchema>;

  constructor(keywords: Partial<NormalSchema>) {
    this.keywords = keywords;
  }
}

/** Schemas for properties and items that no other keyword evaluates. */
export interface Unevaluated {
  readonly properties?: SchemaLocation;
  readonly items?: SchemaLocation;
}

/** Which properties exist: `accept` excludes readOnly ones, `emit` excludes writeOnly ones, `any` excludes none. */
export type Direction = 'accept' | 'emit' | 'any';

/**
 * Whether A is a subset of B.
 *
 * `keyword` is the keyword of B that rejects or may reject. `path` is where in the instance: property names, `[]` for an array
 * element, its index for a specific one, `{}` for undeclared properties. `witness` is an instance of A that B rejects, confirmed
 * with Ajv; absent if none was found.
 *
 * `unknown` means neither a proof nor a counterexample was found.
 */
export type Verdict =
  | { readonly answer: 'yes' }
  | {
      readonly answer: 'no' | 'unknown';
      readonly keyword: string;
      readonly path: readonly string[];
      readonly witness?: unknown;
    };

/** The seven types of JSON Schema. `number` includes `integer`, so a set never has both. */
export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** `contains`: between `min` and `max` elements match `schema`. */
export interface Contains {
  readonly schema: SchemaLocation;
  readonly min: number;
  readonly max: number;
}

export interface Conditional {
  readonly if: SchemaLocation;
  readonly holds?: SchemaLocation;
  readonly fails?: SchemaLocation;
}

/** `discriminator` with its original mapping. Not used by the relation, only for comparing semantics. */
export interface Discriminator {
  readonly propertyName: string;
  readonly mapping: ReadonlyMap<string, string>;
}

/**
 * A schema in normal form. `$ref`, `allOf`, and siblings are merged as far as that is exact; anything else (a second `oneOf`, a
 * second `if`) is in `allOf`, so nothing is lost.
 *
 * - `types` is complete: all types without `type`, includes `null` however it was allowed, and is narrowed to the types in
 *   `enum`.
 * - `enum` includes `const`. Bounds are numbers with a flag in every dialect.
 * - An absent member means no limit; `minLength`, `minItems`, and `minProperties` of 0 are absent.
 */
export interface NormalSchema {
  /** False when something was not understood and omitted (a `$dynamicRef`, a dangling `$ref`). */
  readonly exact: boolean;
  /** Component name: the last segment of the first resolved reference. */
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

  readonly properties: ReadonlyMap<string, SchemaLocation>;
  readonly required: ReadonlySet<string>;
  readonly patternProperties: ReadonlyMap<string, SchemaLocation>;
  readonly additionalProperties?: SchemaLocation;
  readonly propertyNames?: SchemaLocation;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired: ReadonlyMap<string, ReadonlySet<string>>;
  readonly dependentSchemas: ReadonlyMap<string, SchemaLocation>;
  /** Only if `additionalProperties` can't express it. */
  readonly unevaluatedProperties?: SchemaLocation;

  readonly prefixItems: readonly SchemaLocation[];
  readonly items?: SchemaLocation;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems: boolean;
  readonly contains?: Contains;
  /** Only if `items` can't express it. */
  readonly unevaluatedItems?: SchemaLocation;

  readonly anyOf?: readonly SchemaLocation[];
  readonly oneOf?: readonly SchemaLocation[];
  readonly allOf: readonly SchemaLocation[];
  readonly not?: SchemaLocation;
  readonly conditional?: Conditional;

  readonly discriminator?: Discriminator;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly deprecated: boolean;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  /** Whether there is a `default`, which may be null. */
  readonly hasDefault: boolean;
  readonly examples: readonly unknown[];
  readonly extensions: ReadonlyMap<string, unknown>;
}

/** A subset relation with a cache of checked pairs. */
export interface Relation {
  /** Whether `a` is a subset of `b`. Terminates for recursive schemas; results are cached. */
  checkSubset(a: SchemaLocation, b: SchemaLocation): Verdict;
}

export interface Sampler {
  samples(location: SchemaLocation): readonly unknown[];
  /** Only the simplest: the smallest and the fullest object, the shortest array. */
  plain(location: SchemaLocation): readonly unknown[];
}
