/**
 * What is wrong with a value, as a code for programs and a sentence for people: it says what is expected, with an example
 * where that is not plain, and never shows a pattern.
 */
import type { ErrorObject } from 'ajv';
import type { FieldError } from './problem.ts';

/**
 * @param value that the error is about
 * @param nullable it could have been null as well
 * @returns undefined where other errors say what is wrong
 */
export function faultOf(error: ErrorObject, value: unknown, nullable: boolean): FieldError | undefined {
  const { keyword, params } = error;
  switch (keyword) {
    case 'x-read-only':
      return { code: 'field_not_allowed', message: unchangeable(params.setBy) };
    case 'x-clearable':
      return { code: 'not_clearable', message: 'This field can not be cleared.' };
    case 'required':
      return { code: 'required', message: 'This field is required.' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { code: 'field_not_allowed', message: 'No field of this name is known here.' };
    case 'type':
      return { code: 'invalid_type', message: `Must be ${typeWords(params.type, nullable)}.` };
    case 'format':
      return { code: 'invalid_format', message: `Must be ${formatWords[params.format] ?? unknown_form}.` };
    case 'pattern':
      return { code: 'invalid_format', message: patternSentence(error, value) };
    case 'uniqueItems':
      return { code: 'invalid_format', message: `Must not have the same item twice, as ${twice(params)}.` };
    case 'enum':
      return { code: 'not_in_enum', message: `Must be one of: ${params.allowedValues.join(', ')}.` };
    case 'const':
      return { code: 'not_in_enum', message: `Must be ${JSON.stringify(params.allowedValue)}.` };
    case 'propertyNames': // reported by what is wrong with the name
    case 'minProperties': // the operation says which fields it can choose from
    case 'if':
    case 'anyOf':
    case 'oneOf':
      return undefined; // their branches report what is wrong
    default:
      return sizeFault(keyword, params) ?? { code: 'invalid_format', message: `Must be ${unknown_form}.` };
  }
}

function sizeFault(keyword: string, params: ErrorObject['params']): FieldError | undefined {
  const { limit } = params;
  switch (keyword) {
    case 'minLength':
      return { code: 'too_short', message: `Must have at least ${counted(limit, 'character')}.` };
    case 'maxLength':
      return { code: 'too_long', message: `Must have at most ${counted(limit, 'character')}.` };
    case 'minItems':
      return { code: 'too_short', message: `Must have at least ${counted(limit, 'item')}.` };
    case 'maxProperties':
    case 'maxItems':
      return { code: 'too_long', message: `Must have at most ${counted(limit, 'item')}.` };
    case 'minimum':
      return { code: 'out_of_range', message: `Must be at least ${limit}.` };
    case 'maximum':
      return { code: 'out_of_range', message: `Must be at most ${limit}.` };
    case 'exclusiveMinimum':
      return { code: 'out_of_range', message: `Must be more than ${limit}.` };
    case 'exclusiveMaximum':
      return { code: 'out_of_range', message: `Must be less than ${limit}.` };
    case 'multipleOf':
      return { code: 'out_of_range', message: multipleWords(params.multipleOf) };
  }
}

const unknown_form = 'in the form that the documentation describes';

/** @param set_by the operation that changes it; empty for none */
function unchangeable(set_by: string): string {
  const how = set_by === '' ? '' : ` It is changed with ${set_by}.`;
  return `This field is not changed like this: leave it out, or send it as it is.${how}`;
}

const formatWords: Record<string, string> = {
  email: 'a valid email address, such as ana@company.example',
  date: 'a date, such as 2026-03-02',
  'date-time': 'a time with its date and zone, such as 2026-03-02T09:15:00Z',
  uri: 'an address, such as https://company.example/hooks',
  uuid: 'a UUID, such as 0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30',
};

/** What the contract says of its patterns; those that keep out nothing but these two need not say it. */
function patternSentence({ params, propertyName }: ErrorObject, value: unknown): string {
  const text = propertyName ?? value;
  const subject = propertyName === undefined ? 'Must' : 'Each name in it must';
  if (params.expected) return `${subject} be ${params.expected}.`;
  if (typeof text === 'string' && text.includes('\0')) return `${subject} not contain the invisible character NUL.`;
  return typeof text === 'string' && text.trim() === ''
    ? `${subject} not be blank: write something other than spaces.`
    : `${subject} be ${unknown_form}.`;
}

const typeNames: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typeWords(type: string | string[], nullable: boolean): string {
  const types = nullable ? [type, 'null'].flat() : [type].flat();
  return types.map((name) => typeNames[name]).join(' or ');
}

function multipleWords(step: number): string {
  const decimals = -Math.log10(step);
  return decimals > 0 && Number.isInteger(decimals)
    ? `Must have at most ${counted(decimals, 'decimal')}.`
    : `Must be a multiple of ${step}.`;
}

/** Items are counted from 0, as in the names of fields. */
function twice({ i, j }: ErrorObject['params']): string {
  return `${Math.min(i, j)} and ${Math.max(i, j)}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
