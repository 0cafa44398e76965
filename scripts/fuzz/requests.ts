// Requests of one operation: valid ones, ones with exactly one fault, and nasty ones.
import fc from 'fast-check';
import { type contractOperations, resolve, type Schema } from '../../src/contract.ts';
import { breaking, formBytes, formType, type Part } from './forms.ts';
import { mediaTypes, nastyHeaders, nastyQueries, nastySegments, nastyText, nastyValue, tampering } from './nasty.ts';
import { faults, placeholder, rulesOf, valid, withMember } from './values.ts';
import { type Role, roles } from './world.ts';

export type ContractOperation = (typeof contractOperations)[number];

export interface FuzzRequest {
  caller: Role;
  method: string;
  /** With placeholders for the ids of things there are. */
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
  /** Whatever is answered, as long as the contract has it; also what no operation answers (404, 405). */
  | { kind: 'nasty' };

type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema; required?: boolean };

/** A request that the contract allows an admin. */
export function validRequests({ path, method, operation }: ContractOperation): fc.Arbitrary<FuzzRequest> {
  const parameters = parametersOf(operation);
  const inHeader = parameters
    .filter((each) => each.in === 'header')
    .map(({ name, schema }) => [name, valid(schema, name)]);
  const headers = fc.record(Object.fromEntries(inHeader), { requiredKeys: [], noNullPrototype: true });
  const query = fc.tuple(queryOf(parameters, true), queryOf(parameters, false)).chain(([required, others]) =>
    // Most requests have few parameters: together they contradict each other.
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
      path: namedPath(path, n[0]!),
      query: queryText(query),
      headers: [
        ...Object.entries(headers).map(([name, value]) => [name, headerText(value)] as [string, string]),
        ...typeHeader(body),
      ],
      ...(body && { body }),
      expected: { kind: 'valid' } as const,
    }));
}

function parametersOf(operation: ContractOperation['operation']): Parameter[] {
  const parameters = (operation.parameters ?? []) as unknown as Parameter[];
  // Each of these headers is only ever about one record or one try.
  return parameters.filter(({ name }) => name !== 'X-Company-Id');
}

/** Values of the query parameters that are required, or of the others. */
function queryOf(parameters: Parameter[], required: boolean): fc.Arbitrary<[string, unknown][]> {
  const wanted = parameters.filter((each) => each.in === 'query' && Boolean(each.required) === required);
  return fc.tuple(
    ...wanted.map(({ name, schema }) => valid(schema, name).map((value): [string, unknown] => [name, value])),
  );
}

/** The ids in a path are those of things there are. */
function namedPath(path: string, n: number): string {
  const segments = path.split('/').slice(2); // behind /v1
  const kind = segments.filter((_, at) => segments[at + 1]?.startsWith('{')).join('/');
  if (!kind) return path;
  const names = segments.flatMap((segment, at) => (segment.startsWith('{') ? [at] : []));
  if (names.length === 1) return path.replace(/\{\w+\}/, placeholder(kind, n));
  return path.replace(/\{\w+\}\/(\w+)\/\{\w+\}/, placeholder(kind, n));
}

/** What can be sent in a header (RFC 9110, section 5.5), and means the same without white space around it. */
function headerText(value: unknown): string {
  const text = String(value).replace(/[^\x21-\x7e]/gu, 'x');
  return text.startsWith('"') && text.endsWith('"') ? text : text.trim();
}

