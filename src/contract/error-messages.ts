/** Turns validation errors into a code and a message, which says what is expected and never shows a pattern. */
import type { ErrorObject } from 'ajv';
import { anyOf, fromContract, type Text, t, tn } from './languages/text.ts';
import type { FieldError } from './problem.ts';
import { invisibleCharacter, isEmail } from './texts/email.ts';
import { hiddenCharacter, refusedCharacter } from './texts/one-line.ts';
import { unknownName } from './unknown-name.ts';

/**
 * @param nullable whether null is also valid
 * @returns undefined when other errors explain the problem
 */
export function errorOf(error: ErrorObject, value: unknown, nullable: boolean): FieldError | undefined {
  const { keyword, params } = error;
  switch (keyword) {
    case 'x-read-only':
      return { code: 'field_not_allowed', message: unchangeable(params.setBy) };
    case 'x-clearable':
      return { code: 'not_clearable', message: t`This field can't be cleared.` };
    case 'required':
      return { code: 'required', message: t`This field is required.` };
    case 'additionalProperties':
      return unknownName(params.additionalProperty, params.known.split(','));
    case 'unevaluatedProperties':
      return unknownName(params.unevaluatedProperty, []);
    case 'type':
      return { code: 'invalid_type', message: t`Must be ${typeMessages(params.type, nullable)}.` };
    case 'format':
      return { code: 'invalid_format', message: formatSentence(params.format, value) };
    case 'x-normalized-texts':
      return { code: 'invalid_format', message: unwantedCharacter(refusedCharacter(String(value))!) };
    case 'pattern':
      return { code: 'invalid_format', message: patternSentence(error, value) };
    case 'minLength':
      return { code: 'too_short', message: value === '' ? blank : minCharacters(params.limit) };
    case 'uniqueItems':
      return { code: 'invalid_format', message: twice(params) };
    case 'enum':
      return { code: 'not_in_enum', message: t`Must be one of: ${params.allowedValues.join(', ')}.` };
    case 'const':
      return { code: 'not_in_enum', message: t`Must be ${JSON.stringify(params.allowedValue)}.` };
    case 'propertyNames': // the error of the name itself is reported
    case 'minProperties': // the operation's own message lists the fields to choose from
    case 'if':
    case 'anyOf':
    case 'oneOf':
      return undefined; // errors of their branches are reported
    default:
      return sizeError(keyword, params) ?? { code: 'invalid_format', message: mustBe(false, undefined) };
  }
}

function sizeError(keyword: string, params: ErrorObject['params']): FieldError | undefined {
  const { limit } = params;
  switch (keyword) {
    case 'maxLength':
      return { code: 'too_long', message: maxCharacters(limit) };
    case 'minItems':
      return { code: 'too_short', message: minItems(limit) };
    case 'maxProperties':
    case 'maxItems':
      return { code: 'too_long', message: maxItems(limit) };
    case 'minimum':
      return { code: 'out_of_range', message: t`Must be at least ${limit}.` };
    case 'maximum':
      return { code: 'out_of_range', message: t`Must be at most ${limit}.` };
    case 'exclusiveMinimum':
      return { code: 'out_of_range', message: t`Must be more than ${limit}.` };
    case 'exclusiveMaximum':
      return { code: 'out_of_range', message: t`Must be less than ${limit}.` };
    case 'multipleOf':
      return { code: 'out_of_range', message: multipleMessage(params.multipleOf) };
  }
}

const minCharacters = (limit: number) =>
  tn(limit, t`Must have at least ${limit} character.`, t`Must have at least ${limit} characters.`);

const maxCharacters = (limit: number) =>
  tn(limit, t`Must have at most ${limit} character.`, t`Must have at most ${limit} characters.`);

const minItems = (limit: number) =>
  tn(limit, t`Must have at least ${limit} item.`, t`Must have at least ${limit} items.`);

const maxItems = (limit: number) =>
  tn(limit, t`Must have at most ${limit} item.`, t`Must have at most ${limit} items.`);

/** @param setBy the operation that changes it; empty for none */
function unchangeable(setBy: string): Text {
  return setBy === ''
    ? t`This field can't be changed here: omit it, or send it unchanged.`
    : t`This field can't be changed here: omit it, or send it unchanged. To change it, use ${setBy}.`;
}

const formatMessages: Record<string, Text> = {
  email: t`a valid email address, such as ana@company.example`,
  date: t`a date, such as 2026-03-02`,
  'date-time': t`a time with its date and zone, such as 2026-03-02T09:15:00Z`,
  uri: t`an address, such as https://company.example/hooks`,
  uuid: t`a UUID, such as 0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30`,
};

const blank = t`Must not be blank: write something other than spaces.`;

function formatSentence(format: string, value: unknown): Text {
  const ofEmail = format === 'email' && typeof value === 'string' ? emailProblem(value) : undefined;
  return ofEmail ?? mustBe(false, formatMessages[format]);
}

/** Also detects invisible characters in an address. @returns undefined for a valid address */
export function emailProblem(address: string): Text | undefined {
  if (isEmail(address)) return undefined;
  const character = invisibleCharacter(address);
  return character ? unwantedCharacter(character) : mustBe(false, formatMessages.email);
}

/** Uses the contract's description of a pattern, or names a forbidden character. */
function patternSentence({ params, propertyName }: ErrorObject, value: unknown): Text {
  const text = propertyName ?? value;
  const ofName = propertyName !== undefined;
  if (params.expected) return mustBe(ofName, fromContract(params.expected));
  const character = typeof text !== 'string' ? undefined : text.includes('\0') ? 'U+0000' : refusedCharacter(text);
  if (!character) return mustBe(ofName, undefined);
  return ofName ? t`No name in it may contain the invisible character ${character}.` : unwantedCharacter(character);
}

const lineBreaks = new Set(['U+000A', 'U+000B', 'U+000C', 'U+000D', 'U+0085', 'U+2028', 'U+2029']);

/** @param character for example `U+202E` */
function unwantedCharacter(character: string): Text {
  return lineBreaks.has(character)
    ? t`Must be on one line: it contains a line break (${character}).`
    : t`Must not contain the invisible character ${character}.`;
}

/** Errors of names that people base trust on: an app's and a company's, on the consent page. */
export function trustedNameErrors(name: string): FieldError[] {
  const character = hiddenCharacter(name);
  return character ? [{ code: 'invalid_format', message: unwantedCharacter(character) }] : [];
}

/** @param description undefined without a description */
function mustBe(ofName: boolean, description: Text | undefined): Text {
  if (!description) return t`Must have the form that the documentation describes.`;
  return ofName ? t`Each name in it must be ${description}.` : t`Must be ${description}.`;
}

const typeNames: Record<string, Text> = {
  string: t`a text`,
  number: t`a number`,
  integer: t`a whole number`,
  boolean: t`true or false`,
  array: t`a list`,
  object: t`an object`,
  null: t`null`,
};

function typeMessages(type: string | string[], nullable: boolean): Text {
  const types = nullable ? [type, 'null'].flat() : [type].flat();
  return anyOf(types.map((name) => typeNames[name]!));
}

function multipleMessage(step: number): Text {
  const decimals = -Math.log10(step);
  return decimals > 0 && Number.isInteger(decimals)
    ? tn(decimals, t`Must have at most ${decimals} decimal.`, t`Must have at most ${decimals} decimals.`)
    : t`Must be a multiple of ${step}.`;
}

/** Items are counted from 0, as in field names. */
function twice({ i, j }: ErrorObject['params']): Text {
  return t`Must not have the same item twice, as ${Math.min(i, j)} and ${Math.max(i, j)}.`;
}
