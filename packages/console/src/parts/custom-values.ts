/** Values of custom fields: as inputs have them, as the API takes them, and as people read them. */
import type { CustomField } from '../api/custom-fields.ts';
import { day, number } from './format.ts';
import { currentLanguage, t } from './words.ts';

/** What an input needs to know of a field. */
export type InputField = Pick<CustomField, 'key' | 'label' | 'description' | 'type' | 'options' | 'required'>;

/** Options of a multiple choice as a list; anything else as a text, empty for no value. */
export type CustomInputValue = string | string[];

export function labelOf(label: CustomField['label']): string {
  return label[currentLanguage().slice(0, 2) as 'en' | 'pt' | 'es'] || label.default;
}

export function inputValueOf({ type }: Pick<CustomField, 'type'>, value: unknown): CustomInputValue {
  if (type === 'multi_choice') return Array.isArray(value) ? (value as string[]) : [];
  return value === null || value === undefined ? '' : String(value);
}

/** What can't be such a value is sent as it is, for the service to say what is wrong with it. */
export function sentValue({ type }: Pick<CustomField, 'type'>, value: CustomInputValue): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value : null;
  const text = value.trim();
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'number') return numberIn(text) ?? text;
  return value;
}

/** Portuguese and Spanish have a comma before the decimals. */
function numberIn(text: string): number | undefined {
  const plain = currentLanguage() === 'en' ? text : text.replace(/^(-?\d+),(\d+)$/, '$1.$2');
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

/** A value as people read it; undefined for none. */
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
