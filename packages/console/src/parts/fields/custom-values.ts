/** Converts custom field values between inputs, the API, and display text. */
import type { CustomField } from '../../api/custom-fields.ts';
import { day, number } from '../format.ts';
import { currentLanguage, t } from '../translate.ts';

/** The parts of a field definition that an input needs. */
export type InputField = Pick<CustomField, 'key' | 'label' | 'description' | 'type' | 'options' | 'required'>;

/** A list for multiple choice; otherwise a string, empty for no value. */
export type CustomInputValue = string | string[];

export function labelOf(label: CustomField['label']): string {
  return label[currentLanguage().slice(0, 2) as 'en' | 'pt' | 'es'] || label.default;
}

export function inputValueOf({ type }: Pick<CustomField, 'type'>, value: unknown): CustomInputValue {
  if (type === 'multi_choice') return Array.isArray(value) ? (value as string[]) : [];
  if (value === null || value === undefined) return '';
  return type === 'number' && hasDecimalComma() ? String(value).replace('.', ',') : String(value);
}

/** Sends an invalid value unchanged, so that the service reports the error. */
export function sentValue({ type }: Pick<CustomField, 'type'>, value: CustomInputValue): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value : null;
  const text = value.trim();
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'number') return numberIn(text) ?? text;
  return value;
}

/** Portuguese and Spanish use a decimal comma. There, `1.500` may be meant as 1500, so it isn't read as 1.5. */
function numberIn(text: string): number | undefined {
  if (hasDecimalComma() && /^-?\d{1,3}(\.\d{3})+$/.test(text)) return undefined;
  const plain = hasDecimalComma() ? text.replace(/^(-?\d+),(\d+)$/, '$1.$2') : text;
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

function hasDecimalComma(): boolean {
  return currentLanguage() !== 'en';
}

export function valueText({ type, options }: Pick<CustomField, 'type' | 'options'>, value: unknown) {
  if (value === null || value === undefined) return undefined;
  switch (type) {
    case 'boolean':
      return value ? t`Yes` : t`No`;
    case 'date':
      return day(String(value));
    case 'number':
      return number(Number(value));
    case 'choice':
      return optionText(options, String(value));
    case 'multi_choice':
      return (value as string[]).map((key) => optionText(options, key)).join(', ');
    default:
      return String(value);
  }
}

function optionText(options: CustomField['options'], key: string): string {
  const option = options.find((each) => each.key === key);
  return option ? labelOf(option.label) : key;
}
