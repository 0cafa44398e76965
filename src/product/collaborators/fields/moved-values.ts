/**
 * Unique values that pass between people changed together, in a chain or a circle: a value is free if its holder's own change
 * gives it up.
 */
import type { FieldError } from '../../../contract/problem.ts';
import type { CompanyFields } from '../../../identity/members/company-fields.ts';
import { takenError, uniqueForms, type ValueHolders } from '../../custom-fields/unique-values.ts';
import { normalizedValue, type Owners, takenErrors, type UniqueField, uniqueFields } from './unique-fields.ts';

/** A value of a unique field, for comparison. */
export interface UniqueValue {
  /** The field as in the contract. */
  path: string;
  /** Equal for equal values of a field. */
  key: string;
}

/** @param person a row, or new values, with custom fields as an object or as JSON */
export function uniqueValuesOf(fields: CompanyFields, person: object): UniqueValue[] {
  const { custom_fields: column } = person as { custom_fields?: unknown };
  const standard = uniqueFields.flatMap((path) => {
    const form = normalizedValue(person, path);
    return form === undefined ? [] : [uniqueValue(path, form)];
  });
  const custom = uniqueForms(fields, typeof column === 'string' ? JSON.parse(column) : column);
  return [...standard, ...custom.map(([name, form]) => uniqueValue(`custom_fields.${name}`, form))];
}

/** @param form normalized */
export function uniqueValue(path: string, form: string): UniqueValue {
  return { path, key: `${path} ${form}` };
}

/** @returns keys of the values that a change gives up */
export function releasedKeys(fields: CompanyFields, before: object, set: object): string[] {
  const kept = new Set(uniqueValuesOf(fields, { ...before, ...set }).map(({ key }) => key));
  return uniqueValuesOf(fields, before).flatMap(({ key }) => (kept.has(key) ? [] : [key]));
}

/** @returns ids of people by key */
export function holdersOf(owners: Owners, values: ValueHolders): Map<string, string> {
  const standard = uniqueFields.flatMap((field) =>
    [...owners[field]].map(([form, id]) => [uniqueValue(field, form).key, id]),
  );
  const custom = [...values].map(([form, id]) => [`custom_fields.${form}`, id]);
  return new Map([...standard, ...custom] as [string, string][]);
}

export function takenErrorOf(path: string): FieldError {
  return takenErrors[path as UniqueField] ?? takenError;
}

/** A change takes a value that someone else has. */
export interface Claim extends UniqueValue {
  /** The person who takes it. */
  by: string;
}

/**
 * @param releaser the person whose change gives a value up, if it isn't rejected
 * @returns claims of values that aren't given up, because no change does or its own claims are among these
 */
export function brokenClaims<C extends Claim>(
  claims: readonly C[],
  releaser: (key: string) => string | undefined,
): C[] {
  const waiting = Map.groupBy(claims, ({ key }) => releaser(key));
  const rejected: (string | undefined)[] = [undefined];
  const broken: C[] = [];
  // Grows during the iteration.
  for (const person of rejected) {
    const dependent = waiting.get(person) ?? [];
    waiting.delete(person);
    broken.push(...dependent);
    rejected.push(...dependent.map(({ by }) => by));
  }
  return broken;
}
