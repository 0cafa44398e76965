// Base of the normal form: the unrestricted schema, and the constraints of others.

import type { NormalSchema } from '../types.ts';
import { allTypes } from './tidy.ts';

/** The schema without constraints or annotations. */
export const unrestricted: NormalSchema = {
  exact: true,
  types: allTypes,
  patterns: [],
  properties: new Map(),
  required: new Set(),
  patternProperties: new Map(),
  dependentRequired: new Map(),
  dependentSchemas: new Map(),
  prefixItems: [],
  uniqueItems: false,
  allOf: [],
  readOnly: false,
  writeOnly: false,
  deprecated: false,
  hasDefault: false,
  examples: [],
  extensions: new Map(),
};

const annotations = new Set<keyof NormalSchema>([
  'refName',
  'discriminator',
  'readOnly',
  'writeOnly',
  'deprecated',
  'title',
  'description',
  'default',
  'hasDefault',
  'examples',
  'extensions',
]);

/** Keywords of a schema that restrict values. */
export function restrictions(schema: NormalSchema): (keyof NormalSchema)[] {
  return (Object.keys(schema) as (keyof NormalSchema)[]).filter((keyword) => {
    if (annotations.has(keyword)) return false;
    const value = schema[keyword];
    if (keyword === 'exact') return value === false;
    if (keyword === 'types') return schema.types.size < allTypes.size;
    if (value instanceof Map || value instanceof Set) return value.size > 0;
    return Array.isArray(value) && keyword !== 'enum' ? value.length > 0 : value !== undefined && value !== false;
  });
}
