/** What is wrong with a request, as the answer that refuses it. */
import { contract } from '../../contract/contract.ts';
import { type FieldErrors, notFound, Problem, validationError } from '../../contract/problem.ts';
import { fieldErrors, type Validate } from '../../contract/validation.ts';

/**
 * @param known what is wrong with fields already: it counts in place of what is found here
 * @throws 400 `validation_error` with every error of the body
 */
export function validateBody(validate: Validate, body: unknown, known: FieldErrors = {}): void {
  const found = fieldErrors(validate, body, 'body');
  const errors = { ...found, ...known };
  if (Object.keys(errors).length > 0) throw validationError(errors);
}

/**
 * Checks the parameters and turns query text into numbers and booleans, in place.
 * @throws 400 `invalid_parameter` with every parameter that is wrong or unknown; 404 for a path that can't name a thing
 */
export function validateParameters(validate: Validate, parameters: Record<'path' | 'query' | 'header', unknown>): void {
  const errors = fieldErrors(validate, parameters, 'query', 1);
  if (!errors) return;
  if (validate.errors?.some(({ instancePath }) => instancePath.startsWith('/path'))) throw notFound();
  const names = Object.keys(errors);
  const named = names.length <= most_named ? names.join(', ') : `${names.slice(0, most_named).join(', ')} and others`;
  const message = shortened(`The parameter${names.length === 1 ? '' : 's'} ${named} can not be used like this.`);
  throw new Problem(400, 'invalid_parameter', message, { details: withoutClashes(errors) });
}

/** Parameters that the sentence names; `details` has all of them. */
const most_named = 5;
const most_characters = 1_000;

/** Clients choose the names of parameters, and how long they are. */
function shortened(sentence: string): string {
  return sentence.length <= most_characters ? sentence : `${sentence.slice(0, most_characters - 1)}…`;
}

const members_of_details = Object.keys(contract.components.schemas.ErrorDetails!.properties!);

/** A client may invent a parameter that is named like a member that the details of other errors have. */
function withoutClashes(errors: FieldErrors): FieldErrors {
  const entries = Object.entries(errors);
  return Object.fromEntries(
    entries.map(([name, faults]) => [members_of_details.includes(name) ? `query.${name}` : name, faults]),
  );
}
