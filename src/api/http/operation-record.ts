/** The contract of each operation, as one record per operation, built at startup. */
import type { resources } from '../../../generated/api.ts';
import { bodies } from '../../../generated/validators/bodies.js';
import { forms } from '../../../generated/validators/forms.js';
import { parameters } from '../../../generated/validators/parameters.js';
import { responses } from '../../../generated/validators/responses.js';
import {
  contractOperations,
  type FieldAccess,
  type Method,
  type Operation,
  readOnlyFields,
  resolve,
  type Schema,
} from '../../contract/contract.ts';
import type { Validate } from '../../contract/validation.ts';
import {
  fieldRules,
  type OperationAccess,
  operationAccess,
  type ValueRules,
  valueRules,
} from '../../product/access/permissions.ts';
import type { OperationId } from '../handler.ts';

export type Resource = resources[keyof resources];

export interface OperationRecord {
  operationId: OperationId;
  method: Method;
  path: string;
  tag: string;
  security: Operation['security'];
  access: OperationAccess;
  resource: Resource | undefined;
  includesDeleted: boolean;
  /** Header parameters as in the contract, by lower-case name. */
  headerNames: ReadonlyMap<string, string>;
  acceptsIdempotencyKey: boolean;
  acceptsIfNoneMatch: boolean;
  rate_limit: 'upload' | 'heavy' | undefined;
  /** Media types of the request body; empty without a body. */
  accepts: string[];
  max_body_bytes: number | undefined;
  read_rules: Map<string, FieldAccess>;
  writeRules: Map<string, FieldAccess>;
  valueRules: Map<string, ValueRules>;
  /** Read-only body fields: responses contain them, and the operation ignores them. */
  readOnlyFields: ReturnType<typeof readOnlyFields>;
  validateParameters: Validate;
  /** Query parameters that are objects, with each member in brackets (`deepObject` of OpenAPI). */
  deepParameters: string[];
  body: BodyRecord | undefined;
  form: FormRecord | undefined;
  /** The field of a JSON body with a base64 file; the first part of the equivalent form. */
  encoded: string | undefined;
  /** The declared statuses with their body validators; undefined for no body. */
  responseValidators: ReadonlyMap<number, Validate | undefined>;
}

export interface BodyRecord {
  required: boolean;
  validate: Validate | undefined;
}

export interface FormRecord {
  files: string[];
  /** The parts encoded as JSON: form fields are texts. */
  json: string[];
  /** Coerces texts to their types and sets defaults, in place. */
  validate: Validate;
}

export function loadOperations(): OperationRecord[] {
  return contractOperations.map(({ path, method, operation }) => recordOf(path, method, operation));
}

function recordOf(path: string, method: Method, operation: Operation): OperationRecord {
  const { requestBody } = operation;
  const operationId = operation.operationId as OperationId;
  const body = requestBody ? Object.values(requestBody.content)[0] : undefined;
  return {
    operationId,
    method,
    path,
    tag: operation.tags[0]!,
    security: securityOf(operation),
    access: operationAccess(operation),
    resource: operation['x-resource'] as Resource | undefined,
    includesDeleted: operation['x-deleted-records'] ?? false,
    rate_limit: operation['x-rate-limit'],
    max_body_bytes: operation['x-max-body-bytes'],
    headerNames: headerNamesOf(operation),
    acceptsIdempotencyKey: acceptsHeader(operation, 'Idempotency-Key'),
    acceptsIfNoneMatch: acceptsHeader(operation, 'If-None-Match'),
    accepts: Object.keys(requestBody?.content ?? {}),
    read_rules: readRules(operation),
    writeRules: body ? fieldRules(body.schema, 'x-write-access') : new Map(),
    valueRules: body ? valueRules(body.schema) : new Map(),
    readOnlyFields: readOnlyFields(body?.schema ?? {}),
    validateParameters: parameters[operationId],
    deepParameters: deepParameters(operation),
    body: requestBody && {
      required: requestBody.required ?? false,
      validate: validatorFor(bodies, requestBody.content['application/json']?.schema),
    },
    form: formOf(operationId, requestBody?.content['multipart/form-data']?.schema),
    encoded: encodedOf(requestBody?.content['application/json']?.schema),
    responseValidators: responseValidatorsOf(operation),
  };
}

/** @throws for an operation without authentication: its record and roles would go unchecked */
function securityOf({ operationId, security }: Operation): Operation['security'] {
  if (!security.some(({ oauth2 }) => oauth2)) throw new Error(`${operationId} has no security scheme.`);
  return security;
}

function acceptsHeader({ parameters }: Operation, header: string): boolean {
  return parameters?.some(({ name }) => name === header) ?? false;
}

/** Node has header names in lower case. */
function headerNamesOf({ parameters = [] }: Operation): ReadonlyMap<string, string> {
  const headers = parameters.filter((each) => each.in === 'header');
  return new Map(headers.map(({ name }) => [name!.toLowerCase(), name!]));
}

/** Forms have their own validator, because their fields are texts and files. */
function formOf(operationId: OperationId, schema: Schema | undefined): FormRecord | undefined {
  if (!schema) return undefined;
  const parts = Object.entries(resolve(schema).properties ?? {}).map(([name, part]) => [name, resolve(part)] as const);
  const files = parts.filter(([, { format }]) => format === 'binary').map(([name]) => name);
  const json = parts.filter(([, { type }]) => type === 'object').map(([name]) => name);
  return { files, json, validate: forms[operationId as keyof typeof forms] };
}

function readRules({ responses: declared }: Operation): Map<string, FieldAccess> {
  const successes = Object.entries(declared).filter(([status]) => status.startsWith('2'));
  return new Map(
    successes.flatMap(([, response]) => {
      const schema: Schema | undefined = resolve(response).content?.['application/json']?.schema;
      return schema ? [...fieldRules(schema, 'x-read-access')] : [];
    }),
  );
}

function encodedOf(schema: Schema | undefined): string | undefined {
  const fields = Object.entries((schema && resolve(schema).properties) ?? {});
  return fields.find(([, field]) => resolve(field).contentEncoding === 'base64')?.[0];
}

function responseValidatorsOf({ responses: declared }: Operation): ReadonlyMap<number, Validate | undefined> {
  const entries = Object.entries(declared).map(([status, response]) => {
    return [Number(status), validatorFor(responses, resolve(response).content?.['application/json']?.schema)] as const;
  });
  return new Map(entries);
}

/** @throws when the generated files don't match the contract: nothing may skip validation */
function validatorFor(validators: Record<string, Validate>, schema: Schema | undefined): Validate | undefined {
  if (!schema) return undefined;
  const validate = validators[schema.$ref!.split('/').at(-1)!];
  if (!validate) throw new Error(`There is no validator for ${schema.$ref}: run \`make generate\`.`);
  return validate;
}

function deepParameters({ parameters = [] }: Operation): string[] {
  return parameters.filter(({ style }) => style === 'deepObject').map(({ name }) => name!);
}
