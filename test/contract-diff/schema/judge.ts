// What the tests of the schema comparison share: places in small documents, and Ajv on the schemas as they are written.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { createRelation } from '../../../scripts/contract-diff/schema/index.ts';
import type { Dialect, Direction, SchemaPlace, Verdict } from '../../../scripts/contract-diff/schema/types.ts';

// The package is CommonJS: its function is the default of the default.
const addFormats = addFormatsModule.default;
const ajv = addFormats(new Ajv2020({ strict: false, logger: false, validateSchema: false, multipleOfPrecision: 6 }));

/** The schema in a document of its own, which holds the definitions too. */
export function placeOf(schema: unknown, definitions: unknown = {}, dialect: Dialect = '3.1'): SchemaPlace {
  return { document: { root: { schema, $defs: definitions }, dialect }, schema };
}

/** The verdict on two schemas by a relation of its own. */
export function judge(a: SchemaPlace, b: SchemaPlace, direction: Direction = 'any'): Verdict {
  return createRelation(direction).sub(a, b);
}

/** Ajv's own word on a value and a schema, without any of our code. */
export function validator(schema: unknown, definitions: unknown = {}): (value: unknown) => boolean {
  const validate = ajv.compile({ allOf: [schema], $defs: definitions });
  return (value) => validate(value) === true;
}

/** Whether it is a schema at all, by the meta-schema: what is none has no meaning to be right about. */
export function isSchema(schema: unknown): boolean {
  return typeof schema === 'boolean' || ajv.validateSchema(schema as object) === true;
}

/** The witness of a "no": throws when there is none. */
export function witnessOf(verdict: Verdict): unknown {
  if (verdict.answer === 'no' && 'witness' in verdict) return verdict.witness;
  throw new Error(`no witness in ${JSON.stringify(verdict)}`);
}
