/** What changed in a record, as people read it: by the names that the history has for fields and values. */
import { named, t } from '../../parts/words.ts';
import { shown } from './shown.ts';

const channels = 'notifications.channels.';
const events = 'notifications.events.';

export function fieldWords(field: string): string {
  if (field === 'documents') return t('document');
  if (field === 'notifications.quiet_hours') return t('notifications.quiet');
  if (field === 'notifications.locale') return t('notifications.locale');
  if (field.startsWith(channels)) {
    return `${t('notifications.channels')} · ${named('channel', field.slice(channels.length))}`;
  }
  if (field.startsWith(events)) return `${t('notifications')} · ${field.slice(events.length)}`;
  return named('field', field);
}

/** Undefined for none. */
export function valueWords(field: string, value: unknown): string | undefined {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (field === 'status' && typeof value === 'string') return named('person', value);
  if (field === 'role' && typeof value === 'string') return named('role', value);
  if (field === 'documents' && value !== null) {
    const { name, type } = value as { name: string; type: string };
    return `${name} · ${named('document', type)}`;
  }
  if (field === 'notifications.quiet_hours' && value !== null) {
    const { start, end, timezone } = value as { start: string; end: string; timezone: string };
    return `${start}–${end} · ${timezone}`;
  }
  return shown(field, value);
}
