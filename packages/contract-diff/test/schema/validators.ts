// Shared by the schema tests: schemas in small documents, and two independent validators.

import { type Schema, Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { createRelation } from '../../src/schema/index.ts';
import type { Dialect, Direction, SchemaLocation, Verdict } from '../../src/schema/types.ts';

// CommonJS interop: the function is the default export of the default export.
const addFormats = addFormatsModule.default;
const freshAjv = () =>
  addFormats(new Ajv2020({ strict: false, logger: false, validateSchema: false, multipleOfPrecision: 6 }));
/** Ajv never releases compiled schemas: thousands of them would exhaust memory. */
const maxCompiled = 500;
let ajv = freshAjv();
let compiledSoFar = 0;

/** A schema in its own document with the definitions. */
export function locationOf(schema: unknown, definitions: unknown = {}, dialect: Dialect = '3.1'): SchemaLocation {
  return { document: { root: { schema, $defs: definitions }, dialect }, schema };
}

/** Whether all values of `a` are valid in `b`, by a new relation. */
export function checkSubset(a: SchemaLocation, b: SchemaLocation, direction: Direction = 'any'): Verdict {
  return createRelation(direction).checkSubset(a, b);
}

/** The two validators disagree. */
export class ValidatorDisagreement extends Error {}

/**
 * Validates with two independent validators, because each has bugs: Ajv 8 skips `contains` for empty arrays in a loop,
 * mishandles evaluation within `if`, `not`, and dependentSchemas, and throws on some `patternProperties`; the other interprets
 * the schema directly.
 * @throws ValidatorDisagreement if they disagree or one of them fails
 */
export function validator(schema: unknown, definitions: unknown = {}): (value: unknown) => boolean {
  const whole = { allOf: [schema], $defs: definitions };
  if (++compiledSoFar % maxCompiled === 0) ajv = freshAjv();
  const [compiled, interpreter] = [ajv.compile(whole), new Validator(whole as Schema, '2020-12')];
  return (value) => {
    const byAjv = attempt(() => compiled(value) === true);
    const byInterpreter = attempt(() => interpreter.validate(value).valid);
    if (byAjv !== byInterpreter || byAjv === undefined)
      throw new ValidatorDisagreement(`${byAjv} and ${byInterpreter} on ${JSON.stringify([schema, value])}`);
    return byAjv;
  };
}

function attempt(check: () => boolean): boolean | undefined {
  try {
    return check();
  } catch {
    return undefined;
  }
}

/** Whether the meta-schema accepts it; an invalid schema has no defined meaning. */
export function isSchema(schema: unknown): boolean {
  return typeof schema === 'boolean' || ajv.validateSchema(schema as object) === true;
}

/** The witness of a "no". @throws Error if there is none */
export function witnessOf(verdict: Verdict): unknown {
  if (verdict.answer === 'no' && 'witness' in verdict) return verdict.witness;
  throw new Error(`no witness in ${JSON.stringify(verdict)}`);
}
