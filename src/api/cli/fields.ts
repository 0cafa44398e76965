/** The fields of people and companies as options, validated by the contract, with errors that name the option. */
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { type FieldErrors, Problem } from '../../contract/problem.ts';
import { schemaCheck } from '../../contract/validation.ts';

interface PersonFields {
  name: string;
  email: string;
  position: string;
  department: string;
}

/** Normalizes the fields in place. @returns the errors of a new person, by the contract's rules for a new collaborator */
export function personErrors(person: PersonFields): FieldErrors {
  return checkPerson(person) ?? {};
}

const checkPerson = schemaCheck('CollaboratorCreate');

/** Normalizes the name in place. @returns its errors, by the rules of the contract */
export function companyNameErrors(company: { name: string }): FieldErrors {
  return checkCompany(company) ?? {};
}

const checkCompany = schemaCheck('CompanyUpdate');

/**
 * @param option the option that sets a field
 * @param exitCode by default 2, for invalid usage
 * @throws CliError with all errors in one line, if there are any
 */
export function refuseFields(errors: FieldErrors, option: (field: string) => string, exitCode = 2): void {
  const messages = Object.entries(errors).map(([field, list]) => {
    return `${option(field)}: ${list.map(({ message }) => message).join(' ')}`;
  });
  if (messages.length > 0) throw new CliError(messages.join('; '), exitCode);
}

/** @throws errors other than validation errors, unchanged */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (error instanceof Problem && error.code === 'validation_error') return error.details as FieldErrors;
  throw error;
}
