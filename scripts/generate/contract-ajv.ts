// Ajv as the contract is meant: JSON Schema 2020-12 with formats, and with what EXTENSIONS.md adds to it. The service
// compiles nothing: its validators are written by generate-validators.ts. Tests and the fuzzer compile schemas as they go.
import { _, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/**
 * Cents are no multiples of 0.01 in binary floating point, hence the tolerance. That the schemas are right is found out by
 * the linter, and `strict` would refuse our extensions.
 */
const exact: Options = { strict: false, multipleOfPrecision: 4, validateSchema: false, logger: false };

export function contractAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, ...options, ...exact });
  addFormats.default(ajv as never);
  const { validate } = fullFormats.date as { validate: (text: string) => boolean };
  ajv.addFormat('date', (text: string) => !text.startsWith('0000') && validate(text));
  // `x-clearable: false` is an error of its own at `null`, beside the one of the type.
  ajv.addKeyword({
    keyword: 'x-clearable',
    schemaType: 'boolean',
    error: { message: 'must not be null' },
    code: (context) => context.pass(_`${context.schema} || ${context.data} !== null`),
  });
  return ajv;
}

/**
 * The formats as code, by `fullFormats` of ajv-formats. RFC 3339 has a year 0, the calendar of the database has none: such
 * a date is refused as one that is not there, as `contractAjv` does.
 */
export const formatsCode = `{
  ...fullFormats,
  date: (text) => !text.startsWith('0000') && fullFormats.date.validate(text),
}`;
