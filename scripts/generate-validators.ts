// Generates the contract's validators as modules, so that no process compiles schemas at startup; generate.ts writes them to
// generated/validators/. Each module exports its functions by schema name or operationId.

import { _, type Options } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Operation, Schema } from '../src/contract/contract.ts';
import { contractAjv, formatsCode, type NormalizedText, normalizedTexts, readOnly } from './generate/contract-ajv.ts';

type Checks = Record<string, Schema>;

/**
 * @param openapiJson the bundled contract
 * @returns file contents by path
 */
export function generateValidators(openapiJson: string): Record<string, string> {
  const contract: Contract = JSON.parse(openapiJson);
  const operations = operationsOf(contract);
  // Parameters arrive as strings and are coerced; bodies are not.
  const fromText: Options = { coerceTypes: true };
  const inParameters = { ...fromText, inlineRefs: false };
  const requested = <T>(node: T) => asRequestSchema(contract, node);
  return {
    ...moduleOf('parameters', contract, parameterChecks(contract, operations), inParameters, requested),
    ...moduleOf('forms', contract, formChecks(contract, operations), fromText, requested),
    ...moduleOf('bodies', contract, bodyChecks(operations), {}, requested),
    // Invalid responses are only reported, so the first error is enough.
    ...moduleOf('responses', contract, responseChecks(contract, operations), { allErrors: false, inlineRefs: false }),
  };
}

/** Path, query, and header parameters of an operation. Unknown headers are allowed. */
function parameterChecks(contract: Contract, operations: Operation[]): Checks {
  return byName(operations, ({ operationId, parameters = [] }) => {
    const schemaFor = (location: string) => {
      const matching = parameters
        .map((parameter) => parameterOf(contract, parameter))
        .filter((each) => each.in === location);
      const nameOf = ({ name }: Parameter) => (location === 'header' ? name.toLowerCase() : name);
      return {
        type: 'object',
        additionalProperties: location === 'header',
        properties: Object.fromEntries(matching.map((each) => [nameOf(each), each.schema])),
        required: matching.filter(({ required }) => required).map(nameOf),
      };
    };
    const locations = { path: schemaFor('path'), query: schemaFor('query'), header: schemaFor('header') };
    return [[operationId, { type: 'object', properties: locations }]];
  });
}

/** Shared parameters stay references to share their validator; a default applies only at the place of the reference. */
function parameterOf(contract: Contract, parameter: { $ref?: string }): Parameter {
  const { schema, ...rest } = resolve(contract, parameter) as Parameter;
  if (!parameter.$ref) return { ...rest, schema };
  const known = 'default' in schema ? { default: schema.default } : {};
  return { ...rest, schema: { ...known, $ref: `${parameter.$ref}/schema` } };
}

/** Text fields of a form; file parts accept any value. */
function formChecks(contract: Contract, operations: Operation[]): Checks {
  return byName(operations, ({ operationId, requestBody }) => {
    const form = requestBody?.content['multipart/form-data'];
    if (!form) return [];
    const { properties = {}, ...rest } = resolve(contract, form.schema);
    const parts = Object.entries(properties).map(([name, part]) => {
      return [name, resolve(contract, part).format === 'binary' ? { type: 'object' } : part];
    });
    return [[operationId, { ...rest, properties: Object.fromEntries(parts) }]];
  });
}

/** Request bodies by schema name. Items of bulk requests have validators of their own. */
function bodyChecks(operations: Operation[]): Checks {
  const bodies = byName(operations, ({ requestBody }) => {
    const json = requestBody?.content['application/json'];
    return json ? [namedSchema(json.schema)] : [];
  });
  return { ...bodies, BulkItem: { $ref: '#/components/schemas/BulkItem' } };
}

function responseChecks(contract: Contract, operations: Operation[]): Checks {
  return byName(operations, ({ responses }) =>
    Object.values(responses).flatMap((response) => {
      const json = resolve(contract, response).content?.['application/json'];
      return json ? [namedSchema(json.schema)] : [];
    }),
  );
}

