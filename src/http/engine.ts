/**
 * openapi-backend as the engine: it reads the contract and compiles the validators. What it would do again for every
 * request is done here once, at start: one record per operation, with all that a request needs.
 *
 * Its defaults are corrected: JSON Schema 2020-12 with formats (it builds draft-07 without), all errors instead of the
 * first, and no check against the 3.0 meta-schema (which refuses 3.1; `make check` lints the document instead).
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import {
  fieldRules,
  type OperationAccess,
  operationAccess,
  type ValueRules,
  valueRules,
} from '../access/permissions.ts';
import {
  contract,
  contractOperations,
  type FieldAccess,
  type Method,
  type Operation,
  resolve,
  type Schema,
} from '../contract.ts';
import type { OperationId } from './handler.ts';

/** Everything about one operation that does not depend on the request. */
export interface OperationRecord {
  operationId: OperationId;
  method: Method;
  path: string;
  access: OperationAccess;
  /** Whether it acts for the company of `X-Company-Id`. */
  acts_for_company: boolean;
  /** Whether its path names a collaborator; `deleted` where deleted ones are found too. */
  on_collaborator: boolean | 'deleted';
  /** Whether its path names a webhook subscription. */
  on_webhook: boolean;
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
  /** By declared status; a missing one is not declared, undefined means declared without a JSON body. */
  responses: Map<number, ValidateFunction | undefined>;
}

export interface FormRecord {
  /** The parts that are files. */
  files: string[];
  validate: ValidateFunction;
}

export async function loadOperations(): Promise<OperationRecord[]> {
  const engine = new OpenAPIBackend({
    // The engine dereferences in place.
    definition: structuredClone(contract) as unknown as Document,
    quick: true,
    customizeAjv: (_, options, context) => {
      // Query and path values arrive as text and are turned into what the contract says; bodies are taken as sent.
      const coerceTypes = context === 'paramsValidator';
      // Cents are no multiples of 0.01 in binary floating point: compare with a tolerance.
      const exact = { allErrors: true, strict: false, useDefaults: true, multipleOfPrecision: 4, verbose: true };
      return withFormats(new Ajv2020({ ...options, ...exact, coerceTypes })) as never;
    },
  });
  await engine.init();
  return contractOperations.map(({ path, method, operation }) => recordOf(engine, path, method, operation));
}

/** RFC 3339 has a year 0, the calendar of the database has none: such a date is refused as one that is not there. */
function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv as never);
  const { validate } = fullFormats.date as { validate: (text: string) => boolean };
  return ajv.addFormat('date', (text: string) => !text.startsWith('0000') && validate(text));
}

function recordOf(engine: OpenAPIBackend, path: string, method: Method, operation: Operation): OperationRecord {
  const { operationId, requestBody } = operation;
  const compiled = engine.validator.getRequestValidatorsForOperation(operationId);
  const body = requestBody ? Object.values(requestBody.content)[0] : undefined;
  return {
    operationId: operationId as OperationId,
    method,
    path,
    access: operationAccess(operation),
    acts_for_company: path.startsWith('/v1/'),
    on_collaborator: path.startsWith('/v1/collaborators/{id}') && (operation['x-deleted-records'] ? 'deleted' : true),
    on_webhook: path.startsWith('/v1/webhooks/{id}'),
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
    responses: responsesOf(engine, operation),
  };
}

/** The engine does not check files, and checks one kind of body only: so forms are checked by a validator of their own. */
function formOf(schema: Schema | undefined): FormRecord | undefined {
  if (!schema) return undefined;
  const { properties = {}, ...form } = resolve(schema);
  const files = Object.keys(properties).filter((name) => properties[name]!.format === 'binary');
  const received = files.map((name) => [name, { type: 'object' }]);
  const body = { ...form, properties: { ...properties, ...Object.fromEntries(received) } };
  const ajv = withFormats(new Ajv2020({ allErrors: true, strict: false, verbose: true }));
  const { components } = contract;
  const validate = ajv.compile({
    type: 'object',
    required: ['requestBody'],
    properties: { requestBody: body },
    components,
  });
  return { files, validate: validate as unknown as ValidateFunction };
}

function responsesOf(engine: OpenAPIBackend, operation: Operation): Map<number, ValidateFunction | undefined> {
  const validators = engine.validator.getStatusBasedResponseValidatorForOperation(operation.operationId) ?? {};
  const declared = new Map<number, ValidateFunction | undefined>();
  for (const [status, response] of Object.entries(operation.responses)) {
    const hasBody = resolve(response).content?.['application/json'] !== undefined;
    declared.set(Number(status), hasBody ? (validators[status] as ValidateFunction) : undefined);
  }
  return declared;
}
