// Values from the schemas of the contract: such that satisfy them, and such that break exactly one rule of one field.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { contract, resolve, type Schema } from '../../src/contract.ts';
import { createAjv } from '../../src/validation.ts';
import { nastyTexts } from './nasty.ts';

interface Rules extends Schema {
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  anyOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  maxProperties?: number;
  'x-extensible-enum'?: unknown[];
  'x-clearable'?: boolean;
}

/** The schema with what it refers to and what it is put together from. */
export function rulesOf(schema: Schema): Rules {
  const { allOf, ...own } = resolve(schema) as Rules;
  return Object.assign({}, ...(allOf ?? []).map(rulesOf), own) as Rules;
}

function typesOf({ type, properties }: Rules): string[] {
  return type === undefined ? (properties ? ['object'] : []) : [type].flat();
}

/** Stands for the id of something there is; `fillIn` puts a real one in its place when the request is sent. */
export function placeholder(kind: string, n: number): string {
  return `{{${kind}:${n}}}`;
}

/** By the name of a field: what it names. */
const referred: Record<string, string> = {
  id: 'collaborators', // of an item of a bulk request
  manager_id: 'collaborators',
  collaborator_id: 'collaborators',
};

const longest_text = 300;
const longest_list = 6;

/** @param name of the field: some fields name things, or must be met by what no schema can say */
export function valid(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const rules = rulesOf(schema);
  if (rules.const !== undefined) return fc.constant(rules.const);
  if (rules.enum) return fc.constantFrom(...rules.enum);
  if (rules.anyOf) return fc.oneof(...rules.anyOf.map((each) => valid(each, name)));
  return fc.oneof(...typesOf(rules).map((type) => ofType(type, rules, name)));
}

function ofType(type: string, rules: Rules, name: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: rules.minimum ?? -1_000, max: rules.maximum ?? 1_000 });
    case 'number':
      return number(rules);
    case 'array':
      return list(rules, name);
    case 'object':
      return object(rules, name);
    default:
      return text(rules, name);
  }
}

function number({ minimum = -1e6, maximum = 1e6, multipleOf = 1 }: Rules): fc.Arbitrary<number> {
  const steps = fc.integer({ min: 0, max: Math.floor(Math.min((maximum - minimum) / multipleOf, 2 ** 31)) });
  const stepped = steps.map((n) => Number((minimum + n * multipleOf).toFixed(2)));
  return fc.oneof({ weight: 4, arbitrary: stepped }, fc.constantFrom(minimum, maximum));
}

function list(rules: Rules, name: string): fc.Arbitrary<unknown[]> {
  const { minItems = 0, maxItems = longest_list, items = {} } = rules;
  const limits = { minLength: minItems, maxLength: Math.min(maxItems, Math.max(minItems, longest_list)) };
  const item = valid(items, name);
  return rules.uniqueItems ? fc.uniqueArray(item, limits) : fc.array(item, limits);
}

function object(rules: Rules, name: string): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = rules;
  const named = Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, valid(schema, key)]));
  const known = fc.record(named, { requiredKeys: required, noNullPrototype: true });
  if (typeof additionalProperties !== 'object' || rules.maxProperties === 0) return known;
  const keys = rules.propertyNames
    ? valid({ type: 'string', ...rules.propertyNames }, 'name of a member')
    : fc.string();
  return fc.dictionary(keys as fc.Arbitrary<string>, valid(additionalProperties, name), {
    maxKeys: 3,
    noNullPrototype: true,
  });
}

function text(rules: Rules, name: string): fc.Arbitrary<string> {
  const accepts = acceptor(rules);
  const special = specialTexts(rules, name);
  if (special) return special.filter(accepts);
  const { minLength = 0, maxLength = longest_text } = rules;
  const limits = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, longest_text)) };
  const nasty = nastyTexts.filter((each) => isWellFormed(each) && accepts(each));
  const known = (rules['x-extensible-enum'] ?? []).map(String).filter(accepts);
  const any = rules.pattern
    ? fc.stringMatching(new RegExp(rules.pattern, 'u'), { maxLength: limits.maxLength })
    : fc.string({ ...limits, unit: 'grapheme' });
  const ways = [{ weight: 4, arbitrary: any.filter(accepts) }];
  if (nasty.length > 0) ways.push({ weight: 2, arbitrary: fc.constantFrom(...nasty) });
  if (known.length > 0) ways.push({ weight: 4, arbitrary: fc.constantFrom(...known) });
  return fc.oneof(...ways);
}

