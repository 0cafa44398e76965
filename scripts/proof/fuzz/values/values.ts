// Generates valid values from the contract's schemas.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { contract, resolve, type Schema } from '../../../../src/contract/contract.ts';
import { hostileTexts } from './hostile-values.ts';
import { acceptor, isWellFormed, type Rules, rulesOf, typesOf } from './rules.ts';
import { fittingFile } from './uploads.ts';

/** Placeholder for the id of an existing record; `fillIn` replaces it when sending. */
export function placeholder(kind: string, n: number): string {
  return `{{${kind}:${n}}}`;
}

/** Record type by field name. */
const referred: Record<string, string> = {
  id: 'collaborators', // in an item of a bulk request
  manager_id: 'collaborators',
  collaborator_id: 'collaborators',
};

/** Other values would lock out the attacker's token, reject people without a value, or disable the directory. */
const harmless: Record<string, unknown> = {
  require_second_factor: false,
  step_up: false,
  session_max_age: null,
  directory_visibility: 'basic',
  required: false,
};

/** By schema and name: building them takes longer than sending requests. */
const arbitraries = new WeakMap<Schema, Map<string, fc.Arbitrary<unknown>>>();

const maxText = 300;
const maxList = 6;

/** @param name of the field: some fields refer to records, or have rules beyond the schema */
export function valid(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const resolved = resolve(schema);
  const named = arbitraries.get(resolved) ?? new Map<string, fc.Arbitrary<unknown>>();
  arbitraries.set(resolved, named);
  const arbitrary = named.get(name) ?? build(resolved, name);
  named.set(name, arbitrary);
  return arbitrary;
}

function build(schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (name in harmless) return fc.constant(harmless[name]);
  const rules = rulesOf(schema);
  if (rules['x-any-value']) return fc.jsonValue({ maxDepth: 3 });
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
  const { minItems = 0, maxItems = maxList, items = {} } = rules;
  const limits = { minLength: minItems, maxLength: Math.min(maxItems, Math.max(minItems, maxList)) };
  const item = valid(items, name);
  return rules.uniqueItems ? fc.uniqueArray(item, limits) : fc.array(item, limits);
}

function object(rules: Rules, name: string): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = rules;
  const named = Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, valid(schema, key)]));
  const known = fc.record(named, { requiredKeys: required, noNullPrototype: true });
  if (typeof additionalProperties !== 'object' || rules.maxProperties === 0) return known;
  const keys = namesOfMembers(rules, name);
  return fc.dictionary(keys as fc.Arbitrary<string>, valid(additionalProperties, name), {
    maxKeys: 3,
    noNullPrototype: true,
  });
}

function namesOfMembers({ propertyNames }: Rules, name: string): fc.Arbitrary<unknown> {
  if (name === 'custom_fields') return fc.nat({ max: 99 }).map((n) => placeholder('custom-fields', n));
  return propertyNames ? valid({ type: 'string', ...propertyNames }, 'name of a member') : fc.string();
}

function text(rules: Rules, name: string): fc.Arbitrary<string> {
  const accepts = acceptor(rules);
  const special = specialTexts(rules, name);
  if (special) return special.filter(accepts);
  const { minLength = 0, maxLength = maxText } = rules;
  const limits = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, maxText)) };
  const hostile = hostileTexts.filter((each) => isWellFormed(each) && accepts(each));
  const known = (rules['x-extensible-enum'] ?? []).map(String).filter(accepts);
  const any = rules.pattern
    ? fc.stringMatching(new RegExp(rules.pattern, 'u'), { maxLength: limits.maxLength })
    : fc.string({ ...limits, unit: 'grapheme' });
  const ways = [{ weight: 4, arbitrary: any.filter(accepts) }];
  if (hostile.length > 0) ways.push({ weight: 2, arbitrary: fc.constantFrom(...hostile) });
  if (known.length > 0) ways.push({ weight: 4, arbitrary: fc.constantFrom(...known) });
  return fc.oneof(...ways);
}

/** Webhook URLs without a receiver: reserved names, and closed local ports. */
const receivers = ['http://127.0.0.1:65500/hook', 'http://localhost:65501/', 'http://[::1]:65502/?a=b#c'];

/** Strings with rules beyond the schema. */
function specialTexts(rules: Rules, name: string): fc.Arbitrary<string> | undefined {
  const number = fc.nat({ max: 99 });
  if (referred[name]) {
    const there = number.map((n) => placeholder(referred[name]!, n));
    return name === 'collaborator_id' ? there : fc.oneof({ weight: 3, arbitrary: there }, fc.uuid());
  }
  switch (name) {
    case 'content_base64':
      return fc.constant(fittingFile(rules).content.toString('base64'));
    case 'filename':
      return fc.constantFrom('people.csv', '../../people.csv', 'März "2026".csv', `${'x'.repeat(90)}.csv`);
    case 'url':
      return fc.constantFrom(...receivers);
    case 'website':
    case 'logo_url':
      return fc.constantFrom('https://app.example/', 'https://app.example/a.png?b=c#d');
    case 'redirect_uris':
      return fc.constantFrom('https://app.example/callback', 'http://127.0.0.1/callback', 'http://[::1]/callback');
    case 'scopes':
    case 'allowed_scopes':
      return fc.constantFrom('profile', 'collaborators:read', 'documents:write', 'offline_access');
    case 'event':
    case 'events':
      return fc.constantFrom(...Object.keys(contract.webhooks), 'collaborator.*', '*');
    case 'locale':
      return fc.constantFrom('pt-BR', 'en', 'zh-Hant-TW');
    case 'timezone':
    case 'time_zone':
      return fc.constantFrom('Europe/Lisbon', 'America/Sao_Paulo', 'UTC');
    default:
  }
  const moment = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9998-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  switch (rules.format) {
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
