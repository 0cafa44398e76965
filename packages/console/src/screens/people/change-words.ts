/** What changed in a record, as people read it: by the names that the history has for fields and values. */

import { fieldLabels, roleNames } from '../../parts/names.ts';
import { named, t } from '../../parts/words.ts';
import { channelNames, documentTypeNames, personStatusNames } from './names.ts';
import { shown } from './shown.ts';

const channels = 'notifications.channels.';
const events = 'notifications.events.';

export function fieldWords(field: string): string {
  if (field === 'documents') return t`Document`;
  if (field === 'notifications.quiet_hours') return t`Quiet hours`;
  if (field === 'notifications.locale') return t`Message language`;
  if (field.startsWith(channels)) {
    return `${t`Send messages by`} · ${named(channelNames, field.slice(channels.length))}`;
  }
  if (field.startsWith(events)) return `${t`Notifications`} · ${field.slice(events.length)}`;
  return named(fieldLabels, field);
}

/** Undefined for none. */
export function valueWords(field: string, value: unknown): string | undefined {
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
  return shown(field, value);
}
