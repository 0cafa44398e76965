// Checks the values of schema keywords: an invalid one would restrict nothing.
import { isList, isObject } from '../model/json.ts';
import { compilePattern } from '../schema/location.ts';

type Test = (value: unknown) => boolean;

const typeNames = new Set<unknown>(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']);
const isType: Test = (value) => typeNames.has(value);
const isNumber: Test = (value) => typeof value === 'number';
const isString: Test = (value) => typeof value === 'string';
const isBoolean: Test = (value) => typeof value === 'boolean';
const isStrings: Test = (value) => isList(value) && value.every(isString);

const keywords = new Map<string, readonly [test: Test, description: string]>([
  [
    'type',
    [(value) => isType(value) || (isList(value) && value.every(isType)), 'the name of a type, or a list of them'],
  ],
  ['required', [isStrings, 'a list of names']],
  ['enum', [isList, 'a list']],
  ...['pattern', 'format', 'description'].map((name) => [name, [isString, 'a string']] as const),
  ...['nullable', 'readOnly', 'writeOnly', 'deprecated', 'uniqueItems'].map(
    (name) => [name, [isBoolean, 'true or false']] as const,
  ),
  ...[
    ...['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems'],
    ...['minProperties', 'maxProperties', 'minContains', 'maxContains'],
  ].map((name) => [name, [isNumber, 'a number']] as const),
]);

export function checkKeywords(
  schema: Readonly<Record<string, unknown>>,
  report: (keyword: string, text: string) => void,
): void {
  for (const name of Object.keys(schema)) {
    const rule = keywords.get(name);
    if (rule && !rule[0](schema[name])) report(name, `must be ${rule[1]}, and is ignored`);
  }
  if (typeof schema.pattern === 'string' && compilePattern(schema.pattern) === undefined)
    report('pattern', "isn't an ECMA-262 regular expression, so the allowed values are unknown");
  if (isObject(schema.discriminator) && typeof schema.discriminator.propertyName !== 'string')
    report('discriminator', 'needs `propertyName`, and is ignored');
}
