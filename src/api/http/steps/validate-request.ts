/** Validates the request against the contract: 400 with every error, or 404 for a path that can't identify anything. */

import { contract } from '../../../contract/contract.ts';
import { type Text, t, tn } from '../../../contract/languages/text.ts';
import { type FieldErrors, notFound, Problem, problemWithErrors, validationError } from '../../../contract/problem.ts';
import { fieldErrors, type Validate } from '../../../contract/validation.ts';
import { requireUtf8Query } from '../body/utf8.ts';
import type { RequestContext } from '../request-context.ts';

/**
 * Sets defaults, and coerces texts to numbers and booleans, in place.
 * @returns the error: 400 `invalid_parameter` or `validation_error` with every field, 404, or the rejection of a file
 */
export function validateRequest(exchange: RequestContext): Problem | undefined {
  exchange.query = queryOf(exchange.req.url, exchange.operation.deepParameters);
  return parameterProblem(exchange) ?? bodyProblem(exchange);
}

/** Far above what any operation needs. */
const maxQueryParameters = 100;

/**
 * A repeated parameter becomes an array, which only array parameters accept.
 * @param deep names of object parameters
 * @throws 400 `invalid_parameter` above `maxQueryParameters`
 */
function queryOf(url: string, deep: readonly string[]): RequestContext['query'] {
  const start = url.indexOf('?');
  if (start < 0) return {};
  requireUtf8Query(url);
  const query: RequestContext['query'] = Object.create(null); // clients choose the names, `__proto__` too
  const parameters = new URLSearchParams(url.slice(start + 1));
  if (parameters.size > maxQueryParameters) {
    throw new Problem(400, 'invalid_parameter', t`There are more than ${maxQueryParameters} parameters.`);
  }
  for (const [name, value] of parameters) {
    const nestedNames = deepNames(name, deep);
    const [target, last] = nestedNames ? resolveTarget(query, nestedNames) : [query, name];
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
function resolveTarget(query: RequestContext['query'], names: string[]): [RequestContext['query'], string] {
  let target = query;
  for (const name of names.slice(0, -1)) {
    target[name] ??= Object.create(null);
    if (typeof target[name] !== 'object' || Array.isArray(target[name])) return [query, names.join('.')];
    target = target[name] as RequestContext['query'];
  }
  return [target, names.at(-1)!];
}

function parameterProblem({ operation, pathParameters, query, headers }: RequestContext): Problem | undefined {
  const validate = operation.validateParameters;
  const sent = { ...query };
  const found = fieldErrors(validate, { path: pathParameters, query, header: headers }, 'query', 1) ?? {};
  if (validate.errors?.some(({ instancePath }) => instancePath.startsWith('/path'))) return notFound();
  const errors = withHeaderNames(found, validate, operation.headerNames);
  addRawTextErrors(errors, sent, query);
  const names = Object.keys(errors);
  if (names.length === 0) return undefined;
  return problemWithErrors(400, 'invalid_parameter', unusableMessage(names), withoutClashes(errors));
}

/** A query parameter may have the lower-case name of a header. */
function withHeaderNames(found: FieldErrors, { errors }: Validate, names: ReadonlyMap<string, string>): FieldErrors {
  const headers = new Set(
    errors?.flatMap(({ instancePath: path }) => (path.startsWith('/header/') ? path.slice(8) : [])),
  );
  const nameOf = (name: string) => (headers.has(name) ? (names.get(name) ?? name) : name);
  return Object.fromEntries(Object.entries(found).map(([name, each]) => [nameOf(name), each]));
}

/**
 * Errors only visible in the raw text: repeated parameters, and numbers only JavaScript parses (`0x10`, `1e1`).
 * @param query validated: no parameter is an array
 */
function addRawTextErrors(errors: FieldErrors, sent: RequestContext['query'], query: Record<string, unknown>): void {
  for (const [name, text] of Object.entries(sent)) {
    const isKnown = errors[name]?.[0]?.code !== 'field_not_allowed';
    if (Array.isArray(text) && errors[name] && isKnown) {
      errors[name] = [{ code: 'invalid_type', message: t`This parameter was sent twice. Send it once.` }];
    } else if (typeof query[name] === 'number' && !/^-?\d+$/.test(String(text))) {
      errors[name] = [{ code: 'invalid_type', message: t`Must be a whole number, in decimal digits.` }];
    }
  }
}

function unusableMessage(names: string[]): Text {
  const named = names.slice(0, maxNamed).join(', ');
  if (names.length > maxNamed) return t`The parameters ${named} and others can't be used like this.`;
  return tn(
    names.length,
    t`The parameter ${named} can't be used like this.`,
    t`The parameters ${named} can't be used like this.`,
  );
}

/** Parameters named in the message; `details` has all of them. */
const maxNamed = 5;

const detailsMembers = Object.keys(contract.components.schemas.ErrorDetails!.properties!);

/** A client may invent a parameter with the name of a member that other errors have in their details. */
function withoutClashes(errors: FieldErrors): FieldErrors {
  const entries = Object.entries(errors);
  return Object.fromEntries(
    entries.map(([name, errors]) => [detailsMembers.includes(name) ? `query.${name}` : name, errors]),
  );
}

function bodyProblem({ operation, body: { value, files } }: RequestContext): Problem | undefined {
  if (!operation.body) return undefined;
  if (value === undefined) return operation.body.required ? validationError(missing) : undefined;
  const validate = files?.isForm ? operation.form!.validate : operation.body.validate!;
  // Errors found while a file arrived replace those of its field here.
  const errors = { ...fieldErrors(validate, value, 'body'), ...files?.errors };
  if (Object.keys(errors).length > 0) return validationError(errors);
  if (files?.refusal) return files.refusal;
  if (files) Object.assign(value as object, files.replacements);
  for (const name of operation.readOnlyFields.notCompared) delete (value as Record<string, unknown>)[name];
  return undefined;
}

const missing: FieldErrors = { body: [{ code: 'required', message: t`This field is required.` }] };
