/**
 * Checks values against schemas of the contract, and says what is wrong as the contract does: every error, by field, with
 * a code and a sentence. Bodies of requests, items of bulk requests and rows of imports are all checked here.
 */
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { contract } from './contract.ts';
import type { FieldError, FieldErrors } from './problem.ts';

/**
 * All errors instead of the first; cents are no multiples of 0.01 in binary floating point, hence the tolerance. That the
 * schemas are right is found out when the contract is changed, and not at each start.
 */
const exact: Options = {
  allErrors: true,
  strict: false,
  useDefaults: true,
  multipleOfPrecision: 4,
  verbose: true,
  validateSchema: false,
};

/** JSON Schema 2020-12 as the contract means it, with formats. */
export function createAjv(options: Options = {}): Ajv2020 {
  return withFormats(new Ajv2020({ ...options, ...exact, coerceTypes: options.coerceTypes ?? false }));
}

/** RFC 3339 has a year 0, the calendar of the database has none: such a date is refused as one that is not there. */
function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv as never);
  const { validate } = fullFormats.date as { validate: (text: string) => boolean };
  return ajv.addFormat('date', (text: string) => !text.startsWith('0000') && validate(text));
}

/**
 * Checks a value against a schema of the contract by its name.
 * @returns what is wrong, by field; undefined when nothing is
 */
export function schemaCheck(name: string): (value: unknown) => FieldErrors | undefined {
  const { components } = contract;
  const value = { $ref: `#/components/schemas/${name}` };
  const validate = createAjv().compile({ type: 'object', properties: { value }, components });
  return (value) => fieldErrors(validate, { value }, '');
}

/**
 * @param value an object whose members are what is checked: their names are left out of the fields
 * @param whole the name of an error that is about no field
 * @returns undefined when the value is as it should be
 */
export function fieldErrors(validate: ValidateFunction, value: unknown, whole: string): FieldErrors | undefined {
  if (validate(value)) return undefined;
  const fields = new Map<string, FieldError[]>(); // clients choose the names: `__proto__` is one too
  const errors = validate.errors ?? [];
  const nullable = new Set(errors.filter(isNullAlternative).map(({ instancePath }) => instancePath));
  for (const error of errors) {
    if (isNullAlternative(error)) continue;
    const found = fieldError(error, nullable.has(error.instancePath));
    if (!found) continue;
    const path = fieldPath(error) || whole;
    const list = fields.get(path) ?? [];
    fields.set(path, list);
    if (!list.some(({ code, message }) => code === found.code && message === found.message)) list.push(found);
  }
  return fields.size > 0 ? Object.fromEntries(fields) : undefined;
}

/** That a value is not null, which it could have been as well: what is wrong with it is told by the other alternative. */
function isNullAlternative({ keyword, params, schemaPath }: ErrorObject): boolean {
  return keyword === 'type' && params.type === 'null' && /\/anyOf\/\d+\/type$/.test(schemaPath);
}

/** `/requestBody/items/0/email` as `items.0.email`; for a missing or unknown property, that property's path. */
function fieldPath(error: ErrorObject): string {
  const params = error.params as {
    missingProperty?: string;
    additionalProperty?: string;
    unevaluatedProperty?: string;
  };
  const child = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const parts = error.instancePath.split('/').slice(2).map(unescaped);
  if (error.instancePath === '' && child) return ''; // the body itself is missing
  if (child !== undefined) parts.push(child);
  return parts.join('.');
}

/** JSON pointer (RFC 6901). */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @param nullable the value could have been null as well */
function fieldError(
  { keyword, params, message = '', data, parentSchema }: ErrorObject,
  nullable: boolean,
): FieldError | undefined {
  if (data === null && parentSchema?.['x-clearable'] === false) {
    return { code: 'not_clearable', message: 'This field can not be cleared.' };
  }
  switch (keyword) {
    case 'required':
      return { code: 'required', message: 'This field is required.' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { code: 'field_not_allowed', message: 'There is no such field.' };
    case 'type':
      return {
        code: 'invalid_type',
        message: `Must be ${words(nullable ? [params.type, 'null'].flat() : params.type)}.`,
      };
    case 'format':
      return { code: 'invalid_format', message: `Must be a valid ${formatNames[params.format] ?? params.format}.` };
    case 'pattern':
      return { code: 'invalid_format', message: `Must match the pattern ${params.pattern}.` };
    case 'minLength':
      return { code: 'too_short', message: `Must have at least ${counted(params.limit, 'character')}.` };
    case 'maxLength':
      return { code: 'too_long', message: `Must have at most ${counted(params.limit, 'character')}.` };
    case 'minItems':
      return { code: 'too_short', message: `Must have at least ${counted(params.limit, 'item')}.` };
    case 'maxProperties':
    case 'maxItems':
      return { code: 'too_long', message: `Must have at most ${counted(params.limit, 'item')}.` };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { code: 'out_of_range', message: `Must be ${params.comparison} ${params.limit}.` };
    case 'multipleOf':
      return { code: 'out_of_range', message: `Must be a multiple of ${params.multipleOf}.` };
    case 'enum':
      return { code: 'not_in_enum', message: `Must be one of: ${params.allowedValues.join(', ')}.` };
    case 'const':
      return { code: 'not_in_enum', message: `Must be ${JSON.stringify(params.allowedValue)}.` };
    case 'propertyNames': // reported by the pattern of the name
    case 'if':
    case 'anyOf':
    case 'oneOf':
      return undefined; // their branches report what is wrong
    default:
      return { code: 'invalid_format', message: `Is not valid: ${message}.` };
  }
}

const formatNames: Record<string, string> = {
  email: 'email address',
  date: 'date (YYYY-MM-DD)',
  'date-time': 'time (RFC 3339)',
  uri: 'URI',
  uuid: 'UUID',
};

function words(type: string | string[]): string {
  const names = [type]
    .flat()
    .map((name) => (name === 'null' ? 'null' : `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}`));
  return names.join(' or ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
