/**
 * Validates values against schemas of the contract, and reports errors as the contract describes: all of them, by
 * field, with a code and a sentence. Request bodies, bulk items and rows of imports are all validated here.
 */
import type { ErrorObject } from 'ajv';
import { bodies } from '../../generated/validators/bodies.js';
import { faultOf } from './fault-words.ts';
import { type FieldError, type FieldErrors, mostFaults } from './problem.ts';

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
  const notClearable = placesOf(errors.filter(isNotClearable));
  const tooShort = placesOf(errors.filter(({ keyword }) => keyword === 'minLength'));
  for (const error of errors) {
    const { instancePath } = error;
    if (isNullAlternative(error) || (notClearable.has(instancePath) && !isNotClearable(error))) continue;
    const found = faultOf(error, valueAt(value, instancePath), nullable.has(instancePath));
    if (!found || (error.keyword === 'pattern' && tooShort.has(instancePath))) continue;
    const path = fieldPath(error, depth) || whole;
    const list = fields.get(path) ?? [];
    fields.set(path, list);
    if (list.some(({ code, message }) => code === found.code && `${message}` === `${found.message}`)) continue;
    list.push(found);
    if (++count > mostFaults) break;
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
  return path.length <= longestPath ? path : `${path.slice(0, longestPath - 1)}…`;
}

/** Clients choose the names of fields, and how long they are; those of the contract are a third of this. */
const longestPath = 120;

/** What an error is about; undefined where there is none. */
function valueAt(value: unknown, instancePath: string): unknown {
  const names = instancePath.split('/').slice(1).map(unescaped);
  return names.reduce((at: unknown, name) => (at as Record<string, unknown> | undefined)?.[name], value);
}

/** JSON pointer (RFC 6901). */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
