/** Whether the request is one that the contract allows, and what is wrong with it: 400, or 404 for a path that names nothing. */

import { contract } from '../../../contract/contract.ts';
import { say, sayMany, type Text } from '../../../contract/languages/text.ts';
import { type FieldErrors, notFound, Problem, problemWithFaults, validationError } from '../../../contract/problem.ts';
import { fieldErrors } from '../../../contract/validation.ts';
import type { Exchange } from '../exchange.ts';
import { requireUtf8Query } from '../utf8.ts';

/**
 * Sets defaults, and turns the text of parameters and forms into numbers and booleans, in place.
 * @returns what the request is refused with: 400 `invalid_parameter` or `validation_error` with every error, 404, or why a
 *   file of a form is refused; undefined when nothing is wrong
 */
export function validateRequest(exchange: Exchange): Problem | undefined {
  exchange.query = queryOf(exchange.req.url, exchange.operation.deepParameters);
  return wrongParameters(exchange) ?? wrongBody(exchange);
}

/** Far more than any operation knows. */
const maxQueryParameters = 100;

/**
 * Query parameters by name; one that is given twice becomes a list, which only lists accept.
 * @param deep names of parameters that are objects
 * @throws 400 `invalid_parameter` for more than anybody can mean
 */
function queryOf(url: string, deep: readonly string[]): Exchange['query'] {
  const start = url.indexOf('?');
  if (start < 0) return {};
  requireUtf8Query(url);
  const query: Exchange['query'] = Object.create(null); // clients choose the names: `__proto__` is one too
  const parameters = new URLSearchParams(url.slice(start + 1));
  if (parameters.size > maxQueryParameters) {
    throw new Problem(400, 'invalid_parameter', say`There are more than ${maxQueryParameters} parameters.`);
  }
  for (const [name, value] of parameters) {
    const inside = deepNames(name, deep);
    const [target, last] = inside ? placeIn(query, inside) : [query, name];
    const before = target[last];
    target[last] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

/** The parts of a name such as `custom_fields[size][gte]` (`deepObject` of OpenAPI); undefined for another name. */
function deepNames(name: string, deep: readonly string[]): string[] | undefined {
  const parts = /^([a-z_]+)\[([a-z0-9_]+)\](?:\[([a-z]+)\])?$/.exec(name)?.slice(1);
  return parts && deep.includes(parts[0]!) ? parts.filter((part) => part !== undefined) : undefined;
}

/** @returns the object that is to have the value, and its name there; names that clash stay as they are */
function placeIn(query: Exchange['query'], names: string[]): [Exchange['query'], string] {
  let target = query;
  for (const name of names.slice(0, -1)) {
    target[name] ??= Object.create(null);
    if (typeof target[name] !== 'object' || Array.isArray(target[name])) return [query, names.join('.')];
    target = target[name] as Exchange['query'];
  }
  return [target, names.at(-1)!];
}

function wrongParameters({ operation, pathParameters, query, headers }: Exchange): Problem | undefined {
  const validate = operation.validateParameters;
  const sent = { ...query };
  const errors = fieldErrors(validate, { path: pathParameters, query, header: headers }, 'query', 1) ?? {};
  if (validate.errors?.some(({ instancePath }) => instancePath.startsWith('/path'))) return notFound();
  addFaultsOfText(errors, sent, query);
  const names = Object.keys(errors);
  if (names.length === 0) return undefined;
  return problemWithFaults(400, 'invalid_parameter', unusable(names), withoutClashes(errors));
}

/**
 * What only the text shows: a known parameter that is there twice, and a number that JavaScript reads and nobody else writes so
 * (`0x10`, `1e1`, a blank in front).
 * @param query as the contract has it: no parameter is a list
 */
function addFaultsOfText(errors: FieldErrors, sent: Exchange['query'], query: Record<string, unknown>): void {
  for (const [name, text] of Object.entries(sent)) {
    const isKnown = errors[name]?.[0]?.code !== 'field_not_allowed';
    if (Array.isArray(text) && errors[name] && isKnown) {
      errors[name] = [{ code: 'invalid_type', message: say`This parameter is given twice. Send it once.` }];
    } else if (typeof query[name] === 'number' && !/^-?\d+$/.test(String(text))) {
      errors[name] = [{ code: 'invalid_type', message: say`Must be a whole number, in decimal digits.` }];
    }
  }
}

function unusable(names: string[]): Text {
  const named = names.slice(0, mostNamed).join(', ');
  if (names.length > mostNamed) return say`The parameters ${named} and others can't be used like this.`;
  return sayMany(
    names.length,
    say`The parameter ${named} can't be used like this.`,
    say`The parameters ${named} can't be used like this.`,
  );
}

/** Parameters that the sentence names; `details` has all of them. */
const mostNamed = 5;

const membersOfDetails = Object.keys(contract.components.schemas.ErrorDetails!.properties!);

/** A client may invent a parameter that is named like a member that the details of other errors have. */
function withoutClashes(errors: FieldErrors): FieldErrors {
  const entries = Object.entries(errors);
  return Object.fromEntries(
    entries.map(([name, faults]) => [membersOfDetails.includes(name) ? `query.${name}` : name, faults]),
  );
}

function wrongBody({ operation, body: { value, files } }: Exchange): Problem | undefined {
  if (!operation.body) return undefined;
  if (value === undefined) return operation.body.required ? validationError(missing) : undefined;
  const validate = files?.isForm ? operation.form!.validate : operation.body.validate!;
  // What was found wrong with a file while it arrived counts in place of what is found here.
  const faults = { ...fieldErrors(validate, value, 'body'), ...files?.faults };
  if (Object.keys(faults).length > 0) return validationError(faults);
  if (files?.refusal) return files.refusal;
  if (files) Object.assign(value as object, files.instead);
  for (const name of operation.shownOnly.notCompared) delete (value as Record<string, unknown>)[name];
  return undefined;
}

const missing: FieldErrors = { body: [{ code: 'required', message: say`This field is required.` }] };
