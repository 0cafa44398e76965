/** What the contract says of each operation, read once at start: one record, with all that a request needs. */
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
  resolve,
  type Schema,
  shownOnly,
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

/** What `x-resource` may say. */
export type Resource = resources[keyof resources];

/** Everything about one operation that does not depend on the request. */
export interface OperationRecord {
  operationId: OperationId;
  method: Method;
  path: string;
  tag: string;
  /** As the contract has it: by which scheme, with which scopes. */
  security: Operation['security'];
  access: OperationAccess;
  /** What `{id}` or `{key}` of its path names. */
  resource: Resource | undefined;
  /** Whether that may be deleted. */
  findsDeleted: boolean;
  takesIdempotencyKey: boolean;
  takesIfNoneMatch: boolean;
  /** The limit that counts beside the general ones. */
  rate_limit: 'upload' | 'heavy' | undefined;
  /** Media types of the request body; empty when it takes none. */
  accepts: string[];
  /** Largest body, where it is not the usual one. */
  max_body_bytes: number | undefined;
  /** Rules for single fields of successful answers. */
  read_rules: Map<string, FieldAccess>;
  /** Rules for single fields of the body. */
  writeRules: Map<string, FieldAccess>;
  /** Rules for single values of fields of the body. */
  valueRules: Map<string, ValueRules>;
  /** Fields of the body that answers show, and that the operation does not set. */
  shownOnly: ReturnType<typeof shownOnly>;
  validateParameters: Validate;
  /** Query parameters that are objects, each member one in brackets (`deepObject` of OpenAPI). */
  deepParameters: string[];
  /** Undefined where there is none. */
  body: BodyRecord | undefined;
  /** Where the body may be a form. */
  form: FormRecord | undefined;
  /** The field of a JSON body that is a file in base64, which a form has as its first part. */
  encoded: string | undefined;
  /** The statuses that are declared, with what checks their body; undefined where there is none. */
  answers: ReadonlyMap<number, Validate | undefined>;
}

export interface BodyRecord {
  required: boolean;
  /** Of JSON; undefined where the body is always a form. */
  validate: Validate | undefined;
}

export interface FormRecord {
  /** The parts that are files. */
  files: string[];
  /** The parts that are written as JSON: a form knows only texts. */
  json: string[];
  /** Turns texts into what the contract says, and sets defaults, in place. */
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
    findsDeleted: operation['x-deleted-records'] ?? false,
    rate_limit: operation['x-rate-limit'],
    max_body_bytes: operation['x-max-body-bytes'],
    takesIdempotencyKey: takes(operation, 'Idempotency-Key'),
    takesIfNoneMatch: takes(operation, 'If-None-Match'),
    accepts: Object.keys(requestBody?.content ?? {}),
    read_rules: readRules(operation),
    writeRules: body ? fieldRules(body.schema, 'x-write-access') : new Map(),
    valueRules: body ? valueRules(body.schema) : new Map(),
    shownOnly: shownOnly(body?.schema ?? {}),
    validateParameters: parameters[operationId],
    deepParameters: deepParameters(operation),
    body: requestBody && {
      required: requestBody.required ?? false,
      validate: named(bodies, requestBody.content['application/json']?.schema),
    },
    form: formOf(operationId, requestBody?.content['multipart/form-data']?.schema),
    encoded: encodedOf(requestBody?.content['application/json']?.schema),
    answers: answersOf(operation),
  };
}

/** @throws when an operation is open to everybody: then nobody would look for its record and its roles */
function securityOf({ operationId, security }: Operation): Operation['security'] {
  if (!security.some(({ oauth2 }) => oauth2))
    throw new Error(`${operationId} names no scheme that would look at the caller.`);
  return security;
}

function takes({ parameters }: Operation, header: string): boolean {
  return parameters?.some(({ name }) => name === header) ?? false;
}

/** Forms have a validator of their own: they are texts, and files. */
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

function answersOf({ responses: declared }: Operation): ReadonlyMap<number, Validate | undefined> {
  const answers = Object.entries(declared).map(([status, response]) => {
    return [Number(status), named(responses, resolve(response).content?.['application/json']?.schema)] as const;
  });
  return new Map(answers);
}

/**
 * The validator of a schema by the name that the schema has in the contract.
 * @throws when the generated files are not of this contract: nothing may pass unchecked
 */
function named(validators: Record<string, Validate>, schema: Schema | undefined): Validate | undefined {
  if (!schema) return undefined;
  const validate = validators[schema.$ref!.split('/').at(-1)!];
  if (!validate) throw new Error(`There is no validator for ${schema.$ref}: run \`make generate\`.`);
  return validate;
}

function deepParameters({ parameters = [] }: Operation): string[] {
  return parameters.filter(({ style }) => style === 'deepObject').map(({ name }) => name!);
}
