// Schema normalization (resolveSchema) and the subset relation (createRelation).

export { resolveSchema } from './normal-form/normalize.ts';
export { createRelation } from './relation.ts';
export type {
  Bound,
  Dialect,
  NormalSchema,
  Relation,
  SchemaDocument,
  SchemaLocation,
  TypeName,
  Verdict,
} from './types.ts';