/** A lone surrogate becomes another character on its way. */
function isWellFormed(each: string): boolean {
  return (each as unknown as { isWellFormed(): boolean }).isWellFormed();
}

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const people = Buffer.from('name,email,position,department\nAda,ada@example.com,Planner,Ops\n=1+1,x,,\n');

/** Addresses of receivers lead nowhere: names that exist for nobody, and a port of this machine that is closed. */
const receivers = ['http://127.0.0.1:65500/hook', 'http://localhost:65501/', 'http://[::1]:65502/?a=b#c'];

/** Where a schema alone does not say what a text must be. */
function specialTexts({ format }: Rules, name: string): fc.Arbitrary<string> | undefined {
  const number = fc.nat({ max: 99 });
  if (referred[name]) {
    const there = number.map((n) => placeholder(referred[name]!, n));
    return name === 'collaborator_id' ? there : fc.oneof({ weight: 3, arbitrary: there }, fc.uuid());
  }
  switch (name) {
    case 'photo':
      return fc.constant(picture);
    case 'content_base64':
      return fc.constant(people.toString('base64'));
    case 'filename':
      return fc.constantFrom('people.csv', '../../people.csv', 'März "2026".csv', `${'x'.repeat(90)}.csv`);
    case 'url':
      return fc.constantFrom(...receivers);
    case 'event':
    case 'events':
      return fc.constantFrom(...Object.keys(contract.webhooks), 'collaborator.*', '*');
    case 'locale':
      return fc.constantFrom('pt-BR', 'en', 'zh-Hant-TW');
    case 'timezone':
      return fc.constantFrom('Europe/Lisbon', 'America/Sao_Paulo', 'UTC');
    default:
  }
  const moment = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9998-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  switch (format) {
    case 'email':
      return fc.oneof(
        { weight: 3, arbitrary: fc.emailAddress() },
        number.map((n) => `person${n}@example.com`),
        fc.uuid().map((id) => `${id}@EXAMPLE.com`),
      );
    case 'date':
      return moment.map((date) => date.toISOString().slice(0, 10));
    case 'date-time':
      return fc.oneof(
        moment.map((date) => date.toISOString()),
        fc.constantFrom('2026-01-01T00:00:00+14:00', '2026-01-01t00:00:00z', '2016-12-31T23:59:60Z'),
      );
    case 'uuid':
      return fc.oneof(fc.uuid(), fc.constant(randomUUID().toUpperCase()));
    case 'uri':
      return fc.webUrl();
    default:
      return undefined;
  }
}

const ajv = createAjv();

/** Whether the rules about the text itself are met; placeholders are. */
function acceptor({ minLength, maxLength, pattern, format }: Rules): (text: string) => boolean {
  const rules = Object.entries({ type: 'string', minLength, maxLength, pattern, format });
  const validate = ajv.compile(Object.fromEntries(rules.filter(([, rule]) => rule !== undefined)));
  return (each) => each.startsWith('{{') || validate(each);
}

/** A value with one fault, and how it must be told. */
export interface Fault {
  value: unknown;
  /** Path of the field, as `details` of a refusal names it; empty for the value itself. */
  field: string;
  codes: readonly string[];
}

/** Every way, of some for each rule, to break exactly one rule of `value`, which satisfies the schema. */
export function faults(schema: Schema, value: unknown): Fault[] {
  return [...broken(rulesOf(schema), value)].map(([changed, path, ...codes]) => ({
    value: changed,
    field: path.join('.'),
    codes,
  }));
}

type Broken = [changed: unknown, path: (string | number)[], ...codes: string[]];

const ofEachType: Record<string, unknown> = {
  string: 'text',
  integer: 7,
  number: 7.5,
  boolean: true,
  array: [],
  object: {},
  null: null,
};

