/** Validates the request against the contract: 400 with every error, or 404 for a path that can't identify anything. */

import { contract } from '../../../contract/contract.ts';
import { say, sayMany, type Text } from '../../../contract/languages/text.ts';
import { type FieldErrors, notFound, Problem, problemWithFaults, validationError } from '../../../contract/problem.ts';
import { fieldErrors } from '../../../contract/validation.ts';
import type { Exchange } from '../exchange.ts';
import { requireUtf8Query } from '../utf8.ts';

/**
 * Sets defaults, and coerces texts to numbers and booleans, in place.
 * @returns the error: 400 `invalid_parameter` or `validation_error` with every field, 404, or the rejection of a file
 */
export function validateRequest(exchange: Exchange): Problem | undefined {
  exchange.query = queryOf(exchange.req.url, exchange.operation.deepParameters);
  return wrongParameters(exchange) ?? wrongBody(exchange);
}

/** Far above what any operation needs. */
const maxQueryParameters = 100;

/**
 * A repeated parameter becomes an array, which only array parameters accept.
 * @param deep names of object parameters
 * @throws 400 `invalid_parameter` above `maxQueryParameters`
 */
function queryOf(url: string, deep: readonly string[]): Exchange['query'] {
  const start = url.indexOf('?');
  if (start < 0) return {};
  requireUtf8Query(url);
  const query: Exchange['query'] = Object.create(null); // clients choose the names, `__proto__` too
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

/** The parts of a name such as `custom_fields[size][gte]` (`deepObject` of OpenAPI); undefined for other names. */
function deepNames(name: string, deep: readonly string[]): string[] | undefined {
  const parts = /^([a-z_]+)\[([a-z0-9_]+)\](?:\[([a-z]+)\])?$/.exec(name)?.slice(1);
  return parts && deep.includes(parts[0]!) ? parts.filter((part) => part !== undefined) : undefined;
}

/** @returns the object to set and the member name; conflicting names stay flat */
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
 * Errors only visible in the raw text: repeated parameters, and numbers only JavaScript parses (`0x10`, `1e1`).
 * @param query validated: no parameter is an array
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

/** Parameters named in the message; `details` has all of them. */
const mostNamed = 5;

const membersOfDetails = Object.keys(contract.components.schemas.ErrorDetails!.properties!);

/** A client may invent a parameter with the name of a member that other errors have in their details. */
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
  // Errors found while a file arrived replace those of its field here.
  const faults = { ...fieldErrors(validate, value, 'body'), ...files?.faults };
  if (Object.keys(faults).length > 0) return validationError(faults);
  if (files?.refusal) return files.refusal;
  if (files) Object.assign(value as object, files.instead);
  for (const name of operation.shownOnly.notCompared) delete (value as Record<string, unknown>)[name];
  return undefined;
}

const missing: FieldErrors = { body: [{ code: 'required', message: say`This field is required.` }] };
