import { fieldLabels } from '../../../parts/names.ts';
import { named } from '../../../parts/translate.ts';

/** Import fields whose names differ from the person's fields. */
const others: Record<string, string> = {
  manager_id: 'manager_key',
  manager: 'manager_any',
  'emergency_contact.name': 'contact_name',
  'emergency_contact.phone': 'contact_phone',
  'emergency_contact.relationship': 'contact_relationship',
};

export function fieldName(field: string): string {
  return named(fieldLabels, others[field] ?? field);
}
