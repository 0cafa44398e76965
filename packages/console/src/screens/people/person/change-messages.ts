/** Formats history entries: labels for fields and values. */
import type { CustomField } from '../../../api/custom-fields.ts';
import { labelOf, valueText } from '../../../parts/fields/custom-values.ts';
import { fieldLabels, roleNames } from '../../../parts/names.ts';
import { named, t } from '../../../parts/translate.ts';
import { formatField } from '../format-field.ts';
import { channelNames, documentTypeNames, personStatusNames } from '../names.ts';

const channels = 'notifications.channels.';
const events = 'notifications.events.';

/** @param custom the company's custom fields */
export function fieldLabel(field: string, custom: readonly CustomField[]): string {
  if (field === 'documents') return t`Document`;
  if (field === 'notifications.quiet_hours') return t`Quiet hours`;
  if (field === 'notifications.locale') return t`Message language`;
  if (field.startsWith(channels)) {
    return `${t`Send messages by`} · ${named(channelNames, field.slice(channels.length))}`;
  }
  if (field.startsWith(events)) return `${t`Notifications`} · ${field.slice(events.length)}`;
  const customField = customFieldOf(field, custom);
  return customField ? labelOf(customField.label) : named(fieldLabels, field);
}

export function formatValue(field: string, value: unknown, custom: readonly CustomField[]): string | undefined {
  const customField = customFieldOf(field, custom);
  if (customField) return valueText(customField, value);
  if (typeof value === 'boolean') return value ? t`yes` : t`no`;
  if (field === 'status' && typeof value === 'string') return named(personStatusNames, value);
  if (field === 'role' && typeof value === 'string') return named(roleNames, value);
  if (field === 'documents' && value !== null) {
    const { name, type } = value as { name: string; type: string };
    return `${name} · ${named(documentTypeNames, type)}`;
  }
  if (field === 'notifications.quiet_hours' && value !== null) {
    const { start, end, timezone } = value as { start: string; end: string; timezone: string };
    return `${start}–${end} · ${timezone}`;
  }
  return formatField(field, value);
}

export function customFieldOf(field: string, custom: readonly CustomField[]): CustomField | undefined {
  return custom.find(({ key }) => field === `custom_fields.${key}`);
}
