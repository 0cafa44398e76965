// Requests of one operation with exactly one error.
import fc from 'fast-check';
import type { Schema } from '../../../src/contract/contract.ts';
import {
  type ContractOperation,
  type FuzzRequest,
  parametersOf,
  queryOf,
  queryText,
  validRequests,
} from './requests.ts';
import { invalidVariants } from './values/invalid-values.ts';
import { rulesOf } from './values/rules.ts';
import { valid } from './values/values.ts';

/** A valid request with one error, and the expected response; undefined if nothing can be wrong. */
export function invalidRequests(each: ContractOperation): fc.Arbitrary<FuzzRequest> | undefined {
  const kinds = [invalidBodies(each), invalidParameters(each)].filter((kind) => kind !== undefined);
  return kinds.length > 0 ? fc.oneof(...kinds) : undefined;
}

function invalidBodies(each: ContractOperation): fc.Arbitrary<FuzzRequest> | undefined {
  const schema = each.operation.requestBody?.content['application/json']?.schema;
  if (!schema) return undefined;
  return fc.tuple(validRequests(each), valid(schema), fc.nat()).map(([request, json, n]) => {
    const all = invalidVariants(schema, json);
    const { value, field, codes } = all[n % all.length]!;
    const expected = { kind: 'fault', error: 'validation_error', field: field || 'body', codes } as const;
    // Parameters are validated first, so leave them out.
    return { ...request, query: '', headers: [['Content-Type', 'application/json']], body: { json: value }, expected };
  });
}

/** A longer one would exceed the URL limit, with 414 instead of the parameter error. */
const maxInvalidText = 6_000;

function invalidParameters(each: ContractOperation): fc.Arbitrary<FuzzRequest> | undefined {
  const parameters = parametersOf(each.operation).filter((parameter) => parameter.in === 'query');
  const unknown = fc.constantFrom('zz_extra', '__proto__', 'constructor', 'toString', 'a[b]', 'é').map((name) => {
    return { name, text: 'x', codes: ['field_not_allowed'] };
  });
  const invalid = parameters.map(({ name, schema }) =>
    fc.tuple(valid(schema, name), fc.nat()).map(([value, n]) => {
      const texts = invalidVariants(schema, value).filter(
        ({ value: candidate, codes }) =>
          isDetectableInText(schema, candidate, codes) &&
          encodeURIComponent(String(candidate)).length <= maxInvalidText,
      );
      const twice = { name, text: [String(value), String(value)], codes: ['invalid_type'] };
      if (n % 5 === 0 || texts.length === 0) return twice;
      const invalidValue = texts[n % texts.length]!;
      return { name, text: String(invalidValue.value), codes: invalidValue.codes };
    }),
  );
  const required = queryOf(parametersOf(each.operation), true);
  return fc.tuple(validRequests(each), required, fc.oneof(unknown, ...invalid)).map(([request, others, invalidOne]) => {
    const { name, text, codes } = invalidOne;
    const validOthers = others.filter(([other]) => other !== name);
    const query = queryText([...validOthers, ...[text].flat().map((one): [string, unknown] => [name, one])]);
    const expected = { kind: 'fault', error: 'invalid_parameter', field: name, codes } as const;
    return { ...request, query, expected };
  });
}

/** Query parameters are strings, so a number is no type error for a string parameter. */
function isDetectableInText(schema: Schema, value: unknown, codes: readonly string[]): boolean {
  if (typeof value === 'object') return false;
  if (!codes.includes('invalid_type')) return true;
  const { type } = rulesOf(schema);
  return typeof value === 'string' && type !== 'string';
}