function queryText(query: [string, unknown][]): string {
  if (query.length === 0) return '';
  return `?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function contents({ requestBody }: ContractOperation['operation']): fc.Arbitrary<Content | undefined> {
  if (!requestBody) return fc.constant(undefined);
  const kinds = Object.entries(requestBody.content).map(([type, { schema }]): fc.Arbitrary<Content> => {
    if (type === 'multipart/form-data') return forms(schema);
    return valid(schema).map((json) => ({ json }));
  });
  return fc.oneof(...kinds);
}

const people = Buffer.from('name,email,position,department\nAda,ada@example.com,Planner,Ops\n');
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const photo = { filename: 'photo.png', content: Buffer.from(png, 'base64'), type: 'image/png' };
const table = { filename: 'people.csv', content: people, type: 'text/csv' };

/** By the name of the part; elsewhere any file will do that is what it says it is. */
function fittingFiles(name: string) {
  return name === 'photo' ? [photo] : [table];
}

function forms(schema: Schema): fc.Arbitrary<Content> {
  const { properties = {}, required = [] } = rulesOf(schema);
  const parts = Object.entries(properties).map(([name, property]): fc.Arbitrary<Part[]> => {
    const isFile = resolve(property).format === 'binary';
    const part: fc.Arbitrary<Part> = isFile
      ? fc.constantFrom(...fittingFiles(name)).map((file) => ({ name, ...file }))
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

/** A valid request with one fault, and how it must be told; undefined where nothing can be wrong. */
export function faultyRequests(each: ContractOperation): fc.Arbitrary<FuzzRequest> | undefined {
  const kinds = [bodyFaults(each), parameterFaults(each)].filter((kind) => kind !== undefined);
  return kinds.length > 0 ? fc.oneof(...kinds) : undefined;
}

function bodyFaults(each: ContractOperation): fc.Arbitrary<FuzzRequest> | undefined {
  const schema = each.operation.requestBody?.content['application/json']?.schema;
  if (!schema) return undefined;
  return fc.tuple(validRequests(each), valid(schema), fc.nat()).map(([request, json, n]) => {
    const all = faults(schema, json);
    const { value, field, codes } = all[n % all.length]!;
    const expected = { kind: 'fault', error: 'validation_error', field: field || 'body', codes } as const;
    // A parameter that is wrong would be told first.
    return { ...request, query: '', headers: [['Content-Type', 'application/json']], body: { json: value }, expected };
  });
}

function parameterFaults(each: ContractOperation): fc.Arbitrary<FuzzRequest> | undefined {
  const parameters = parametersOf(each.operation).filter((parameter) => parameter.in === 'query');
  const unknown = fc.constantFrom('zz_extra', '__proto__', 'constructor', 'toString', 'a[b]', 'é').map((name) => {
    return { name, text: 'x', codes: ['field_not_allowed'] };
  });
  const wrong = parameters.map(({ name, schema }) =>
    fc.tuple(valid(schema, name), fc.nat()).map(([value, n]) => {
      const texts = faults(schema, value).filter(({ value: wrongValue, codes }) =>
        showsInText(schema, wrongValue, codes),
      );
      const twice = { name, text: [String(value), String(value)], codes: ['invalid_type'] };
      if (n % 5 === 0 || texts.length === 0) return twice;
      const fault = texts[n % texts.length]!;
      return { name, text: String(fault.value), codes: fault.codes };
    }),
  );
  const required = queryOf(parametersOf(each.operation), true);
  return fc.tuple(validRequests(each), required, fc.oneof(unknown, ...wrong)).map(([request, others, wrongOne]) => {
    const { name, text, codes } = wrongOne;
    const right = others.filter(([other]) => other !== name);
    const query = queryText([...right, ...[text].flat().map((one): [string, unknown] => [name, one])]);
    const expected = { kind: 'fault', error: 'invalid_parameter', field: name, codes } as const;
    return { ...request, query, expected };
  });
}

/** In a query everything is text: a number there is no wrong type where a text is wanted. */
function showsInText(schema: Schema, value: unknown, codes: readonly string[]): boolean {
  if (typeof value === 'object') return false;
  if (!codes.includes('invalid_type')) return true;
  const { type } = rulesOf(schema);
  return typeof value === 'string' && type !== 'string';
}

/** A request that nobody well-meaning sends. */
export function nastyRequests(each: ContractOperation): fc.Arbitrary<FuzzRequest> {
  const request = validRequests(each).map((one): FuzzRequest => ({ ...one, expected: { kind: 'nasty' } }));
  const changed = <T>(how: fc.Arbitrary<T>, change: (one: FuzzRequest, by: T) => FuzzRequest) =>
    fc.tuple(request, how).map(([one, by]) => change(one, by));
  const anyCaller = changed(fc.constantFrom(...roles), (one, caller) => ({ ...one, caller }));
  const headers = changed(fc.array(fc.constantFrom(...nastyHeaders), { minLength: 1, maxLength: 3 }), (one, more) => ({
    ...one,
    headers: [...one.headers, ...more.map(([name, value]) => [name, value] as [string, string])],
  }));
  const queries = changed(fc.constantFrom(...nastyQueries), (one, query) => ({ ...one, query }));
  const values = changed(fc.tuple(fc.constantFrom(...queryNames(each)), nastyText), (one, [name, value]) => ({
    ...one,
    query: `?${new URLSearchParams([[name, value.slice(0, longest_in_query)]])}`,
  }));
  const segments = changed(
    fc.record({ at: fc.nat({ max: 8 }), insert: fc.boolean(), segment: fc.constantFrom(...nastySegments) }),
    (one, by) => ({ ...one, path: changedPath(one.path, by) }),
  );
  const methods = changed(
    fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE', 'TRACE', 'PROPFIND'),
    (one, method) => ({
      ...one,
      method,
    }),
  );
  const types = changed(fc.constantFrom(...mediaTypes), (one, type) => ({
    ...one,
    headers: [...one.headers.filter(([name]) => name !== 'Content-Type'), ['Content-Type', type]],
    body: one.body ?? { json: {} },
  }));
  const anywhere = fc.oneof(anyCaller, headers, queries, values, segments, methods, types);
  return fc.oneof(
    { weight: 2, arbitrary: anywhere },
    ...nastyBodies(each, request).map((arbitrary) => ({ weight: 2, arbitrary })),
  );
}

/** Longer addresses are refused by node, before anybody could say why in JSON. */
const longest_in_query = 1_000;

function queryNames({ operation }: ContractOperation): string[] {
  const names = parametersOf(operation)
    .filter((each) => each.in === 'query')
    .map(({ name }) => name);
  return names.length > 0 ? names : ['page'];
}

function changedPath(path: string, { at, insert, segment }: { at: number; insert: boolean; segment: string }): string {
  const segments = path.split('/');
  const place = 1 + (at % (segments.length - 1));
  return (insert ? segments.toSpliced(place, 0, segment) : segments.with(place, segment)).join('/');
}

function nastyBodies(each: ContractOperation, request: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest>[] {
  const { content } = each.operation.requestBody ?? { content: {} };
  const json = content['application/json']?.schema;
  const found: fc.Arbitrary<FuzzRequest>[] = [];
  const jsonType: [string, string][] = [['Content-Type', 'application/json']];
  if (json) {
    const replaced = fc.tuple(request, valid(json), nastyValue, fc.nat()).map(([one, value, nasty, n]) => {
      return { ...one, headers: jsonType, body: { json: replace(value, nasty, n) } };
    });
    const tampered = fc.tuple(request, valid(json), tampering).map(([one, value, tamper]) => {
      return { ...one, headers: jsonType, body: { bytes: tamper(JSON.stringify(value)) } };
    });
    found.push(replaced, replaced, tampered);
  }
  const form = content['multipart/form-data']?.schema;
  if (form) {
    const broken = fc.tuple(request, forms(form), breaking).map(([one, whole, destroy]) => {
      const bytes = destroy(formBytes((whole as { form: Part[] }).form));
      return { ...one, headers: [['Content-Type', formType] as [string, string]], body: { bytes } };
    });
    const odd = fc.tuple(request, forms(form), nastyText, nastyText, fc.nat()).map(([one, whole, name, text, n]) => {
      const parts = (whole as { form: Part[] }).form;
      const at = n % (parts.length + 1);
      const strange: Part = n % 3 === 0 ? { name: 'file', content: text, filename: name } : { name, content: text };
      const both =
        n % 2 === 0 || at === parts.length
          ? parts.toSpliced(at, 0, strange)
          : parts.with(at, { ...parts[at]!, content: text });
      return { ...one, headers: [['Content-Type', formType] as [string, string]], body: { form: both } };
    });
    found.push(broken, odd);
  }
  return found;
}

/** The value with something nasty in one of its places, or one more member. */
function replace(value: unknown, nasty: unknown, n: number): unknown {
  if (typeof value !== 'object' || value === null) return nasty;
  if (Array.isArray(value)) {
    if (value.length === 0 || n % 7 === 0) return [...value, nasty];
    const at = n % value.length;
    return value.with(at, replace(value[at], nasty, Math.floor(n / 7)));
  }
  const names = Object.keys(value);
  if (names.length === 0 || n % 11 === 0)
    return withMember(value, typeof nasty === 'string' ? nasty : 'zz_extra', nasty);
  const name = names[n % names.length]!;
  return { ...value, [name]: replace((value as Record<string, unknown>)[name], nasty, Math.floor(n / 7)) };
}

/** The bytes of a body. */
export function bytesOf(body: Content | undefined): Buffer | undefined {
  if (!body) return undefined;
  if ('bytes' in body) return body.bytes;
  return 'form' in body ? formBytes(body.form) : Buffer.from(JSON.stringify(body.json));
}
