// Schema normalization (resolveSchema) and the subset relation (createRelation).

export { resolveSchema } from './normalise.ts';
export { createRelation } from './relation.ts';
export type {
  Bound,
  Dialect,
  NormalSchema,
  Relation,
  SchemaDocument,
  SchemaPlace,
  TypeName,
  Verdict,
} from './types.ts';
