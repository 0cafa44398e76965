// Hostile requests of one operation.
import fc from 'fast-check';
import { type ContractOperation, type FuzzRequest, forms, parametersOf, validRequests } from './requests.ts';
import { breaking, formBytes, formType, type Part } from './values/forms.ts';
import { hostileHeaders, hostileQueries, hostileSegments, mediaTypes } from './values/hostile-headers.ts';
import { hostileText, hostileValue, tampering } from './values/hostile-values.ts';
import { withMember } from './values/invalid-values.ts';
import { valid } from './values/values.ts';
import { roles } from './world.ts';

export function hostileRequests(each: ContractOperation): fc.Arbitrary<FuzzRequest> {
  const request = validRequests(each).map((one): FuzzRequest => ({ ...one, expected: { kind: 'nasty' } }));
  const changed = <T>(variation: fc.Arbitrary<T>, change: (one: FuzzRequest, by: T) => FuzzRequest) =>
    fc.tuple(request, variation).map(([one, by]) => change(one, by));
  const anyCaller = changed(fc.constantFrom(...roles), (one, caller) => ({ ...one, caller }));
  const headers = changed(
    fc.array(fc.constantFrom(...hostileHeaders), { minLength: 1, maxLength: 3 }),
    (one, more) => ({
      ...one,
      headers: [...one.headers, ...more.map(([name, value]) => [name, value] as [string, string])],
    }),
  );
  const queries = changed(fc.constantFrom(...hostileQueries), (one, query) => ({ ...one, query }));
  const values = changed(fc.tuple(fc.constantFrom(...queryNames(each)), hostileText), (one, [name, value]) => ({
    ...one,
    query: `?${new URLSearchParams([[name, value.slice(0, maxInQuery)]])}`,
  }));
  const segments = changed(
    fc.record({ at: fc.nat({ max: 8 }), insert: fc.boolean(), segment: fc.constantFrom(...hostileSegments) }),
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
    ...hostileBodies(each, request).map((arbitrary) => ({ weight: 2, arbitrary })),
  );
}

/** Exceeds the URL limit. A longer one would make the server close the connection (431) during the upload. */
const maxInQuery = 10_000;

function queryNames({ operation }: ContractOperation): string[] {
  const names = parametersOf(operation)
    .filter((each) => each.in === 'query')
    .map(({ name }) => name);
  return names.length > 0 ? names : ['page'];
}

function changedPath(path: string, { at, insert, segment }: { at: number; insert: boolean; segment: string }): string {
  const segments = path.split('/');
  const index = 1 + (at % (segments.length - 1));
  return (insert ? segments.toSpliced(index, 0, segment) : segments.with(index, segment)).join('/');
}

function hostileBodies(each: ContractOperation, request: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<FuzzRequest>[] {
  const { content } = each.operation.requestBody ?? { content: {} };
  const json = content['application/json']?.schema;
  const found: fc.Arbitrary<FuzzRequest>[] = [];
  const jsonType: [string, string][] = [['Content-Type', 'application/json']];
  if (json) {
    const replaced = fc.tuple(request, valid(json), hostileValue, fc.nat()).map(([one, value, hostile, n]) => {
      return { ...one, headers: jsonType, body: { json: replace(value, hostile, n) } };
    });
    const tampered = fc.tuple(request, valid(json), tampering).map(([one, value, tamper]) => {
      return { ...one, headers: jsonType, body: { bytes: tamper(JSON.stringify(value)) } };
    });
    found.push(replaced, replaced, tampered);
  }
  const form = content['multipart/form-data']?.schema;
  if (form) {
    const broken = fc.tuple(request, forms(form), breaking).map(([one, whole, destroy]) => {
      const bytes = destroy(formBytes(whole.form));
      return { ...one, headers: [['Content-Type', formType] as [string, string]], body: { bytes } };
    });
    const malformed = fc
      .tuple(request, forms(form), hostileText, hostileText, fc.nat())
      .map(([one, whole, name, text, n]) => {
        const parts = whole.form;
        const at = n % (parts.length + 1);
        const malformedPart: Part =
          n % 3 === 0 ? { name: 'file', content: text, filename: name } : { name, content: text };
        const both =
          n % 2 === 0 || at === parts.length
            ? parts.toSpliced(at, 0, malformedPart)
            : parts.with(at, { ...parts[at]!, content: text });
        return { ...one, headers: [['Content-Type', formType] as [string, string]], body: { form: both } };
      });
    found.push(broken, malformed);
  }
  return found;
}

/** Replaces one place in the value with something hostile, or adds a member. */
function replace(value: unknown, hostile: unknown, n: number): unknown {
  if (typeof value !== 'object' || value === null) return hostile;
  if (Array.isArray(value)) {
    if (value.length === 0 || n % 7 === 0) return [...value, hostile];
    const at = n % value.length;
    return value.with(at, replace(value[at], hostile, Math.floor(n / 7)));
  }
  const names = Object.keys(value);
  if (names.length === 0 || n % 11 === 0)
    return withMember(value, typeof hostile === 'string' ? hostile : 'zz_extra', hostile);
  const name = names[n % names.length]!;
  return { ...value, [name]: replace((value as Record<string, unknown>)[name], hostile, Math.floor(n / 7)) };
}
