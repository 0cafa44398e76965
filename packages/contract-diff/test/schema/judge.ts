// What the tests of the schema comparison share: places in small documents, and two judges of schemas as they are written.

import { type Schema, Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { createRelation } from '../../src/schema/index.ts';
import type { Dialect, Direction, SchemaPlace, Verdict } from '../../src/schema/types.ts';

// The package is CommonJS: its function is the default of the default.
const addFormats = addFormatsModule.default;
const freshAjv = () =>
  addFormats(new Ajv2020({ strict: false, logger: false, validateSchema: false, multipleOfPrecision: 6 }));
/** Ajv keeps what it compiled for good: of thousands of schemas, each asked once, it would fill the memory. */
const mostCompiled = 500;
let ajv = freshAjv();
let compiledSoFar = 0;

/** The schema in a document of its own, which holds the definitions too. */
export function placeOf(schema: unknown, definitions: unknown = {}, dialect: Dialect = '3.1'): SchemaPlace {
  return { document: { root: { schema, $defs: definitions }, dialect }, schema };
}

/** The verdict on two schemas by a relation of its own. */
export function judge(a: SchemaPlace, b: SchemaPlace, direction: Direction = 'any'): Verdict {
  return createRelation(direction).sub(a, b);
}

/** The two judges have no common word on a value and a schema. */
export class NoVerdict extends Error {}

/**
 * What two validators say of a value and a schema, without any of our code. Two, as each has faults of its own: the code Ajv 8
 * makes forgets `contains` of an empty array in a loop, sees too much or too little of what `if`, `not` and dependentSchemas
 * evaluate, and throws at some `patternProperties`; the other walks the schema as it is written.
 *
 * @throws NoVerdict where they differ, or one of them fails
 */
export function validator(schema: unknown, definitions: unknown = {}): (value: unknown) => boolean {
  const whole = { allOf: [schema], $defs: definitions };
  if (++compiledSoFar % mostCompiled === 0) ajv = freshAjv();
  const [compiled, walking] = [ajv.compile(whole), new Validator(whole as Schema, '2020-12')];
  return (value) => {
    const [one, other] = [settled(() => compiled(value) === true), settled(() => walking.validate(value).valid)];
    if (one !== other || one === undefined)
      throw new NoVerdict(`${one} and ${other} on ${JSON.stringify([schema, value])}`);
    return one;
  };
}

function settled(ask: () => boolean): boolean | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
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
