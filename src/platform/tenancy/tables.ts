/** Lists the tables with and without tenants, and parses Postgres values into JSON values. */
import pg from 'pg';
import type { DB } from '../../../generated/db.ts';

/** Tables whose primary key starts with `company_id`. */
export const tenantTableNames = [
  'collaborators',
  'collaborator_history',
  'collaborator_counts',
  'custom_field_sets',
  'custom_field_values',
  'invitations',
  'notification_preferences',
  'saved_views',
  'snoozes',
  'idempotency_keys',
  'documents',
  'imports',
  'import_errors',
  'import_matches',
  'exports',
  'events',
  'event_sequences',
  'webhooks',
  'deliveries',
  'attempts',
  'audit_log',
  'mail_counts',
  'connection_uses',
  'directory_people',
  'directory_groups',
  'directory_members',
  'directory_errors',
  'directory_syncs',
] as const;

export const globalTables = [
  'companies',
  'directories',
  'file_store',
  'job_deaths',
  'memberships',
  'oauth_artifacts',
  'oauth_clients',
  'oauth_grants',
  'passkeys',
  'password_resets',
  'rate_limit_windows',
  'rate_limits',
  'recovery_codes',
  'sign_in_connections',
  'sign_in_domains',
  'sign_in_keys',
  'sign_in_links',
  'sign_in_requests',
  'signing_keys',
  'totp_factors',
  'used_challenges',
  'user_devices',
  'user_sessions',
  'users',
  'worker_pools',
] as const satisfies readonly (keyof GlobalTables)[];

/** graphile-worker's tables, in its own schema. */
export const queueTableNames = ['jobs', '_private_jobs', '_private_tasks'] as const;

export type TenantTable = (typeof tenantTableNames)[number];
export type TenantTables = Pick<DB, TenantTable>;
export type GlobalTables = Omit<DB, TenantTable>;

const { builtins } = pg.types;

/**
 * Columns and JSON use the same formats, so a response only picks columns: timestamps are RFC 3339 text in UTC with milliseconds,
 * dates are text, 64-bit counts are numbers. `numeric` stays text, because a number would lose precision.
 */
export const typeParsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === builtins.TIMESTAMPTZ) return timestampText;
    if (oid === builtins.DATE) return String;
    if (oid === builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** `2026-03-01 09:30:00.25+00`, as printed by a UTC session, as `2026-03-01T09:30:00.250Z`. */
function timestampText(text: string): string {
  const end = text.length - 3; // before "+00"
  const fraction = end > 19 ? text.slice(20, Math.min(end, 23)) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}
