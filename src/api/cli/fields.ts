/** The fields of people and companies as options: validated by the rules of the contract, with errors that name the option. */
import { Failure } from '../../../packages/cli/src/terminal/failure.ts';
import { type FieldErrors, Problem } from '../../contract/problem.ts';
import { schemaCheck } from '../../contract/validation.ts';

interface PersonFields {
  name: string;
  email: string;
  position: string;
  department: string;
}

/** Brings the fields into their form. @returns what is wrong with a new person, by the rules of the contract for a new collaborator */
export function personErrors(person: PersonFields): FieldErrors {
  return checkPerson(person) ?? {};
}

const checkPerson = schemaCheck('CollaboratorCreate');

/** Brings the name into its form. @returns what is wrong with it, by the rules of the contract */
export function companyNameErrors(company: { name: string }): FieldErrors {
  return checkCompany(company) ?? {};
}

const checkCompany = schemaCheck('CompanyUpdate');

/**
 * @param option the option that gives a field
 * @throws Failure with all errors in one line; nothing when there are none
 */
export function refuseFields(errors: FieldErrors, option: (field: string) => string): void {
  const wrong = Object.entries(errors).map(([field, list]) => {
    return `${option(field)}: ${list.map(({ message }) => message).join(' ')}`;
  });
  if (wrong.length > 0) throw new Failure(wrong.join('; '));
}

/** @throws what is no problem with fields, as it is */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (error instanceof Problem && error.code === 'validation_error') return error.details as FieldErrors;
  throw error;
}
