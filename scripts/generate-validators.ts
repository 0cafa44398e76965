// Writes the validators of the contract as modules, so that no process compiles any when it starts: generate.ts puts them
// into generated/validators/. Each exports its functions by the name of what they check: a schema, or an operation.

import { _, type Options } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Operation, Schema } from '../src/contract/contract.ts';
import { contractAjv, formatsCode, type NormalizedText, normalizedTexts, readOnly } from './generate/contract-ajv.ts';

/** By the name of what is checked, the schema that it is checked by. */
type Checks = Record<string, Schema>;

/**
 * @param openapiJson the bundled contract
 * @returns the text of each file by its path
 */
export function generateValidators(openapiJson: string): Record<string, string> {
  const contract: Contract = JSON.parse(openapiJson);
  const operations = operationsOf(contract);
  // What arrives as text is turned into what the contract says; bodies are taken as they are sent.
  const fromText: Options = { coerceTypes: true };
  const inParameters = { ...fromText, inlineRefs: false };
  const requested = <T>(node: T) => asRequested(contract, node);
  return {
    ...moduleOf('parameters', contract, parameterChecks(contract, operations), inParameters, requested),
    ...moduleOf('forms', contract, formChecks(contract, operations), fromText, requested),
    ...moduleOf('bodies', contract, bodyChecks(operations), {}, requested),
    // Who is told of a broken answer needs one thing that is wrong with it.
    ...moduleOf('responses', contract, responseChecks(contract, operations), { allErrors: false, inlineRefs: false }),
  };
}

/** What an operation is asked by path, query and headers. Unknown headers are everybody's right. */
function parameterChecks(contract: Contract, operations: Operation[]): Checks {
  return byName(operations, ({ operationId, parameters = [] }) => {
    const place = (where: string) => {
      const here = parameters.map((parameter) => parameterOf(contract, parameter)).filter((each) => each.in === where);
      const nameOf = ({ name }: Parameter) => (where === 'header' ? name.toLowerCase() : name);
      return {
        type: 'object',
        additionalProperties: where === 'header',
        properties: Object.fromEntries(here.map((each) => [nameOf(each), each.schema])),
        required: here.filter(({ required }) => required).map(nameOf),
      };
    };
    const places = { path: place('path'), query: place('query'), header: place('header') };
    return [[operationId, { type: 'object', properties: places }]];
  });
}

/** One that operations share stays a reference, so that they share its function; a default is set by who refers to it. */
function parameterOf(contract: Contract, parameter: { $ref?: string }): Parameter {
  const { schema, ...rest } = resolve(contract, parameter) as Parameter;
  if (!parameter.$ref) return { ...rest, schema };
  const known = 'default' in schema ? { default: schema.default } : {};
  return { ...rest, schema: { ...known, $ref: `${parameter.$ref}/schema` } };
}

/** Of each form its texts, and in place of a file whatever became of it. */
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

/** Bodies by the name of their schema; the items of bulk requests are checked one by one. */
function bodyChecks(operations: Operation[]): Checks {
  const bodies = byName(operations, ({ requestBody }) => {
    const json = requestBody?.content['application/json'];
    return json ? [namedSchema(json.schema)] : [];
  });
  return { ...bodies, BulkItem: { $ref: '#/components/schemas/BulkItem' } };
}

/** Bodies of answers by the name of their schema. */
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

/** The linter sees to it that every body has a name. */
function namedSchema(schema: Schema): [string, Schema] {
  const name = schema.$ref?.split('/').at(-1);
  if (!name) throw new Error(`A body has a schema without a name: ${JSON.stringify(schema)}`);
  return [name, schema];
}

/** The checks share what they refer to: a schema is compiled once. */
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
  ajv.addSchema(lean(change(withValuesInPlace(contract, whole))) as object, 'contract');
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

/** Ajv exports each function by itself, and asks for what they use as CommonJS does. */
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

/** Where the code finds what it uses of ours and of others. */
const modules = {
  'ajv-formats/dist/formats.js': ['fullFormats'],
  '../../src/contract/texts/email.ts': ['emailForm', 'isEmail'],
  '../../src/contract/texts/one-line.ts': ['isPlainLine', 'oneLine', 'refusedCharacter', 'words'],
};

/** Of arrays with `x-checked-apart`, only that there are objects in them: the operation checks each of these. */
function withoutItemsCheckedApart(schemas: Record<string, Schema>): Record<string, Schema> {
  const property = (each: Schema) => (each['x-checked-apart'] ? { ...each, items: { type: 'object' } } : each);
  return mapped(schemas, (schema) =>
    schema.properties ? { ...schema, properties: mapped(schema.properties, property) } : schema,
  );
}

/**
 * Names of plain values replaced by what they stand for, because Ajv looks no further than a reference: it would set no
 * default, compare items of a list one by one, and lose a value that one alternative has turned into text.
 */
function withValuesInPlace<T>(contract: Contract, node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => withValuesInPlace(contract, each)) as T;
  const { $ref } = node as Schema;
  const target = $ref?.startsWith('#/components/schemas/') ? resolve(contract, node as Schema) : {};
  const isPlain = target.type !== undefined && target.type !== 'object' && target.type !== 'array';
  return mapped(isPlain ? target : node, (each) => withValuesInPlace(contract, each)) as T;
}

/**
 * What holds for requests alone. Texts are checked in the form in which they are stored, and an empty text is the same as
 * null wherever there may be null: many systems know no other way to say it. What an update does not set was taken out of
 * the request where it is as answers show it: it may be anything but there.
 */
function asRequested<T>(contract: Contract, node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => asRequested(contract, each)) as T;
  const changed = mapped(node, (each) => asRequested(contract, each)) as Schema;
  const { properties } = changed;
  if (typeof properties !== 'object' || Array.isArray(properties)) return changed as T;
  const texts = Object.entries(properties).flatMap(([name, property]) => {
    const text = normalizedText(resolve(contract, property));
    return text ? [[name, text]] : [];
  });
  return {
    ...changed,
    properties: mapped(properties, requestedProperty),
    ...(texts.length > 0 && { [normalizedTexts]: Object.fromEntries(texts) }),
  } as T;
}

function requestedProperty(property: Schema): Schema {
  if (isReadOnly(property)) return { [readOnly]: property['x-set-by'] ?? '' };
  if (!['line', 'words'].includes(property['x-normalized'] as string)) return property;
  const { pattern: _, ...others } = property; // says for clients what `normalizedTexts` looks for
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

/** Without what says nothing about what is valid. */
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
/** Keywords that hold values, and no schemas. */
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

/** What a reference points to; anything else as it is. Of the contract that is given, and not of the one that is committed. */
function resolve<T extends { $ref?: string }>(contract: Contract, node: T): T {
  if (!node.$ref) return node;
  const parts = node.$ref.replace(/^#\//, '').split('/');
  return resolve(contract, parts.reduce((at: unknown, part) => (at as Record<string, unknown>)[part], contract) as T);
}
