/** Describes what an export contains: its filters, and the fields that it omits. */
import type { CustomField } from '../../api/custom-fields.ts';
import type { Export } from '../../api/exports.ts';
import { labelOf, valueText } from '../../parts/fields/custom-values.ts';
import { fieldLabels, roleNames } from '../../parts/names.ts';
import { named, t } from '../../parts/translate.ts';
import { personStatusNames } from '../people/names.ts';
import { partNames } from './names.ts';

/** Shows the filters: exports of the same day have the same name. */
export function contentOf({ filters, group_by: groupBy }: Export, custom: readonly CustomField[]): string {
  const parts = Object.entries(filters).map(([name, value]) => filterText(name, value, custom));
  const selection = parts.length === 0 ? t`everyone` : parts.join(' · ');
  return groupBy ? t`${selection}, by ${named(fieldLabels, groupBy)}` : selection;
}

/** By the key, without its label, for a custom field that the reader can't see. */
export function omittedName(name: string, custom: readonly CustomField[]): string {
  return name.startsWith('custom_fields.') ? customLabel(name.slice(14), custom) : named(partNames, name);
}

function filterText(name: string, value: string, custom: readonly CustomField[]): string {
  const [, key, bound] = /^custom_fields\[(\w+)\](?:\[(gte|lte)\])?$/.exec(name) ?? [];
  if (key === undefined) return `${named(filterLabels, name)}: ${wordOf(name, value)}`;
  const label = customLabel(key, custom);
  const text = customText(fieldOf(key, custom), value);
  if (bound === undefined) return `${label}: ${text}`;
  return `${bound === 'gte' ? t`${label}: from` : t`${label}: to`} ${text}`;
}

function wordOf(name: string, value: string): string {
  if (name === 'status') return named(personStatusNames, value);
  return name === 'role' ? named(roleNames, value) : value;
}

const filterLabels = () => ({ ...fieldLabels(), search: t`Search` });

function customText(field: CustomField | undefined, value: string): string | undefined {
  if (!field) return value;
  return valueText(
    field,
    field.type === 'boolean' ? value === 'true' : field.type === 'multi_choice' ? [value] : value,
  );
}

function customLabel(key: string, custom: readonly CustomField[]): string {
  const field = fieldOf(key, custom);
  return field ? labelOf(field.label) : key;
}

function fieldOf(key: string, custom: readonly CustomField[]): CustomField | undefined {
  return custom.find((each) => each.key === key);
}
