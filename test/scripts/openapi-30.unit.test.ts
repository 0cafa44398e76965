/**
 * The OpenAPI 3.0 version equals the contract: the same operations, and for every schema the same verdict on thousands
 * of valid and invalid values. Lists what 3.0 can't express; nothing else is lost.
 */
import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { renderOpenApi30 } from '../../scripts/generate/openapi-30.ts';
import { isObject, type JsonObject } from '../../scripts/lint/contract/types.ts';

const valuesPerSchema = 16;
/** Maps with a rule for their keys, which 3.0 can't express. They keep it as `x-property-names`. */
const withoutNames = [
  'ImportAnswersByQuestion',
  'ImportMapping',
  'ImportPreviewValues',
  'NotificationEvents',
  'NotificationEventsUpdate',
  'WebhookHeadersInput',
  'WebhookHeadersUpdate',
];

const read = (name: string) => readFile(new URL(`../../generated/${name}`, import.meta.url), 'utf8');
const text = await read('openapi.json');
const contract: Document = JSON.parse(text);
const rendition: Document = JSON.parse(await read('openapi-3.0.json'));
const names = Object.keys(contract.components.schemas);

test('is generated from the contract', async () => {
  expect(`${JSON.stringify(rendition, null, 2)}\n`).toBe(renderOpenApi30(text));
  expect(rendition.openapi).toBe('3.0.3');
});

test('has the same operations, webhooks, and components', () => {
  const bones = ({ paths, webhooks, 'x-webhooks': xWebhooks, components, tags, servers }: Document) =>
    withoutSchemas({
      paths,
      webhooks: webhooks ?? xWebhooks,
      components: { ...components, schemas: null },
      tags,
      servers,
    });
  expect(bones(rendition)).toEqual(bones(contract));
  expect(Object.keys(rendition.components.schemas)).toEqual(names);
  const { summary, license, ...about } = contract.info;
  expect(rendition.info).toEqual({
    ...about,
    'x-summary': summary,
    license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
  });
});

test('uses only keywords of 3.0', () => {
  const foreign = new Set(
    'const examples propertyNames contentEncoding patternProperties prefixItems $defs if then'.split(' '),
  );
  const found: string[] = [];
  eachSchema(rendition, (schema, path) => {
    for (const keyword of Object.keys(schema)) if (foreign.has(keyword)) found.push(`${path}: ${keyword}`);
    if ('type' in schema && typeof schema.type !== 'string') found.push(`${path}: types ${schema.type}`);
    if (schema.type === 'null') found.push(`${path}: null`);
    if ('nullable' in schema && !('type' in schema)) found.push(`${path}: nullable without type`);
  });
  expect(found).toEqual([]);
});

test('a constant can be named after each value of an enum', () => {
  const nameless: string[] = [];
  eachSchema(rendition, (schema, path) => {
    const values = (schema.enum ?? []) as unknown[];
    if (values.some((value) => !/[a-z0-9]/i.test(String(value)))) nameless.push(path);
  });
  expect(nameless).toEqual([]);
});

test('loses only rules for keys of maps', () => {
  const rules: string[] = [];
  eachSchema(rendition, (schema, path) => {
    if ('x-property-names' in schema) rules.push(path.replace('components.schemas.', ''));
  });
  expect(rules.sort()).toEqual(withoutNames);
});

describe('verdict on values', () => {
  const validator31 = createValidators(contract.components.schemas, ({ propertyNames: _, ...schema }) => schema);
  const validator30 = createValidators(rendition.components.schemas, read30);
  const totals = { good: 0, bad: 0 };

  test.each(names)('%s', (name) => {
    const random = generator(name);
    const verdicts = { good: 0, bad: 0 };
    for (let count = 0; count < valuesPerSchema; count++) {
      const good = sample({ $ref: `#/components/schemas/${name}` }, random, 0);
      const value = count % 4 === 0 ? good : spoilt(good, random);
      const verdict = validator31(name)(value) as boolean;
      verdicts[verdict ? 'good' : 'bad']++;
      if (validator30(name)(value) === verdict) continue;
      throw new Error(`3.1 ${verdict ? 'accepts' : 'refuses'}, and 3.0 does not: ${JSON.stringify(value)}`);
    }
    expect(verdicts.good).toBeGreaterThan(0);
    totals.good += verdicts.good;
    totals.bad += verdicts.bad;
  });

  test('both verdicts were frequent', () => {
    expect(totals.good).toBeGreaterThan(valuesPerSchema * names.length * 0.2);
    expect(totals.bad).toBeGreaterThan(valuesPerSchema * names.length * 0.2);
  });
});

/** One validator for each schema, with all of them available for references. */
function createValidators(schemas: Record<string, JsonObject>, change: (schema: JsonObject) => JsonObject) {
  const ajv = new Ajv2020({ strict: false, logger: false, multipleOfPrecision: 4 });
  addFormats.default(ajv as never);
  const components = {
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, deep(schema, change)])),
  };
  ajv.addSchema({ $id: 'all', components });
  return (name: string) => ajv.getSchema(`all#/components/schemas/${name}`) as ValidateFunction;
}

