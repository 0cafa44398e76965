// What a schema is (resolveSchema), and whether one accepts all that another does (createRelation).

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
