/** A person as their form has it, and what of it is sent. */
import { oneLine } from '../../../../../src/contract/texts/one-line.ts';
import type { Person, PersonChange } from '../../api/people.ts';
import { type FieldName, fieldNames, requiredFields } from './fields.ts';

/** As the inputs have them: texts, of which an empty one is none. */
export type Inputs = Record<FieldName, string> & {
  contact_name: string;
  contact_phone: string;
  contact_relationship: string;
};

export function inputsOf(person: Partial<Person>): Inputs {
  const { emergency_contact: contact, ...fields } = person;
  const texts = fieldNames.map((name) => [name, String((fields as Record<string, unknown>)[name] ?? '')]);
  return {
    ...(Object.fromEntries(texts) as Record<FieldName, string>),
    contact_name: contact?.name ?? '',
    contact_phone: contact?.phone ?? '',
    contact_relationship: contact?.relationship ?? '',
  };
}

/** What differs between two states of the form, as the API takes it. */
export function changeOf(from: Inputs, to: Inputs): PersonChange {
  const changed = fieldNames.filter((name) => name !== 'emergency_contact' && from[name] !== to[name]);
  const values = changed.map((name) => [name, sentAs(name, to[name])]);
  const contact = ['contact_name', 'contact_phone', 'contact_relationship'] as const;
  const isContactChanged = contact.some((name) => from[name] !== to[name]);
  const [name, phone, relationship] = contact.map((each) => oneLine(to[each]) || null);
  return {
    ...Object.fromEntries(values),
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
