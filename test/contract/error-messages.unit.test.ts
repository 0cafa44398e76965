/** Validation messages are readable: in words, with an example, and without patterns. */
import { contractAjv } from '../../scripts/generate/contract-ajv.ts';
import { contractOperations, resolve, type Schema } from '../../src/contract/contract.ts';
import { refusedCharacter } from '../../src/contract/texts/one-line.ts';
import { fieldErrors, type Validate } from '../../src/contract/validation.ts';

const schemas = new Set<Schema>();
for (const { operation } of contractOperations) {
  for (const { schema } of operation.parameters ?? []) if (schema) collect(schema);
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) collect(schema);
}

function collect(schema: Schema): void {
  const found = resolve(schema);
  if (schemas.has(found)) return;
  schemas.add(found);
  const { items, additionalProperties, propertyNames, properties = {}, anyOf = [], allOf = [], oneOf = [] } = found;
  const lists = [anyOf, allOf, oneOf, Object.values(properties)] as Schema[][];
  for (const part of [items, additionalProperties, propertyNames, ...lists.flat()]) {
    if (typeof part === 'object') collect(part as Schema);
  }
}

/** Characters of patterns that sentences don't have. */
const ofPatterns = /\^|\$|\\|\[|\]|\(\?|\{\d|must match|must NOT/;

const texts = ['', ' ', '\0', 'a\0', '!', '-', 'x'.repeat(300), '2026-13-01', ' a', 'é', '99:99', '*.*.*'];
const values = [...texts, null, true, 1.5, -1, 1e15, 0.001, [], {}, ['a', 'a'], { '': '' }, { 'a b': 1, '\0': null }];

const ajv = contractAjv({ validateFormats: true });

function messagesOf(schema: Schema): string[] {
  const validate = ajv.compile(withoutReferences(schema)) as Validate;
  return values.flatMap((value) => {
    const errors = fieldErrors(validate, structuredClone(value), 'body') ?? {};
    return Object.values(errors).flatMap((found) => found.map(({ message }) => `${message}`));
  });
}

/** Only the schema's own rules; references are checked separately. */
function withoutReferences(schema: Schema): object {
  const own = Object.entries(schema).filter(
    ([key]) => !['properties', 'items', 'anyOf', 'allOf', 'oneOf'].includes(key),
  );
  return Object.fromEntries(own.filter(([, value]) => !JSON.stringify(value).includes('"$ref"')));
}

test('finds many schemas', () => expect(schemas.size).toBeGreaterThan(100));

test('no message for any schema shows a pattern, or omits what is expected', () => {
  const messages = new Set([...schemas].flatMap(messagesOf));
  expect(messages.size).toBeGreaterThan(30);
  for (const message of messages) {
    expect(message).not.toMatch(ofPatterns);
    expect(message).not.toContain('documentation');
    expect(message).toMatch(/^[A-Z].*\.$/s);
  }
});

/** Control characters, line separators, and direction embeddings, isolates, and overrides. */
const ofOneLine = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$';

test('normalized texts have the pattern that excludes what they can’t contain', () => {
  const normalized = [...schemas].filter((schema) => schema['x-normalized'] !== undefined);
  expect(normalized.length).toBeGreaterThan(40);
  for (const { pattern, format, 'x-normalized': form } of normalized) {
    expect([form, format ?? pattern]).toEqual([form, format === 'email' ? 'email' : ofOneLine]);
  }
  const pattern = new RegExp(ofOneLine, 'u');
  for (let code = 0; code <= 0xffff; code++) {
    const text = `a${String.fromCharCode(code)}b`;
    if (!text.isWellFormed()) continue;
    if (pattern.test(text) === (refusedCharacter(text) !== undefined)) throw new Error(`U+${code.toString(16)}`);
  }
});

test('every pattern is described with an example, or excludes something obvious', () => {
  for (const { pattern, 'x-expected': expected } of schemas) {
    if (typeof pattern !== 'string' || ['^[^\\u0000]*$', ofOneLine].includes(pattern)) continue;
    expect([pattern, expected]).toEqual([pattern, expect.stringMatching(/such as|as it is|unchanged/)]);
  }
});

test.each([
  [{ type: 'string', minLength: 2 }, '', 'Must not be blank: write something other than spaces.'],
  [{ type: 'string', minLength: 2 }, 'a', 'Must have at least 2 characters.'],
  [{ type: 'string', pattern: '^[^\\u0000]*$' }, 'a\0b', 'Must not contain the invisible character U+0000.'],
  [{ type: 'string', pattern: ofOneLine }, 'a\u202eb', 'Must not contain the invisible character U+202E.'],
  [{ type: 'string', pattern: ofOneLine }, 'a\r\nb', 'Must be on one line: it contains a line break (U+000D).'],
  [{ type: 'string', format: 'email' }, 'ana\u00ad@a.example', 'Must not contain the invisible character U+00AD.'],
  [{ type: 'string', pattern: '^a$', 'x-expected': 'an a, such as a' }, 'b', 'Must be an a, such as a.'],
  [{ type: 'string', format: 'email' }, 'ana', 'Must be a valid email address, such as ana@company.example.'],
  [{ type: 'string', format: 'date' }, 'soon', 'Must be a date, such as 2026-03-02.'],
  [{ type: 'number', multipleOf: 0.01 }, 0.001, 'Must have at most 2 decimals.'],
  [{ type: 'number', minimum: 0 }, -1, 'Must be at least 0.'],
  [{ type: ['string', 'null'] }, 5, 'Must be a text or null.'],
  [{ type: 'array', uniqueItems: true }, ['x', 'a', 'a'], 'Must not have the same item twice, as 1 and 2.'],
  [{ propertyNames: { pattern: '^a$', 'x-expected': 'an a' } }, { b: 1 }, 'Each name in it must be an a.'],
])('explains why %j rejects %j', (schema, value, message) => {
  const validate = contractAjv().compile(schema) as Validate;
  expect(fieldErrors(validate, value, 'body')!.body!.map((error) => `${error.message}`)).toEqual([message]);
});
