/** Form state of a person, and the request made from it. */
import { oneLine } from '../../../../../../src/contract/texts/one-line.ts';
import type { CustomField } from '../../../api/custom-fields.ts';
import type { Person, PersonChange } from '../../../api/people.ts';
import { type CustomInputValue, inputValueOf, sentValue } from '../../../parts/fields/custom-values.ts';
import { type FieldName, fieldNames, requiredFields } from '../fields.ts';

/** Input values: strings, empty for no value. */
export type Inputs = Record<FieldName, string> & {
  contact_name: string;
  contact_phone: string;
  contact_relationship: string;
  /** Custom field values by key, for fields the reader can see. */
  custom: Record<string, CustomInputValue>;
};

/** @param fields all custom fields with an input */
export function inputsOf(person: Partial<Person>, fields: readonly CustomField[]): Inputs {
  const { emergency_contact: contact, ...others } = person;
  const visibleFields = fields.filter(({ key }) => !person.custom_fields || key in person.custom_fields);
  const texts = fieldNames.map((name) => [name, String((others as Record<string, unknown>)[name] ?? '')]);
  return {
    ...(Object.fromEntries(texts) as Record<FieldName, string>),
    contact_name: contact?.name ?? '',
    contact_phone: contact?.phone ?? '',
    contact_relationship: contact?.relationship ?? '',
    custom: Object.fromEntries(
      visibleFields.map((field) => [field.key, inputValueOf(field, person.custom_fields?.[field.key])]),
    ),
  };
}

/** Request body: fields that differ between two form states. */
export function changeOf(from: Inputs, to: Inputs, fields: readonly CustomField[]): PersonChange {
  const changed = fieldNames.filter((name) => name !== 'emergency_contact' && from[name] !== to[name]);
  const values = changed.map((name) => [name, sentAs(name, to[name])]);
  const contact = ['contact_name', 'contact_phone', 'contact_relationship'] as const;
  const isContactChanged = contact.some((name) => from[name] !== to[name]);
  const [name, phone, relationship] = contact.map((each) => oneLine(to[each]) || null);
  const custom = fields
    .filter(({ key }) => key in to.custom && JSON.stringify(from.custom[key]) !== JSON.stringify(to.custom[key]))
    .map((field) => [field.key, sentValue(field, to.custom[field.key]!)]);
  return {
    ...Object.fromEntries(values),
    ...(custom.length > 0 && { custom_fields: Object.fromEntries(custom) }),
    ...(isContactChanged && {
      emergency_contact: name || phone || relationship ? { name, phone, relationship } : null,
    }),
  };
}

function sentAs(name: FieldName, text: string): string | number | null {
  const line = oneLine(text);
  if (line === '' && !requiredFields.includes(name)) return null;
  return name === 'salary' ? Number(line) : line;
}
