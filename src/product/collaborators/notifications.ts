/** Notification preferences. Only explicit choices are stored; defaults are added when reading. */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { type FieldErrors, validationError } from '../../contract/problem.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { isLocale } from '../../platform/values/locales.ts';
import { isTimeZone } from '../../platform/values/time-zones.ts';
import { emit } from '../events/emit.ts';
import { eventSubject } from './responses/collaborator-response.ts';
import { type Actor, lockCollaborator } from './write/change-collaborator.ts';
import { type FieldChange, maxChanges, recordHistory } from './write/history.ts';

type Preferences = components['schemas']['NotificationPreferences'];
type PreferencesUpdate = components['schemas']['NotificationPreferencesUpdate'];

const maxEvents = 100;
const defaultChannels: Preferences['channels'] = { email: true, push: true, sms: false };

export async function notificationPreferences(tenant: Tenant, collaboratorId: string): Promise<Preferences> {
  return preferencesResponse(await findPreferences(tenant, collaboratorId));
}

/**
 * Applies an update. Does nothing if nothing changes.
 * @throws 400 `invalid_format` for an unknown time zone or locale, `too_long` for too many events
 */
export async function updatePreferences(
  tx: TenantTransaction,
  actor: Actor,
  collaboratorId: string,
  update: PreferencesUpdate,
): Promise<Preferences> {
  const row = await lockCollaborator(tx, collaboratorId);
  const before = await findPreferences(tx, row.id);
  const preferences = merged(before.preferences, update);
  const errors = fieldErrors(update, preferences);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  const changes = changesBetween(preferencesResponse(before), preferencesResponse({ ...before, preferences }));
  if (changes.length === 0) return preferencesResponse(before);

  const after = preferencesResponse(await storePreferences(tx, row.id, preferences));
  for (let at = 0; at < changes.length; at += maxChanges) {
    recordHistory(tx, {
      collaborator_id: row.id,
      action: 'notifications_updated',
      description: 'Notification preferences changed',
      changes: changes.slice(at, at + maxChanges),
      user_id: actor.user_id,
    });
  }
  // Processes cache the language of errors with the membership.
  const hasNewLocale = changes.some(({ field }) => field === 'notifications.locale');
  if (hasNewLocale && row.user_id) await notifyAccessChanged(tx.raw, { user_id: row.user_id });
  emit(tx, 'collaborator.notifications_updated', {
    ...eventSubject(row),
    preferences: after,
    changed_by: actor.user_id,
  });
  return after;
}

interface ExplicitPreferences {
  channels?: PreferencesUpdate['channels'];
  events?: Preferences['events'];
  quiet_hours?: Preferences['quiet_hours'];
  locale?: Preferences['locale'];
}

interface StoredPreferences {
  preferences: ExplicitPreferences;
  updated_at: string | null;
}

async function findPreferences(tenant: Tenant, collaboratorId: string): Promise<StoredPreferences> {
  const row = await tenant
    .selectFrom('notification_preferences')
    .select(['preferences', 'updated_at'])
    .where('collaborator_id', '=', collaboratorId)
    .executeTakeFirst();
  return (row as StoredPreferences | undefined) ?? { preferences: {}, updated_at: null };
}

async function storePreferences(
  tx: TenantTransaction,
  collaboratorId: string,
  explicit: ExplicitPreferences,
): Promise<StoredPreferences> {
  const preferences = JSON.stringify(explicit);
  const row = await tx
    .insertInto('notification_preferences', {
      collaborator_id: collaboratorId,
      preferences,
      updated_at: sql`clock_timestamp()`,
    })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'collaborator_id']).doUpdateSet((eb) => ({
        preferences: eb.ref('excluded.preferences'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .returning(['preferences', 'updated_at'])
    .executeTakeFirstOrThrow();
  return row as StoredPreferences;
}

function preferencesResponse({ preferences, updated_at: updatedAt }: StoredPreferences): Preferences {
  const { channels, events = {}, quiet_hours: quietHours = null, locale = null } = preferences;
  return {
    channels: { ...defaultChannels, ...channels },
    events,
    quiet_hours: quietHours,
    locale,
    updated_at: updatedAt,
  };
}

function merged(explicit: ExplicitPreferences, { channels, events, ...whole }: PreferencesUpdate): ExplicitPreferences {
  const after: ExplicitPreferences = { ...explicit, ...whole };
  if (channels) after.channels = { ...explicit.channels, ...channels };
  if (events) {
    const named = Object.entries({ ...explicit.events, ...events });
    after.events = Object.fromEntries(named.filter((each): each is [string, boolean] => each[1] !== null));
  }
  return after;
}

function fieldErrors(
  { quiet_hours: quietHours, locale }: PreferencesUpdate,
  { events = {} }: ExplicitPreferences,
): FieldErrors {
  const errors: FieldErrors = {};
  if (quietHours && !isTimeZone(quietHours.timezone)) {
    errors['quiet_hours.timezone'] = [
      {
        code: 'invalid_format',
        message: t`There is no such time zone. Must be its name, such as America/Sao_Paulo.`,
      },
    ];
  }
  if (locale && !isLocale(locale)) {
    errors.locale = [{ code: 'invalid_format', message: t`Must be a language, such as pt-BR.` }];
  }
  if (Object.keys(events).length > maxEvents) {
    errors.events = [{ code: 'too_long', message: t`At most ${maxEvents} events can be named.` }];
  }
  return errors;
}

function changesBetween(before: Preferences, after: Preferences): FieldChange[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)];
  return Object.keys({ ...to, ...from })
    .map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }))
    .filter((change) => !isDeepStrictEqual(change.from, change.to));
}

function fieldsOf({ channels, events, quiet_hours: quietHours, locale }: Preferences): Record<string, unknown> {
  return {
    ...below('notifications.channels', channels),
    ...below('notifications.events', events),
    'notifications.quiet_hours': quietHours,
    'notifications.locale': locale,
  };
}

function below(path: string, fields: Record<string, boolean>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${path}.${name}`, value]));
}
