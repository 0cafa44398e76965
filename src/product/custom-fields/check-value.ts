/** Checks and normalizes one value of a custom field by its type. */
import { emailProblem } from '../../contract/error-messages.ts';
import { t, tn } from '../../contract/languages/text.ts';
import type { FieldError } from '../../contract/problem.ts';
import { emailForm, isEmail } from '../../contract/texts/email.ts';
import { oneLine, refusedCharacter } from '../../contract/texts/one-line.ts';
import type { FieldDefinition } from '../../identity/members/company-fields.ts';
import { maxUnique } from './unique-values.ts';

/** As JSON in UTF-8. */
const maxValueBytes = 4_096;
const largestNumber = 999_999_999_999_999;
export const maxDecimals = 6;
const maxOfType: Partial<Record<FieldDefinition['type'], number>> = { email: 254, url: 2_048, phone: 100 };

/** A normalized value or an error. An empty text is no value. */
type CheckedValue = { value: unknown; error?: undefined } | { error: FieldError };

/** @param before the current value, which may keep a retired option */
export function checkValue(field: FieldDefinition, sent: unknown, before: unknown): CheckedValue {
  const checked = checkType(field, sent, before);
  if (checked.error || checked.value === null) return checked;
  if (Buffer.byteLength(JSON.stringify(checked.value)) > maxValueBytes) {
    return invalid('too_long', t`Must have at most ${maxValueBytes} bytes.`);
  }
  return checked;
}

function checkType(field: FieldDefinition, sent: unknown, before: unknown): CheckedValue {
  switch (field.type) {
    case 'number':
      return checkNumber(sent);
    case 'boolean':
      return typeof sent === 'boolean' ? { value: sent } : invalid('invalid_type', t`Must be ${t`true or false`}.`);
    case 'date':
      return checkDate(sent);
    case 'choice':
      if (sent === '') return { value: null };
      return typeof sent === 'string' ? checkOption(field, sent, [before]) : invalid('invalid_type', mustBeText);
    case 'multi_choice':
      return checkOptions(field, sent, Array.isArray(before) ? before : []);
    default:
      return typeof sent === 'string' ? checkText(field, sent) : invalid('invalid_type', mustBeText);
  }
}

const mustBeText = t`Must be ${t`a text`}.`;

function invalid(code: FieldError['code'], message: FieldError['message']): CheckedValue {
  return { error: { code, message } };
}

function checkNumber(sent: unknown): CheckedValue {
  if (typeof sent !== 'number' || !Number.isFinite(sent)) return invalid('invalid_type', t`Must be ${t`a number`}.`);
  if (Math.abs(sent) > largestNumber) return invalid('out_of_range', t`Must be at most ${largestNumber}.`);
  if (Number(sent.toFixed(maxDecimals)) !== sent) {
    return invalid(
      'out_of_range',
      tn(maxDecimals, t`Must have at most ${maxDecimals} decimal.`, t`Must have at most ${maxDecimals} decimals.`),
    );
  }
  return { value: Object.is(sent, -0) ? 0 : sent };
}

/** An existing date (ISO 8601), like `hire_date`. */
function checkDate(sent: unknown): CheckedValue {
  if (sent === '') return { value: null };
  const expectedDate = t`Must be ${t`a date, such as 2026-03-02`}.`;
  if (typeof sent !== 'string') return invalid('invalid_type', mustBeText);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(sent) && !sent.startsWith('0000');
  const day = new Date(`${sent}T00:00:00Z`);
  if (!isDay || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(sent))
    return invalid('invalid_format', expectedDate);
  return { value: sent };
}

function checkOption({ options }: FieldDefinition, key: string, currentKeys: readonly unknown[]): CheckedValue {
  const option = options.find((each) => each.key === key);
  if (option && (!option.retired || currentKeys.includes(key))) return { value: key };
  const known = options.filter(({ retired }) => !retired).map((each) => each.key);
  // A message has at most 500 characters.
  const listed = known.length > 10 ? `${known.slice(0, 10).join(', ')}, …` : known.join(', ');
  return invalid('not_in_enum', t`Must be one of: ${listed}.`);
}

/** In the order of the options, so that equal choices are equal values. */
function checkOptions(field: FieldDefinition, sent: unknown, before: readonly unknown[]): CheckedValue {
  if (!Array.isArray(sent) || sent.some((key) => typeof key !== 'string')) {
    return invalid('invalid_type', t`Must be a list of keys of options.`);
  }
  for (const key of sent as string[]) {
    const checked = checkOption(field, key, before);
    if (checked.error) return checked;
  }
  if (new Set(sent).size < sent.length) return invalid('invalid_format', t`Must not have the same option twice.`);
  const value = field.options.map(({ key }) => key).filter((key) => sent.includes(key));
  return { value: value.length > 0 ? value : null };
}

function checkText({ type, unique }: FieldDefinition, sent: string): CheckedValue {
  const value = type === 'email' ? emailForm(sent) : type === 'long_text' ? multiLine(sent) : oneLine(sent);
  if (value === '') return { value: null };
  const longest = Math.min(maxOfType[type] ?? maxValueBytes, unique ? maxUnique : maxValueBytes);
  if ([...value].length > longest) {
    return invalid(
      'too_long',
      tn(longest, t`Must have at most ${longest} character.`, t`Must have at most ${longest} characters.`),
    );
  }
  const character = refusedCharacter(type === 'long_text' ? value.replaceAll(/[\n\t]/g, '') : value);
  if (type === 'email') return isEmail(value) ? { value } : invalid('invalid_format', emailProblem(value)!);
  if (character) return invalid('invalid_format', t`Must not contain the invisible character ${character}.`);
  if (type === 'url' && !isWebAddress(value)) {
    return invalid('invalid_format', t`Must be a web address, such as https://company.example/ana.`);
  }
  return { value };
}

function multiLine(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').normalize('NFC').trim();
}

/** Safe link targets only: no scripts. */
function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
