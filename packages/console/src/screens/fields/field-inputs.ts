/** Form state of a field definition, and the request made from it. */
import type { CustomField, CustomFieldChange, NewCustomField } from '../../api/custom-fields.ts';
import { plain } from '../../parts/fold-text.ts';

/** Empty string: no label. */
export interface LabelInputs {
  default: string;
  en: string;
  pt: string;
  es: string;
}

export interface OptionInputs {
  key: string;
  label: LabelInputs;
  retired: boolean;
  /** People may have this option: its key is fixed, and it can be retired but not removed. */
  isSaved: boolean;
}

export interface FieldInputs {
  key: string;
  type: CustomField['type'];
  label: LabelInputs;
  description: string;
  options: OptionInputs[];
  required: boolean;
  unique: boolean;
  read: CustomField['read'];
  write: CustomField['write'];
  sensitive: boolean;
}

export const types: readonly CustomField['type'][] = [
  'text',
  'long_text',
  'number',
  'boolean',
  'date',
  'choice',
  'multi_choice',
  'email',
  'url',
  'phone',
];

/** Types that support `unique`. */
const comparable: readonly CustomField['type'][] = ['text', 'number', 'email', 'url', 'phone'];

export function canBeUnique(type: CustomField['type']): boolean {
  return comparable.includes(type);
}

export function hasOptions(type: CustomField['type']): boolean {
  return type === 'choice' || type === 'multi_choice';
}

const noLabel: LabelInputs = { default: '', en: '', pt: '', es: '' };

export const noField: FieldInputs = {
  key: '',
  type: 'text',
  label: noLabel,
  description: '',
  options: [],
  required: false,
  unique: false,
  read: 'admin',
  write: 'admin',
  sensitive: false,
};

export const newOption = (): OptionInputs => ({ key: '', label: { ...noLabel }, retired: false, isSaved: false });

export function inputsOf(field: CustomField): FieldInputs {
  const { key, type, label, description, options, required, unique, read, write, sensitive } = field;
  return {
    ...{ key, type, required, unique, read, write, sensitive },
    label: labelInputs(label),
    description: description ?? '',
    options: options.map((option) => ({ ...option, label: labelInputs(option.label), isSaved: true })),
  };
}

function labelInputs({ default: inAny, en, pt, es }: CustomField['label']): LabelInputs {
  return { default: inAny, en: en ?? '', pt: pt ?? '', es: es ?? '' };
}

export function newFieldOf(inputs: FieldInputs): NewCustomField {
  const { key, type, sensitive } = inputs;
  const { options, ...settings } = settingsOf(inputs);
  return { key: key.trim(), type, sensitive, ...settings, ...(hasOptions(type) && { options }) };
}

/** Request body: settings that differ between two form states. */
export function changeOf(from: FieldInputs, to: FieldInputs): CustomFieldChange {
  const [before, after] = [settingsOf(from), settingsOf(to)];
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name as keyof typeof before]) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed);
}

function settingsOf({ label, description, options, type, required, unique, read, write }: FieldInputs) {
  return {
    label: sentLabel(label),
    description: description.trim() || null,
    options: options.map((option) => ({
      key: option.key.trim(),
      label: sentLabel(option.label),
      retired: option.retired,
    })),
    required,
    unique: unique && canBeUnique(type),
    read,
    write,
  };
}

function sentLabel({ default: inAny, en, pt, es }: LabelInputs) {
  return { default: inAny.trim(), en: en.trim() || null, pt: pt.trim() || null, es: es.trim() || null };
}

const maxKey = 40;

/** Derives a key from a label: `Tamanho da camisa` becomes `tamanho_da_camisa`. */
export function keyFor(label: string, isOption = false): string {
  const key = plain(label).replaceAll(/[^a-z0-9]+/g, '_');
  return key
    .replace(isOption ? /^_+/ : /^[^a-z]+/, '')
    .slice(0, maxKey)
    .replace(/_+$/, '');
}