function byName(operations: Operation[], checksOf: (operation: Operation) => (readonly [string, Schema])[]): Checks {
  return Object.fromEntries(operations.flatMap(checksOf).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A linter rule ensures that every body has a named schema. */
function namedSchema(schema: Schema): [string, Schema] {
  const name = schema.$ref?.split('/').at(-1);
  if (!name) throw new Error(`A body has a schema without a name: ${JSON.stringify(schema)}`);
  return [name, schema];
}

/** The validators of a module share references, so each schema is compiled once. */
function moduleOf(
  name: string,
  contract: Contract,
  checks: Checks,
  options: Options,
  change = <T>(node: T) => node,
): Record<string, string> {
  const ajv = contractAjv({
    ...options,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  const { schemas, parameters } = contract.components;
  const whole = { checks, components: { schemas: withoutItemsCheckedApart(schemas), parameters } };
  ajv.addSchema(lean(change(withInlinedValues(contract, whole))) as object, 'contract');
  const names = Object.keys(checks);
  const addressOf = (check: string) => `contract${checks[check]!.$ref ?? `#/checks/${check}`}`;
  const code = standaloneCode.default(ajv, Object.fromEntries(names.map((check) => [check, addressOf(check)])));
  const types = names.map((check) => `  ${check}: Validate;\n`);
  return {
    [`generated/validators/${name}.js`]: head + esModule(name, code),
    [`generated/validators/${name}.d.ts`]: `${head}${validateType}export const ${name}: {\n${types.join('')}};\n`,
  };
}

const head = '// Generated by make generate from openapi/. Do not edit.\n\n';

const validateType = `import type { ErrorObject } from 'ajv';

type Validate = { (value: unknown): boolean; errors?: ErrorObject[] | null };

`;

/** Converts Ajv's standalone code, with single exports and CommonJS requires, to an ES module. */
function esModule(exported: string, code: string): string {
  const used = new Set<string>();
  const members: string[] = [];
  const functions = code
    .replace('"use strict";\n', '')
    .replaceAll(/^export const (\w+) = (\w+);$\n/gm, (_, check, name) => {
      members.push(`  ${check}: ${name},\n`);
      return '';
    });
  const body = functions.replaceAll(/require\("ajv\/dist\/runtime\/(\w+)"\)/g, (_, name: string) => {
    used.add(name);
    return name;
  });
  if (/\brequire\("/.test(body)) throw new Error('A validator uses a module that the generated file does not import.');
  const imports = [...used].sort().map((name) => `import ${name} from 'ajv/dist/runtime/${name}.js';\n`);
  const formats = /\bformats[.[]/.test(body) ? `const formats = ${formatsCode};\n\n` : '';
  const others = Object.entries(modules).flatMap(([module, names]) => {
    const named = names.filter((each) => new RegExp(`\\b${each}\\b`).test(`${formats}${body}`));
    return named.length > 0 ? [`import { ${named.join(', ')} } from '${module}';\n`] : [];
  });
  const head = `${imports.join('')}${others.join('')}\n${formats}`;
  return `${head}${body}\nexport const ${exported} = {\n${members.join('')}};\n`;
}

/** Imports of the generated code, by module. */
const modules = {
  'ajv-formats/dist/formats.js': ['fullFormats'],
  '../../src/contract/texts/email.ts': ['emailForm', 'isEmail'],
  '../../src/contract/texts/one-line.ts': ['isPlainLine', 'oneLine', 'refusedCharacter', 'words'],
};

/** For arrays with `x-checked-apart`, checks only that items are objects: the operation validates each item. */
function withoutItemsCheckedApart(schemas: Record<string, Schema>): Record<string, Schema> {
  const property = (each: Schema) => (each['x-checked-apart'] ? { ...each, items: { type: 'object' } } : each);
  return mapped(schemas, (schema) =>
    schema.properties ? { ...schema, properties: mapped(schema.properties, property) } : schema,
  );
}

/**
 * Inlines references to scalar schemas, because Ajv does not look through a reference: it would ignore defaults, compare list
 * items one by one, and lose coerced values within alternatives.
 */
function withInlinedValues<T>(contract: Contract, node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => withInlinedValues(contract, each)) as T;
  const { $ref } = node as Schema;
  const target = $ref?.startsWith('#/components/schemas/') ? resolve(contract, node as Schema) : {};
  const isPlain = target.type !== undefined && target.type !== 'object' && target.type !== 'array';
  return mapped(isPlain ? target : node, (each) => withInlinedValues(contract, each)) as T;
}

/**
 * Rules for requests only. Texts are validated in their stored form, and an empty string means null where null is allowed,
 * because many systems can't send null. Read-only properties are removed from a request if they match the current value; any left
 * over are rejected.
 */
function asRequestSchema<T>(contract: Contract, node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => asRequestSchema(contract, each)) as T;
  const changed = mapped(node, (each) => asRequestSchema(contract, each)) as Schema;
  const { properties } = changed;
  if (typeof properties !== 'object' || Array.isArray(properties)) return changed as T;
  const texts = Object.entries(properties).flatMap(([name, property]) => {
    const text = normalizedText(resolve(contract, property));
    return text ? [[name, text]] : [];
  });
  return {
    ...changed,
    properties: mapped(properties, requestProperty),
    ...(texts.length > 0 && { [normalizedTexts]: Object.fromEntries(texts) }),
  } as T;
}

function requestProperty(property: Schema): Schema {
  if (isReadOnly(property)) return { [readOnly]: property['x-set-by'] ?? '' };
  if (!['line', 'words'].includes(property['x-normalized'] as string)) return property;
  const { pattern: _, ...others } = property; // describes for clients what `normalizedTexts` checks
  return others;
}

function isReadOnly(property: Schema): boolean {
  return property.readOnly === true && !property['x-not-compared'];
}

function normalizedText(property: Schema): NormalizedText | undefined {
  const { type, 'x-normalized': form } = property;
  const nullable = Array.isArray(type) && type.includes('string') && type.includes('null');
  if (isReadOnly(property) || property['x-not-compared'] || !(form || nullable)) return undefined;
  return { ...(form !== undefined && { form: form as NonNullable<NormalizedText['form']> }), nullable };
}

/** Removes annotations, which don't affect validation. */
function lean(node: unknown, isSchema = true): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => lean(each));
  const members = Object.entries(node).filter(([key]) => !isSchema || !isAnnotation(key));
  const isMap = (key: string) => isSchema && ['properties', 'checks', 'schemas', 'parameters'].includes(key);
  return Object.fromEntries(
    members.map(([key, value]) => [key, values.includes(key) && isSchema ? value : lean(value, !isMap(key))]),
  );
}

function isAnnotation(key: string): boolean {
  return (
    annotations.includes(key) ||
    (key.startsWith('x-') && !['x-clearable', 'x-expected', normalizedTexts, readOnly].includes(key))
  );
}

const annotations = [
  'title',
  'description',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
];
/** Keywords with plain values rather than schemas. */
const values = ['enum', 'const', 'default', 'required', normalizedTexts];

function mapped<T, R>(object: Record<string, T> | object, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

interface Contract {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

function operationsOf({ paths }: Contract): Operation[] {
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => {
      if (!isOperation(operation)) return [];
      const { parameters: shared = [] } = item as Pick<Operation, 'parameters'>;
      return [{ ...operation, parameters: [...shared, ...(operation.parameters ?? [])] }];
    }),
  );
}

function isOperation(member: unknown): member is Operation {
  return typeof member === 'object' && member !== null && 'operationId' in member;
}

/** Resolves a reference within the given contract, which may differ from the committed one; returns anything else unchanged. */
function resolve<T extends { $ref?: string }>(contract: Contract, node: T): T {
  if (!node.$ref) return node;
  const parts = node.$ref.replace(/^#\//, '').split('/');
  return resolve(contract, parts.reduce((at: unknown, part) => (at as Record<string, unknown>)[part], contract) as T);
}
