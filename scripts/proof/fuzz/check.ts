// Invariants of every response, and expectations that follow from how a request was generated.
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { ContractRouter } from '../../../src/api/http/engine/contract-router.ts';
import { contract, contractOperations, resolve, type Schema } from '../../../src/contract/contract.ts';
import { contractAjv } from '../../generate/contract-ajv.ts';
import type { Expected } from './requests.ts';
import type { FuzzResponse } from './send.ts';

// Shared by all responses, so that each component is compiled once.
const ajv = contractAjv().addSchema({ components: contract.components }, 'contract');
const compiled = new Map<string, ValidateFunction>();

function validator(schema: Schema): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/');
  const known = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, known);
  return known;
}

const apiError: Schema = { $ref: '#/components/schemas/ApiError' };
const operations = new Map(contractOperations.map(({ operation }) => [operation.operationId, operation]));
const router = new ContractRouter({ definition: contract as never, apiRoot: '/' });

/** Errors that no schema expresses, so even schema-valid requests may get them: on any field, or on single ones. */
const rulesBeyondTheSchema = new Set([
  'taken',
  'not_found',
  'self',
  'cycle',
  'sheet field_not_allowed', // not for a CSV file
  'cursor field_not_allowed', // with start=latest, as the next
  'since field_not_allowed',
  'from out_of_range', // in the future
  'replay_from out_of_range',
  'to out_of_range', // not after `from`
  'target_url required', // or one of its aliases
  'id required', // or a target_url
  'termination_date out_of_range', // before the hire date
  'hire_date out_of_range',
  'manager_id required', // with `reports`
  'name invalid_format', // with invisible characters
  'options field_not_allowed', // not for this type of custom field, or required for it:
  'options required',
  'unique field_not_allowed',
  'write out_of_range', // more roles than can read it
  'confirm not_in_enum', // the key of the deleted field
  'issuer invalid_format', // with a query, or in a private network
  // Sign-in connections: fields of the protocol, and checks of the provider's values.
  'issuer required',
  'client_id required',
  'client_secret required',
  'saml required',
  'issuer field_not_allowed',
  'client_id field_not_allowed',
  'client_secret field_not_allowed',
  'saml field_not_allowed',
  'client_authentication field_not_allowed',
  'saml.sso_url required',
  'saml.certificates required',
  'saml.entity_id required',
  'saml.metadata_url invalid_format',
  'saml.metadata_xml invalid_format',
  'saml.sso_url invalid_format',
  'saml.certificates.N invalid_format',
  'jwks field_not_allowed', // of a public app
  'field_mapping.N.attribute invalid_format', // not an attribute of SCIM
  'sort not_in_enum', // an unknown custom field
  'fields not_in_enum', // reported with the list of names, instead of a pattern
]);

/** @returns violations in the response to `method path`, as sentences */
export function violations(method: string, path: string, expected: Expected, response: FuzzResponse): string[] {
  // A leading question mark makes it a request for the root page.
  const requestViolations =
    path === '/' ? [] : [...contractViolations(method, path, response), ...expectationViolations(expected, response)];
  return [...responseViolations(response), ...requestViolations];
}