function* broken(rules: Rules, value: unknown): Generator<Broken> {
  if (rules.anyOf) {
    const [alternative] = rules.anyOf.map(rulesOf).filter((each) => !typesOf(each).includes('null'));
    if (value !== null && alternative)
      yield* broken({ ...alternative, type: [...typesOf(alternative), 'null'] }, value);
    return;
  }
  yield* wrongTypes(rules);
  if (rules.enum && value !== null) yield ['zz-no-such-value', [], 'not_in_enum'];
  else if (typeof value === 'string') yield* wrongTexts(rules);
  if (typeof value === 'number') yield* wrongNumbers(rules);
  if (Array.isArray(value)) yield* wrongLists(rules, value);
  else if (typeof value === 'object' && value !== null) yield* wrongObjects(rules, value as Record<string, unknown>);
}

function* wrongTypes(rules: Rules): Generator<Broken> {
  const types = typesOf(rules);
  for (const [type, value] of Object.entries(ofEachType)) {
    const fits = types.includes(type) || (type === 'integer' && types.includes('number'));
    if (fits || types.length === 0) continue;
    yield [value, [], type === 'null' && rules['x-clearable'] === false ? 'not_clearable' : 'invalid_type'];
  }
}

function* wrongTexts(rules: Rules): Generator<Broken> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = rules;
  if (minLength > 0) yield ['é'.repeat(minLength - 1), [], 'too_short'];
  if (maxLength <= 20_000) yield ['7'.repeat(maxLength + 1), [], 'too_long'];
  const fits = acceptor({ ...rules, minLength: undefined as never, maxLength: undefined as never });
  const length = (each: string) => [...each].length;
  const odd = nastyTexts.filter((each) => isWellFormed(each) && !fits(each) && length(each) <= maxLength);
  for (const each of odd) if (length(each) >= minLength) yield [each, [], 'invalid_format'];
}

function* wrongNumbers({ minimum, maximum, multipleOf }: Rules): Generator<Broken> {
  if (minimum !== undefined) yield [minimum - 1, [], 'out_of_range'];
  if (maximum !== undefined) yield [maximum + 1, [], 'out_of_range'];
  if (maximum !== undefined) yield [1e308, [], 'out_of_range'];
  if (multipleOf !== undefined) yield [(minimum ?? 0) + multipleOf * 1.5, [], 'out_of_range'];
}

function* wrongLists(rules: Rules, value: unknown[]): Generator<Broken> {
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
  for (const [changed, path, ...codes] of broken(rulesOf(items), value[0]))
    yield [value.with(0, changed), [0, ...path], ...codes];
}

/** Names that objects have already, that mean something in a path, or that nobody expects. */
const strangeNames = ['zz_extra', '__proto__', 'constructor', 'toString', 'a/b~c', '0', 'é'];

function* wrongObjects(rules: Rules, value: Record<string, unknown>): Generator<Broken> {
  const { properties = {}, required = [], additionalProperties } = rules;
  for (const name of required) {
    const { [name]: _, ...rest } = value;
    yield [rest, [name], 'required'];
  }
  if (additionalProperties === false) {
    for (const name of strangeNames.filter((each) => !Object.hasOwn(properties, each))) {
      yield [withMember(value, name, 1), [name], 'field_not_allowed'];
    }
  }
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue;
    for (const [changed, path, ...codes] of broken(rulesOf(schema), value[name])) {
      yield [{ ...value, [name]: changed }, [name, ...path], ...codes];
    }
  }
  if (typeof additionalProperties !== 'object') return;
  for (const name of Object.keys(value).slice(0, 1)) {
    for (const [changed, path, ...codes] of broken(rulesOf(additionalProperties), value[name])) {
      yield [{ ...value, [name]: changed }, [name, ...path], ...codes];
    }
  }
}

/** As `JSON.parse` does it: `__proto__` becomes a member like any other. */
export function withMember(value: object, name: string, member: unknown): object {
  return Object.defineProperty({ ...value }, name, {
    value: member,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