/** Converts 3.0 to JSON Schema: `nullable` adds null to the `type` next to it, and `exclusive…` are flags. */
function read30({ nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest }: JsonObject): JsonObject {
  const schema = {
    ...rest,
    ...(minimum !== undefined && { [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [exclusiveMaximum ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
  return nullable && 'type' in schema ? { ...schema, type: [schema.type, 'null'] } : schema;
}

function deep(schema: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const within = (value: unknown) => (isObject(value) ? deep(value, change) : value);
  const result = { ...schema };
  for (const keyword of ['items', 'additionalProperties', 'not'])
    if (keyword in result) result[keyword] = within(result[keyword]);
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    if (keyword in result) result[keyword] = (result[keyword] as unknown[]).map(within);
  }
  if (isObject(result.properties)) {
    result.properties = Object.fromEntries(
      Object.entries(result.properties).map(([name, child]) => [name, within(child)]),
    );
  }
  return change(result);
}

function eachSchema(document: Document, visit: (schema: JsonObject, path: string) => void): void {
  walk({ paths: document.paths, components: document.components, webhooks: document['x-webhooks'] }, '');

  function walk(node: unknown, path: string): void {
    if (Array.isArray(node)) for (const [index, child] of node.entries()) walk(child, `${path}.${index}`);
    if (!isObject(node)) return;
    for (const [key, child] of Object.entries(node)) {
      const at = path ? `${path}.${key}` : key;
      if (key === 'examples' && path !== '') continue;
      if (key === 'schema' && isObject(child)) schemaAt(child, at);
      else if (at === 'components.schemas')
        for (const [name, one] of Object.entries(child as JsonObject)) schemaAt(one as JsonObject, `${at}.${name}`);
      else walk(child, at);
    }
  }

  function schemaAt(schema: JsonObject, path: string): void {
    deep(schema, (inner) => {
      visit(inner, path);
      return inner;
    });
  }
}

function withoutSchemas(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutSchemas);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, child]) => [
      key,
      key === 'schema' && isObject(child) ? (child.$ref ?? 'inline') : withoutSchemas(child),
    ]),
  );
}

type Random = (limit: number) => number;

/** Numbers from 0 up to a limit, the same in every run (mulberry32). */
function generator(seed: string): Random {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** A value that a schema of the contract mostly accepts. */
function sample(schema: JsonObject, random: Random, depth: number): unknown {
  if (typeof schema.$ref === 'string') {
    return sample(contract.components.schemas[schema.$ref.split('/').at(-1)!]!, random, depth + 1);
  }
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return one(schema.enum, random);
  const choice = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined;
  if (choice) return sample(one(choice, random), random, depth + 1);
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map((part) => sample(part, random, depth + 1));
    return parts.every(isObject) ? Object.assign({}, ...parts) : parts[0];
  }
  const examples = (schema.examples ?? schema['x-extensible-enum'] ?? []) as unknown[];
  const type = one([schema.type].flat(), random);
  if (type === 'null' || type === undefined) return null;
  if (type === 'boolean') return random(2) === 0;
  if (type === 'object') return sampleObject(schema, random, depth);
  if (type === 'array') {
    const count = Math.min(random(3), depth > 6 ? 0 : 2);
    return Array.from({ length: Math.max(count, Number(schema.minItems ?? 0)) }, () =>
      sample(schema.items as JsonObject, random, depth + 1),
    );
  }
  if (examples.length > 0) return one(examples, random);
  if (schema.format === 'date-time') return '2026-03-02T09:15:00.000Z';
  return type === 'string' ? 'text' : (schema.minimum ?? 0);
}

function sampleObject(schema: JsonObject, random: Random, depth: number): JsonObject {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  const chosen = properties.filter(([name]) => required.includes(name) || random(2) === 0);
  const value = Object.fromEntries(chosen.map(([name, child]) => [name, sample(child, random, depth + 1)]));
  if (isObject(schema.additionalProperties))
    value['collaborator.created'] = sample(schema.additionalProperties, random, depth + 1);
  return value;
}

function spoilt(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random(3) > 0) {
    const index = random(value.length);
    return value.map((item, at) => (at === index ? spoilt(item, random) : item));
  }
  if (isObject(value) && Object.keys(value).length > 0 && random(4) > 0) {
    const name = one(Object.keys(value), random);
    const { [name]: member, ...others } = value;
    return random(4) === 0 ? others : { ...others, [name]: spoilt(member, random) };
  }
  if (isObject(value) && random(2) === 0) return { ...value, unheardOf: 1 };
  return one([null, '', 'x'.repeat(300), -1, 0.123, 10 ** 13, true, [], {}, ['a', 'a'], Array(2_000).fill(0)], random);
}

function one<T>(list: T[], random: Random): T {
  return list[random(list.length)]!;
}

interface Document {
  openapi: string;
  info: JsonObject;
  paths: JsonObject;
  webhooks?: JsonObject;
  'x-webhooks'?: JsonObject;
  components: JsonObject & { schemas: Record<string, JsonObject> };
  tags: unknown;
  servers: unknown;
}