/** For any response of the service, also outside the contract. */
export function* responseViolations({ status, headers, text }: FuzzResponse): Generator<string> {
  if (status >= 500) yield `returned ${status}: ${text.slice(0, 200)}`;
  if (!headers['x-request-id']) yield 'has no X-Request-Id';
  if (text !== '' && !headers['content-type']) yield 'has no Content-Type';
  if (headers['x-content-type-options'] !== 'nosniff') yield 'has no X-Content-Type-Options: nosniff';
  if (headers['x-injected']) yield 'has a header that was injected';
  const sharedWith = headers['access-control-allow-origin'] ?? '*';
  if (!/^(\*|http:\/\/127\.0\.0\.1(:\d+)?)$/.test(sharedWith)) yield `is shared with ${sharedWith}`;
  if (headers['access-control-allow-credentials']) yield 'is shared with credentials';
  if (/\bat (\S+ \()?(file:|\/|node:)\S+:\d+:\d+|node_modules\//.test(text))
    yield `shows the inside: ${text.slice(0, 300)}`;
}

/** For responses to requests on paths of the contract. */
export function* contractViolations(
  method: string,
  path: string,
  { status, headers, text }: FuzzResponse,
): Generator<string> {
  if (!/^application\/json(;|$)/.test(headers['content-type'] ?? '') && text !== '') {
    yield `is ${headers['content-type']} in place of JSON`;
    return;
  }
  if (!headers['x-api-version']) yield 'has no X-Api-Version';
  if (!/private|no-store/.test(headers['cache-control'] ?? '')) yield 'may be kept by shared caches';
  const body = method === 'HEAD' || text === '' ? undefined : parsed(text);
  if (body === notJson) {
    yield `is no JSON: ${text.slice(0, 200)}`;
    return;
  }
  const match = router.matchOperation({ method: method === 'HEAD' ? 'GET' : method, path, headers: {} });
  const operation = match && operations.get(match.operationId!)!;
  const declared = operation?.responses[String(status)];
  if (operation && !declared) yield `${status} is not declared by ${operation.operationId}`;
  if (!operation && ![400, 401, 403, 404, 405, 414, 429, 431].includes(status))
    yield `${status} for a path or method of no operation`;
  if (body === undefined) {
    if (method !== 'HEAD' && status !== 304) yield 'has no body';
    return;
  }
  const { content, headers: declaredHeaders } = (declared ? resolve(declared) : {}) as DeclaredResponse;
  const validate = validator(content?.['application/json']?.schema ?? apiError);
  if (!validate(body)) {
    const [error] = validate.errors!;
    yield `has a body that breaks the contract at ${error!.instancePath || 'its root'}: ${error!.message}`;
  }
  for (const [name, header] of Object.entries(declaredHeaders ?? {})) {
    const { required } = resolve(header) as { required?: boolean };
    if (required && headers[name.toLowerCase()] === undefined) yield `lacks the header ${name}`;
  }
  if (status === 401 && !headers['www-authenticate']) yield 'is 401 without WWW-Authenticate';
  if (status === 405 && !headers.allow) yield 'is 405 without Allow';
  if (status === 429 && !headers['retry-after']) yield 'is 429 without Retry-After';
}

interface DeclaredResponse {
  content?: Record<string, { schema: Schema }>;
  headers?: Record<string, object>;
}

const notJson = Symbol('no JSON');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}

type Refusal = { error: string; details?: Record<string, { code: string }[]> };

/** @yields mismatches with how the request was generated */
function* expectationViolations(expected: Expected, { status, text }: FuzzResponse): Generator<string> {
  if (expected.kind === 'nasty' || status >= 500) return;
  const { error, details = {} } = (parsed(text) as Refusal) ?? {};
  if (expected.kind === 'valid') {
    if ([401, 403, 404, 405, 406, 413, 415].includes(status)) yield `returned ${status} ${error} to a valid request`;
    if (status !== 400 || error === 'pagination_conflict' || error === 'invalid_cursor') return;
    const refused = Object.entries(details).filter(
      ([field, errors]) => !errors.some(({ code }) => isBeyondTheSchema(field, code)),
    );
    for (const [field, errors] of refused)
      yield `refuses ${field} of a valid request: ${errors.map(formatError).join(', ')}`;
    return;
  }
  const { field, codes } = expected;
  if (status !== 400 || error !== expected.error) {
    yield `returned ${status} ${error} in place of 400 ${expected.error} for ${field} (${codes.join(', ')})`;
    return;
  }
  const found = details[Object.keys(details).find((name) => name.toLowerCase() === field.toLowerCase()) ?? ''] ?? [];
  // An object that must be absent hides the errors in it.
  const isHidden = Object.entries(details).some(
    ([name, errors]) => field.startsWith(`${name}.`) && errors.some(({ code }) => isBeyondTheSchema(name, code)),
  );
  if (isHidden) return;
  if (!found.some(({ code }) => codes.includes(code))) {
    yield `does not tell ${codes.join(' or ')} of ${field}, but ${JSON.stringify(details).slice(0, 300)}`;
  }
  const others = Object.keys(details)
    .filter((name) => name !== field && !name.startsWith(`${field}.`))
    .filter((name) => !details[name]!.every(({ code }) => isBeyondTheSchema(name, code)));
  if (others.length > 0) yield `blames ${others.join(', ')} where only ${field} is wrong`;
}

function isBeyondTheSchema(field: string, code: string): boolean {
  if (/^(custom_fields[.[]|jwks\.keys\.)/.test(field)) return true; // rules of the company's fields, and of public keys
  if (code === 'field_not_allowed' && /^(filters\.|sort$|columns$)/.test(field)) return true; // of another saved view's list
  return (
    rulesBeyondTheSchema.has(code) || rulesBeyondTheSchema.has(`${field.replaceAll(/\.\d+(?=\.|$)/g, '.N')} ${code}`)
  );
}

function formatError({ code, message }: { code: string; message?: string }): string {
  return `${code} (${message})`;
}
