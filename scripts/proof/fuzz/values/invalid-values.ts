// Values that violate exactly one rule of one field.
import type { Schema } from '../../../../src/contract/contract.ts';
import { hostileTexts } from './hostile-values.ts';
import { acceptor, isWellFormed, type Rules, rulesOf, typesOf } from './rules.ts';

interface InvalidValue {
  value: unknown;
  /** Field path as in the error's `details`; empty for the value itself. */
  field: string;
  codes: readonly string[];
}

/** Generates variants of a valid value with exactly one violation, a few for each rule. */
export function invalidVariants(schema: Schema, value: unknown): InvalidValue[] {
  return [...violationsOf(rulesOf(schema), value)].map(([changed, path, ...codes]) => ({
    value: changed,
    field: path.join('.'),
    codes,
  }));
}

type InvalidVariant = [changed: unknown, path: (string | number)[], ...codes: string[]];

const ofEachType: Record<string, unknown> = {
  string: 'text',
  integer: 7,
  number: 7.5,
  boolean: true,
  array: [],
  object: {},
  null: null,
};

function* violationsOf(rules: Rules, value: unknown): Generator<InvalidVariant> {
  if (rules.anyOf) {
    const [alternative] = rules.anyOf.map(rulesOf).filter((each) => !typesOf(each).includes('null'));
    if (value !== null && alternative)
      yield* violationsOf({ ...alternative, type: [...typesOf(alternative), 'null'] }, value);
    return;
  }
  yield* invalidTypes(rules);
  if (rules.enum && value !== null) yield ['zz-no-such-value', [], 'not_in_enum'];
  else if (typeof value === 'string') yield* invalidTexts(rules);
  if (typeof value === 'number') yield* invalidNumbers(rules);
  if (Array.isArray(value)) yield* invalidLists(rules, value);
  else if (typeof value === 'object' && value !== null) yield* invalidObjects(rules, value as Record<string, unknown>);
}

function* invalidTypes(rules: Rules): Generator<InvalidVariant> {
  const types = typesOf(rules);
  for (const [type, value] of Object.entries(ofEachType)) {
    const fits = types.includes(type) || (type === 'integer' && types.includes('number'));
    if (fits || types.length === 0) continue;
    yield [value, [], type === 'null' && rules['x-clearable'] === false ? 'not_clearable' : 'invalid_type'];
  }
}

function* invalidTexts(rules: Rules): Generator<InvalidVariant> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = rules;
  if (minLength > 0) yield ['é'.repeat(minLength - 1), [], 'too_short'];
  if (maxLength <= 20_000) yield ['7'.repeat(maxLength + 1), [], 'too_long'];
  const fits = acceptor({ ...rules, minLength: undefined as never, maxLength: undefined as never });
  const length = (each: string) => [...each].length;
  const malformed = hostileTexts.filter((each) => isWellFormed(each) && !fits(each) && length(each) <= maxLength);
  for (const each of malformed) if (length(each) >= minLength) yield [each, [], 'invalid_format'];
}

function* invalidNumbers({ minimum, maximum, multipleOf }: Rules): Generator<InvalidVariant> {
  if (minimum !== undefined) yield [minimum - 1, [], 'out_of_range'];
  if (maximum !== undefined) yield [maximum + 1, [], 'out_of_range'];
  if (maximum !== undefined) yield [Number.MAX_SAFE_INTEGER, [], 'out_of_range'];
  if (multipleOf !== undefined) yield [(minimum ?? 0) + multipleOf * 1.5, [], 'out_of_range'];
}

function* invalidLists(rules: Rules, value: unknown[]): Generator<InvalidVariant> {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = rules;
  if (minItems > 0) yield [value.slice(0, minItems - 1), [], 'too_short'];
  if (maxItems <= 1_000 && value.length > 0) {
    const many = Array.from({ length: maxItems + 1 }, () => value[0]);
    yield [many, [], 'too_long'];
  }
  if (rules.uniqueItems && value.length > 0 && value.length < maxItems)
    yield [[...value, value[0]], [], 'invalid_format'];
  if (!items || value.length === 0) return;
  if (rules['x-checked-apart']) {
    yield [value.with(0, 'text'), [0], 'invalid_type'];
    return;
  }
  for (const [changed, path, ...codes] of violationsOf(rulesOf(items), value[0]))
    yield [value.with(0, changed), [0, ...path], ...codes];
}

/** Names that collide with object members, are special in paths, or are unusual. */
const unusualNames = ['zz_extra', '__proto__', 'constructor', 'toString', 'a/b~c', '0', 'é'];

function* invalidObjects(rules: Rules, value: Record<string, unknown>): Generator<InvalidVariant> {
  const { properties = {}, required = [], additionalProperties } = rules;
  for (const name of required) {
    const { [name]: _, ...rest } = value;
    yield [rest, [name], 'required'];
  }
  if (additionalProperties === false) {
    for (const name of unusualNames.filter((each) => !Object.hasOwn(properties, each))) {
      yield [withMember(value, name, 1), [name], 'field_not_allowed'];
    }
  }
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue;
    for (const [changed, path, ...codes] of violationsOf(rulesOf(schema), value[name])) {
      yield [{ ...value, [name]: changed }, [name, ...path], ...codes];
    }
  }
  if (typeof additionalProperties !== 'object') return;
  for (const name of Object.keys(value).slice(0, 1)) {
    for (const [changed, path, ...codes] of violationsOf(rulesOf(additionalProperties), value[name])) {
      yield [{ ...value, [name]: changed }, [name, ...path], ...codes];
    }
  }
}

/** Like `JSON.parse`, makes `__proto__` an ordinary member. */
export function withMember(value: object, name: string, member: unknown): object {
  return Object.defineProperty({ ...value }, name, {
    value: member,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
