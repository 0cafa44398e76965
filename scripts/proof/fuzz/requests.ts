// Valid requests of one operation.
import fc from 'fast-check';
import { type contractOperations, resolve, type Schema } from '../../../src/contract/contract.ts';
import { formBytes, formType, type Part } from './values/forms.ts';
import { rulesOf } from './values/rules.ts';
import { fittingFile } from './values/uploads.ts';
import { placeholder, valid } from './values/values.ts';
import type { Role } from './world.ts';

export type ContractOperation = (typeof contractOperations)[number];

export interface FuzzRequest {
  caller: Role;
  method: string;
  /** With placeholders for ids of existing records. */
  path: string;
  query: string;
  headers: [string, string][];
  body?: Content;
  expected: Expected;
}

type Content = { json: unknown } | { form: Part[] } | { bytes: Buffer };

export type Expected =
  | { kind: 'valid' }
  | { kind: 'fault'; error: 'validation_error' | 'invalid_parameter'; field: string; codes: readonly string[] }
  /** Any response allowed by the contract, including those without an operation (404, 405). */
  | { kind: 'nasty' };

type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema; required?: boolean };

export function validRequests({ path, method, operation }: ContractOperation): fc.Arbitrary<FuzzRequest> {
  const parameters = parametersOf(operation);
  const inHeader = parameters
    .filter((each) => each.in === 'header')
    .map(({ name, schema }) => [name, valid(schema, name)]);
  const headers = fc.record(Object.fromEntries(inHeader), { requiredKeys: [], noNullPrototype: true });
  const query = fc.tuple(queryOf(parameters, true), queryOf(parameters, false)).chain(([required, others]) =>
    // Most requests have few parameters, because they contradict each other.
    fc.subarray(others, { maxLength: Math.min(3, others.length) }).map((some) => [...required, ...some]),
  );
  return fc
    .record({
      n: fc.array(fc.nat({ max: 99 }), { minLength: 2, maxLength: 2 }),
      query,
      headers,
      body: contents(operation),
    })
    .map(({ n, query, headers, body }) => ({
      caller: 'admin' as const,
      method: method.toUpperCase(),
      path: namedPath(chosenPath(path, operation, n[0]!), n[0]!),
      query: queryText(query),
      headers: [
        ...Object.entries(headers).map(([name, value]) => [name, headerText(value)] as [string, string]),
        ...typeHeader(body),
      ],
      ...(body && { body }),
      expected: { kind: 'valid' } as const,
    }));
}

export function parametersOf(operation: ContractOperation['operation']): Parameter[] {
  const parameters = (operation.parameters ?? []) as unknown as Parameter[];
  // The company depends on the caller: it is added when sending.
  return parameters.filter(({ name }) => name !== 'X-Company-Id');
}

/** Values of required or optional query parameters. */
export function queryOf(parameters: Parameter[], required: boolean): fc.Arbitrary<[string, unknown][]> {
  const selected = parameters.filter((each) => each.in === 'query' && Boolean(each.required) === required);
  return fc.tuple(
    ...selected.map(({ name, schema }) => valid(schema, name).map((value): [string, unknown] => [name, value])),
  );
}

/** Valid values of a pattern, of which some always exist. */
const existingValues: Readonly<Record<string, string[]>> = { field_name: ['department', 'location', 'position'] };

/** Replaces path parameters that have known values. */
function chosenPath(path: string, operation: ContractOperation['operation'], n: number): string {
  const inPath = parametersOf(operation).filter((each) => each.in === 'path');
  return inPath.reduce((chosen, { name, schema }) => {
    const values = (schema.enum as string[] | undefined) ?? existingValues[name];
    if (!values) return chosen;
    return chosen.replace(`{${name}}`, values[n % values.length]!);
  }, path);
}

/** Replaces path ids with placeholders for existing records. */
function namedPath(path: string, n: number): string {
  const segments = path.split('/').slice(2); // after /v1
  const kind = segments.filter((_, at) => segments[at + 1]?.startsWith('{')).join('/');
  if (!kind) return path;
  const names = segments.flatMap((segment, at) => (segment.startsWith('{') ? [at] : []));
  if (names.length === 1) return path.replace(/\{\w+\}/, placeholder(kind, n));
  return path.replace(/\{\w+\}\/(\w+)\/\{\w+\}/, placeholder(kind, n));
}

/** Restricts to valid header characters (RFC 9110, section 5.5), without surrounding white space. */
function headerText(value: unknown): string {
  const text = String(value).replace(/[^\x21-\x7e]/gu, 'x');
  return text.startsWith('"') && text.endsWith('"') ? text : text.trim();
}

export function queryText(query: [string, unknown][]): string {
  if (query.length === 0) return '';
  return `?${new URLSearchParams(query.flatMap(([name, value]) => namedTexts(name, value)))}`;
}

/** Object members as separate parameters (`deepObject` in OpenAPI). */
function namedTexts(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([key, member]) => [`${name}[${key}]`, String(member)]);
}

function contents({ requestBody }: ContractOperation['operation']): fc.Arbitrary<Content | undefined> {
  if (!requestBody) return fc.constant(undefined);
  const kinds = Object.entries(requestBody.content).map(([type, { schema }]): fc.Arbitrary<Content> => {
    if (type === 'multipart/form-data') return forms(schema);
    return valid(schema).map((json) => ({ json }));
  });
  return fc.oneof(...kinds);
}

export function forms(schema: Schema): fc.Arbitrary<{ form: Part[] }> {
  const { properties = {}, required = [] } = rulesOf(schema);
  const parts = Object.entries(properties).map(([name, property]): fc.Arbitrary<Part[]> => {
    const isFile = resolve(property).format === 'binary';
    const part: fc.Arbitrary<Part> = isFile
      ? fc.constant({ name, ...fittingFile(resolve(property)) })
      : valid(property, name).map((value) => ({
          name,
          content: typeof value === 'object' ? JSON.stringify(value) : String(value),
        }));
    return required.includes(name)
      ? part.map((one) => [one])
      : fc.option(part, { nil: undefined }).map((one) => (one ? [one] : []));
  });
  return fc.tuple(...parts).map((all) => ({ form: all.flat() }));
}

function typeHeader(body: Content | undefined): [string, string][] {
  if (!body) return [];
  return [['Content-Type', 'form' in body ? formType : 'application/json']];
}

export function bytesOf(body: Content | undefined): Buffer | undefined {
  if (!body) return undefined;
  if ('bytes' in body) return body.bytes;
  return 'form' in body ? formBytes(body.form) : Buffer.from(JSON.stringify(body.json));
}
