// Ajv as the contract is meant: JSON Schema 2020-12 with formats, and with what EXTENSIONS.md adds to it. The service
// compiles nothing: its validators are written by generate-validators.ts. Tests and the fuzzer compile schemas as they go.
import { _, type CodeKeywordDefinition, type KeywordCxt, type Name, nil, type Options, str } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { emailForm, isEmail } from '../../src/contract/texts/email.ts';
import { isPlainLine, oneLine, refusedCharacter, words } from '../../src/contract/texts/one-line.ts';

/** That the schemas are right is found out by the linter, and `strict` would refuse our extensions. */
const usual: Options = { strict: false, validateSchema: false, logger: false };

export function contractAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, ...options, ...usual });
  addFormats.default(ajv as never);
  const { validate } = fullFormats.date as { validate: (text: string) => boolean };
  ajv.addFormat('date', (text: string) => !text.startsWith('0000') && validate(text));
  ajv.addFormat('email', isEmail);
  // `x-clearable: false` is an error of its own at `null`, beside the one of the type.
  ajv.addKeyword({
    keyword: 'x-clearable',
    schemaType: 'boolean',
    error: { message: 'must not be null' },
    code: (context) => context.pass(_`${context.schema} || ${context.data} !== null`),
  });
  // What the pattern means stands beside it, for people to read.
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
    before: 'maxProperties', // the first of the keywords for objects
    error: { message: 'must not contain such a character' },
    code: normalize,
  });
  // Only generate-validators.ts says where: whatever is still there when requests are checked is not as it was shown.
  ajv.addKeyword({
    keyword: readOnly,
    schemaType: 'string',
    error: { message: 'must not be changed', params: ({ schemaCode }) => _`{setBy: ${schemaCode}}` },
    code: (context) => context.fail(_`true`),
  });
  return ajv;
}

/** Refuses whatever is there, and names the operation that changes it, if there is one. */
export const readOnly = 'x-read-only';

/**
 * Brings the texts of an object into the form in which they are checked and stored: what becomes of each, by its name. Only
 * generate-validators.ts says where.
 */
export const normalizedTexts = 'x-normalized-texts';

export interface NormalizedText {
  /** By which function, as `x-normalized` names it. */
  form?: keyof typeof forms;
  /** Whether an empty text is null. */
  nullable: boolean;
}

const forms = {
  line: { ref: oneLine, code: _`oneLine` },
  words: { ref: words, code: _`words` },
  email: { ref: emailForm, code: _`emailForm` },
};

/** Most lines are plain, and need one look: what is refused in them is looked for in the others alone. */
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

/**
 * Cents are no multiples of 0.01 in binary floating point: what is meant is a number that is written with no more decimals,
 * which holds for whatever is the nearest to one that is.
 */
function isNoMultiple({ data, schema }: KeywordCxt) {
  const decimals = -Math.log10(schema);
  return decimals > 0 && Number.isInteger(decimals)
    ? _`Number(${data}.toFixed(${decimals})) !== ${data}`
    : _`${data} % ${schema} !== 0`;
}

/**
 * The formats as code, by `fullFormats` of ajv-formats, but with the lengths of addresses. RFC 3339 has a year 0, the calendar of the database has none: such
 * a date is refused as one that is not there, as `contractAjv` does.
 */
export const formatsCode = `{
  ...fullFormats,
  email: isEmail,
  date: (text) => !text.startsWith('0000') && fullFormats.date.validate(text),
}`;
