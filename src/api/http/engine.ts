/**
 * openapi-backend as the engine: it reads the contract and compiles the validators. What it would do again for every
 * request is done here once, at start: one record per operation, with all that a request needs.
 *
 * Its defaults are corrected: JSON Schema 2020-12 with formats (it builds draft-07 without), all errors instead of the
 * first, and no check against the 3.0 meta-schema (which refuses 3.1; `make check` lints the document instead).
 */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import {
  contract,
  contractOperations,
  type FieldAccess,
  type Method,
  type Operation,
  resolve,
  type Schema,
} from '../../contract/contract.ts';
import { createAjv } from '../../contract/validation.ts';
import {
  fieldRules,
  type OperationAccess,
  operationAccess,
  type ValueRules,
  valueRules,
} from '../../product/access/permissions.ts';
import type { OperationId } from '../handler.ts';

/** Everything about one operation that does not depend on the request. */
export interface OperationRecord {
  operationId: OperationId;
  method: Method;
  path: string;
  tag: string;
  access: OperationAccess;
  /** Whether it acts for the company of `X-Company-Id`. */
  acts_for_company: boolean;
  /** Whether its path names a collaborator; `deleted` where deleted ones are found too. */
  on_collaborator: boolean | 'deleted';
  /** Whether its path names a webhook subscription. */
  on_webhook: boolean;
  /** Whether its path names an import. */
  on_import: boolean;
  /** Whether its path names an export. */
  on_export: boolean;
  takes_idempotency_key: boolean;
  /** The limit that counts beside the general ones. */
  rate_limit: 'upload' | 'heavy' | undefined;
  /** Media types of the request body; empty when it takes none. */
  accepts: string[];
  /** Largest body, where it is not the usual one. */
  max_body_bytes: number | undefined;
  /** Rules for single fields of the body. */
  write_rules: Map<string, FieldAccess>;
  /** Rules for single values of fields of the body. */
  value_rules: Map<string, ValueRules>;
  validateParameters: ValidateFunction;
  validateBody: ValidateFunction | undefined;
  /** Where the body may be a form. */
  form: FormRecord | undefined;
  /** The statuses that are declared. */
  statuses: ReadonlySet<number>;
  /** Checks a body of one of them; undefined where none is declared. Compiled when it is first asked for. */
  responseValidator(status: number): ValidateFunction | undefined;
}

export interface FormRecord {
  /** The parts that are files. */
  files: string[];
  /** The parts that are written as JSON: a form knows only texts. */
  json: string[];
  /** Turns texts into what the contract says, and sets defaults, in place. */
  validate: ValidateFunction;
}

export async function loadOperations(): Promise<OperationRecord[]> {
  const engine = new OpenAPIBackend({
    // The engine dereferences in place.
    definition: withoutItemsCheckedApart(structuredClone(contract)) as unknown as Document,
    quick: true,
    customizeAjv: (_, options, context) => {
      // Query and path values arrive as text and are turned into what the contract says; bodies are taken as sent.
      return createAjv({ ...options, coerceTypes: context === 'paramsValidator' } as never) as never;
    },
  });
  await engine.init();
  return contractOperations.map(({ path, method, operation }) => recordOf(engine, path, method, operation));
}

/** Of arrays with `x-checked-apart`, only that there are objects in them: the operation checks each of these. */
function withoutItemsCheckedApart(definition: typeof contract): typeof contract {
  const properties = Object.values(definition.components.schemas).flatMap((schema) =>
    Object.values(schema.properties ?? {}),
  );
  for (const property of properties) if (property['x-checked-apart']) property.items = { type: 'object' };
  return definition;
}

function recordOf(engine: OpenAPIBackend, path: string, method: Method, operation: Operation): OperationRecord {
  const { operationId, requestBody } = operation;
  const compiled = engine.validator.getRequestValidatorsForOperation(operationId);
  const body = requestBody ? Object.values(requestBody.content)[0] : undefined;
  return {
    operationId: operationId as OperationId,
    method,
    path,
    tag: operation.tags[0]!,
    access: operationAccess(operation),
    acts_for_company: path.startsWith('/v1/'),
    on_collaborator: path.startsWith('/v1/collaborators/{id}') && (operation['x-deleted-records'] ? 'deleted' : true),
    on_webhook: path.startsWith('/v1/webhooks/{id}'),
    on_import: path.startsWith('/v1/imports/{id}'),
    on_export: path.startsWith('/v1/exports/{id}'),
    rate_limit: operation['x-rate-limit'],
    max_body_bytes: operation['x-max-body-bytes'],
    takes_idempotency_key: operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false,
    accepts: Object.keys(requestBody?.content ?? {}),
    write_rules: body ? fieldRules(body.schema, 'x-write-access') : new Map(),
    value_rules: body ? valueRules(body.schema) : new Map(),
    form: formOf(requestBody?.content['multipart/form-data']?.schema),
    // The engine compiles the body first, when there is one, and the parameters last.
    validateParameters: compiled.at(-1) as ValidateFunction,
    validateBody: requestBody ? (compiled[0] as ValidateFunction) : undefined,
    statuses: new Set(Object.keys(operation.responses).map(Number)),
    responseValidator: (status) =>
      engine.validator.getStatusBasedResponseValidatorForOperation(operationId)?.[status] as
        | ValidateFunction
        | undefined,
  };
}

/** The engine does not check files, and checks one kind of body only: so forms are checked by a validator of their own. */
function formOf(schema: Schema | undefined): FormRecord | undefined {
  if (!schema) return undefined;
  const { properties = {}, ...form } = dereferenced(schema); // Ajv sets no default that stands behind a reference
  const parts = Object.entries(properties);
  const files = parts.filter(([, { format }]) => format === 'binary').map(([name]) => name);
  const json = parts.filter(([, { type }]) => type === 'object').map(([name]) => name);
  const received = files.map((name) => [name, { type: 'object' }]);
  const body = { ...form, properties: { ...properties, ...Object.fromEntries(received) } };
  const validate = createAjv({ coerceTypes: true }).compile({
    type: 'object',
    required: ['requestBody'],
    properties: { requestBody: body },
  });
  return { files, json, validate };
}

/** Of a schema that does not contain itself. */
function dereferenced<T>(node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(dereferenced) as T;
  return Object.fromEntries(Object.entries(resolve(node)).map(([key, value]) => [key, dereferenced(value)])) as T;
}
