/**
 * Validates values against schemas of the contract, and reports errors as the contract describes: all of them, by
 * field, with a code and a sentence. Request bodies, bulk items and rows of imports are all validated here.
 */
import type { ErrorObject } from 'ajv';
import { bodies } from '../../generated/validators/bodies.js';
import { type FieldError, type FieldErrors, most_faults } from './problem.ts';

/** A function of `generated/validators/`, as Ajv writes it. It sets defaults in the value that it is given. */
export interface Validate {
  (value: unknown): boolean;
  /** What was wrong the last time. */
  errors?: ErrorObject[] | null;
}

/**
 * Checks a value against a schema of the contract by its name.
 * @returns what is wrong, by field; undefined when nothing is
 */
export function schemaCheck(name: keyof typeof bodies): (value: unknown) => FieldErrors | undefined {
  const validate = bodies[name];
  return (value) => fieldErrors(validate, value, '');
}

/**
 * Looks no further than one fault behind those that an answer lists.
 * @param whole the name of an error that is about no field
 * @param depth how many members of the value lie around a field, and are left out of its name
 * @returns undefined when the value is as it should be
 */
export function fieldErrors(validate: Validate, value: unknown, whole: string, depth = 0): FieldErrors | undefined {
  if (validate(value)) return undefined;
  const fields = new Map<string, FieldError[]>(); // clients choose the names: `__proto__` is one too
  const errors = validate.errors ?? [];
  let count = 0;
  const nullable = placesOf(errors.filter(isNullAlternative));
  const not_clearable = placesOf(errors.filter(isNotClearable));
  for (const error of errors) {
    const { instancePath } = error;
    if (isNullAlternative(error) || (not_clearable.has(instancePath) && !isNotClearable(error))) continue;
    const found = fieldError(error, nullable.has(instancePath));
    if (!found) continue;
    const path = fieldPath(error, depth) || whole;
    const list = fields.get(path) ?? [];
    fields.set(path, list);
    if (list.some(({ code, message }) => code === found.code && message === found.message)) continue;
    list.push(found);
    if (++count > most_faults) break;
  }
  return fields.size > 0 ? Object.fromEntries(fields) : undefined;
}

function placesOf(errors: ErrorObject[]): Set<string> {
  return new Set(errors.map(({ instancePath }) => instancePath));
}

/** That a value is not null, which it could have been as well: what is wrong with it is told by the other alternative. */
function isNullAlternative({ keyword, params, schemaPath }: ErrorObject): boolean {
  return keyword === 'type' && params.type === 'null' && /\/anyOf\/\d+\/type$/.test(schemaPath);
}

/** Of null where nothing can be cleared; that null is of no type that the field may have says the same again. */
function isNotClearable({ keyword }: ErrorObject): boolean {
  return keyword === 'x-clearable';
}

/** `/items/0/email` as `items.0.email`; for a missing or unknown property, that property's path. */
function fieldPath(error: ErrorObject, depth: number): string {
  const params = error.params as {
    missingProperty?: string;
    additionalProperty?: string;
    unevaluatedProperty?: string;
  };
  const child = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const parts = error.instancePath
    .split('/')
    .slice(1 + depth)
    .map(unescaped);
  if (child !== undefined) parts.push(child);
  const path = parts.join('.');
  return path.length <= longest_path ? path : `${path.slice(0, longest_path - 1)}…`;
}

/** Clients choose the names of fields, and how long they are; those of the contract are a third of this. */
const longest_path = 120;

/** JSON pointer (RFC 6901). */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** @param nullable the value could have been null as well */
function fieldError({ keyword, params, message = '' }: ErrorObject, nullable: boolean): FieldError | undefined {
  switch (keyword) {
    case 'x-clearable':
      return { code: 'not_clearable', message: 'This field can not be cleared.' };
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
    case 'minProperties': // the operation says which fields it can choose from
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
