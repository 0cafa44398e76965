// Ajv configured for the contract: JSON Schema 2020-12 with formats and the extensions of EXTENSIONS.md. The service uses
// precompiled validators (generate-validators.ts); only tests and the fuzzer compile schemas at runtime.
import { _, type CodeKeywordDefinition, type KeywordCxt, type Name, nil, type Options, str } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { emailForm, isEmail } from '../../src/contract/texts/email.ts';
import { isPlainLine, oneLine, refusedCharacter, words } from '../../src/contract/texts/one-line.ts';

/** The linter validates schemas, and `strict` would reject our extensions. */
const baseOptions: Options = { strict: false, validateSchema: false, logger: false };

export function contractAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, ...options, ...baseOptions });
  addFormats.default(ajv as never);
  const { validate } = fullFormats.date as { validate: (text: string) => boolean };
  ajv.addFormat('date', (text: string) => !text.startsWith('0000') && validate(text));
  ajv.addFormat('email', isEmail);
  // `x-clearable: false` reports its own error for `null`, in addition to the type error.
  ajv.addKeyword({
    keyword: 'x-clearable',
    schemaType: 'boolean',
    error: { message: 'must not be null' },
    code: (context) => context.pass(_`${context.schema} || ${context.data} !== null`),
  });
  // Adds the pattern's human-readable description to its errors.
  const pattern = ajv.getKeyword('pattern') as CodeKeywordDefinition;
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    ...pattern,
    error: {
      message: 'must match a pattern',
      params: ({ schemaCode, parentSchema }) =>
        _`{pattern: ${schemaCode}, expected: ${parentSchema?.['x-expected'] ?? ''}}`,
    },
  });
  // Adds the known names to the error of an unknown one.
  const additionalProperties = ajv.getKeyword('additionalProperties') as CodeKeywordDefinition;
  ajv.removeKeyword('additionalProperties');
  ajv.addKeyword({
    ...additionalProperties,
    before: 'properties', // as in Ajv
    error: {
      message: 'must not have other properties',
      params: ({ params, parentSchema }) =>
        _`{additionalProperty: ${params.additionalProperty}, known: ${Object.keys(parentSchema?.properties ?? {}).join(',')}}`,
    },
  });
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: {
      message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
      params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
    },
    code: (context) => context.fail(isNoMultiple(context)),
  });
  ajv.addKeyword({
    keyword: normalizedTexts,
    type: 'object',
    schemaType: 'object',
    before: 'maxProperties', // the first of the object keywords
    error: { message: 'must not contain such a character' },
    code: normalize,
  });
  // Only generate-validators.ts sets it: a read-only property still present in a request differs from its current value.
  ajv.addKeyword({
    keyword: readOnly,
    schemaType: 'string',
    error: { message: 'must not be changed', params: ({ schemaCode }) => _`{setBy: ${schemaCode}}` },
    code: (context) => context.fail(_`true`),
  });
  return ajv;
}

/** Rejects any value; names the operation that changes it, if there is one. */
export const readOnly = 'x-read-only';

/** Normalizes the strings of an object before validation, by property name. Only generate-validators.ts sets it. */
export const normalizedTexts = 'x-normalized-texts';

export interface NormalizedText {
  /** Normalization function, as named by `x-normalized`. */
  form?: keyof typeof forms;
  /** Whether an empty string becomes null. */
  nullable: boolean;
}

const forms = {
  line: { ref: oneLine, code: _`oneLine` },
  words: { ref: words, code: _`words` },
  email: { ref: emailForm, code: _`emailForm` },
};

/** Most lines pass a quick check; only the rest are normalized and searched for rejected characters. */
function normalize(context: KeywordCxt): void {
  const { gen, data, schema } = context;
  const imported = (ref: unknown, code: Name | ReturnType<typeof _>) => gen.scopeValue('func', { ref, code });
  for (const [name, { form, nullable }] of Object.entries(schema as Record<string, NormalizedText>)) {
    const member = _`${data}[${name}]`;
    const isLine = form === 'line' || form === 'words';
    const text = form ? _`${gen.scopeValue('func', forms[form])}(${member})` : member;
    const unlessPlain = form === 'line' ? _` && !${imported(isPlainLine, _`isPlainLine`)}(${member})` : nil;
    gen.if(_`typeof ${member} === "string"${unlessPlain}`, () => {
      gen.assign(member, nullable ? _`${text} || null` : text);
      if (!isLine) return;
      const character = _`${member} && ${imported(refusedCharacter, _`refusedCharacter`)}(${member})`;
      gen.if(character, () => context.error(true, {}, { instancePath: name as never }));
    });
  }
}

/** 0.01 is not exact in binary floating point, so check the number of decimals instead of a remainder. */
function isNoMultiple({ data, schema }: KeywordCxt) {
  const decimals = -Math.log10(schema);
  return decimals > 0 && Number.isInteger(decimals)
    ? _`Number(${data}.toFixed(${decimals})) !== ${data}`
    : _`${data} % ${schema} !== 0`;
}

/**
 * Formats as code: `fullFormats` of ajv-formats, with our email length limits. RFC 3339 allows year 0 but Postgres does not, so
 * it is an invalid date, as in `contractAjv`.
 */
export const formatsCode = `{
  ...fullFormats,
  email: isEmail,
  date: (text) => !text.startsWith('0000') && fullFormats.date.validate(text),
}`;
