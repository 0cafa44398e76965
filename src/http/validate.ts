/** From what Ajv found wrong to what the contract says: every error, by field, with a code and a sentence. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { type FieldError, type FieldErrors, notFound, Problem, validationError } from '../errors.ts';

/**
 * @param known what is wrong with fields already: it counts in place of what is found here
 * @throws 400 `validation_error` with every error of the body
 */
export function validateBody(validate: ValidateFunction, body: unknown, known: FieldErrors = {}): void {
  const found = check(validate, body === undefined ? {} : { requestBody: body }, 'body');
  const errors = { ...found, ...known };
  if (Object.keys(errors).length > 0) throw validationError(errors);
}

/**
 * Checks the parameters and turns query text into numbers and booleans, in place.
 * @throws 400 `invalid_parameter` with every parameter that is wrong or unknown; 404 for a path that can't name a thing
 */
export function validateParameters(
  validate: ValidateFunction,
  parameters: Record<'path' | 'query' | 'header', unknown>,
): void {
  const errors = check(validate, { ...parameters, cookie: {} }, 'query');
  if (!errors) return;
  if (validate.errors?.some(({ instancePath }) => instancePath.startsWith('/path'))) throw notFound();
  const names = Object.keys(errors);
  const message = `The parameter${names.length === 1 ? '' : 's'} ${names.join(', ')} can not be used like this.`;
  throw new Problem(400, 'invalid_parameter', message, { details: errors });
}

function check(validate: ValidateFunction, value: unknown, whole: string): FieldErrors | undefined {
  if (validate(value)) return undefined;
  const fields = new Map<string, FieldError[]>(); // clients choose the names: `__proto__` is one too
  for (const error of validate.errors ?? []) {
    const found = fieldError(error);
    if (!found) continue;
    const path = fieldPath(error) || whole;
    const list = fields.get(path) ?? [];
    fields.set(path, list);
    if (!list.some(({ code, message }) => code === found.code && message === found.message)) list.push(found);
  }
  return fields.size > 0 ? Object.fromEntries(fields) : undefined;
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

function fieldError({ keyword, params, message = '', data, parentSchema }: ErrorObject): FieldError | undefined {
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
      return { code: 'invalid_type', message: `Must be ${words(params.type)}.` };
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
