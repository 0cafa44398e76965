/** Validates values against contract schemas. Each schema is compiled once, since compiling takes longer than most tests. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { contract } from '../../../src/contract/contract.ts';

// The precision tolerates binary rounding errors with multiples of 0.01.
const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 4 });
addFormats.default(ajv as never);
ajv.addSchema({ components: contract.components }, 'contract');

const compiled = new Map<string, ValidateFunction>();

/** Validates against a schema from the contract, or one that refers to its components. @returns the errors */
export function schemaErrors(schema: object, value: unknown): NonNullable<ValidateFunction['errors']> {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate(value) ? [] : (validate.errors ?? []);
}
