/** Validates request bodies, bulk items, and import rows against the contract's schemas, and reports all errors by field. */
import type { ErrorObject } from 'ajv';
import { bodies } from '../../generated/validators/bodies.js';
import { errorOf } from './error-messages.ts';
import { type FieldError, type FieldErrors, maxErrors } from './problem.ts';

/** A validator from `generated/validators/`, compiled by Ajv. It fills in defaults in the value. */
export interface Validate {
  (value: unknown): boolean;
  /** The errors of the last call. */
  errors?: ErrorObject[] | null;
}

/** Validates a value against a schema of the contract. @returns errors by field; undefined if it is valid */
export function schemaCheck(name: keyof typeof bodies): (value: unknown) => FieldErrors | undefined {
  const validate = bodies[name];
  return (value) => fieldErrors(validate, value, '');
}

/**
 * Stops one error after the number that a response lists.
 * @param rootName the name for errors without a field
 * @param depth how many path segments around the field to omit
 */
export function fieldErrors(validate: Validate, value: unknown, rootName: string, depth = 0): FieldErrors | undefined {
  if (validate(value)) return undefined;
  const fields = new Map<string, FieldError[]>(); // clients choose the names, including `__proto__`
  const errors = validate.errors ?? [];
  let count = 0;
  const nullable = pathsOf(errors.filter(isNullAlternative));
  const notClearable = pathsOf(errors.filter(isNotClearable));
  const tooShort = pathsOf(errors.filter(({ keyword }) => keyword === 'minLength'));
  const notDates = pathsOf(errors.filter(isNotDate));
  for (const error of errors) {
    const { instancePath } = error;
    if (isNullAlternative(error) || (notClearable.has(instancePath) && !isNotClearable(error))) continue;
    const found = errorOf(error, valueAt(value, instancePath), nullable.has(instancePath));
    if (!found || (error.keyword === 'pattern' && tooShort.has(instancePath))) continue;
    if (error.keyword === 'maxLength' && notDates.has(instancePath)) continue;
    const path = fieldPath(error, depth) || rootName;
    const list = fields.get(path) ?? [];
    fields.set(path, list);
    if (list.some(({ code, message }) => code === found.code && `${message}` === `${found.message}`)) continue;
    list.push(found);
    if (++count > maxErrors) break;
  }
  return fields.size > 0 ? Object.fromEntries(fields) : undefined;
}

function pathsOf(errors: ErrorObject[]): Set<string> {
  return new Set(errors.map(({ instancePath }) => instancePath));
}

/** The null alternative of a value: errors of the other alternative explain the problem. */
function isNullAlternative({ keyword, params, schemaPath }: ErrorObject): boolean {
  return keyword === 'type' && params.type === 'null' && /\/anyOf\/\d+\/type$/.test(schemaPath);
}

/** Suppresses the type error of a null that is reported as not clearable. */
function isNotClearable({ keyword }: ErrorObject): boolean {
  return keyword === 'x-clearable';
}

/** Its length doesn't matter then: many programs send a date with a time. */
function isNotDate({ keyword, params }: ErrorObject): boolean {
  return keyword === 'format' && (params.format === 'date' || params.format === 'date-time');
}

/** `/items/0/email` as `items.0.email`; for a missing or unknown property, its path. */
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
  return path.length <= maxPath ? path : `${path.slice(0, maxPath - 1)}…`;
}

/** Clients choose names of any length; the contract's are at most a third of this. */
const maxPath = 120;

/** The invalid value; undefined if it is missing. */
function valueAt(value: unknown, instancePath: string): unknown {
  const names = instancePath.split('/').slice(1).map(unescaped);
  return names.reduce((at: unknown, name) => (at as Record<string, unknown> | undefined)?.[name], value);
}

/** JSON pointer (RFC 6901). */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
