/** Reads and locks webhook subscriptions, builds their API responses, and encrypts their secrets and headers. */

import type { Selectable } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Webhooks } from '../../../../generated/db.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { t } from '../../../contract/languages/text.ts';
import { notFound, Problem } from '../../../contract/problem.ts';
import { keyset } from '../../../platform/db/keyset.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import type { SealContext } from '../../../platform/secrets/secrets.ts';
import { entityTag } from '../../../platform/values/entity-tag.ts';
import { isId } from '../../access/records.ts';
import { payloadVersion } from './event-types.ts';
import { droppedWarnings, headerWarnings, maskedHeaders } from './stored-headers.ts';
import type { WebhookSettings } from './webhook-settings.ts';

type Webhook = components['schemas']['Webhook'];

export const webhookColumns = [
  'company_id',
  'id',
  'url',
  'events',
  'description',
  'headers_encrypted',
  'payload_format',
  'max_per_second',
  'secrets_encrypted',
  'status',
  'deactivated_at',
  'deactivation_reason',
  'consecutive_failures',
  'last_delivery_at',
  'last_success_at',
  'last_status_code',
  'created_by',
  'created_at',
  'updated_at',
] as const satisfies (keyof Webhooks)[];

export type WebhookRow = Pick<Selectable<Webhooks>, (typeof webhookColumns)[number]>;

/** Omits secrets and header values, which may be secret too. */
export function webhookResponse(
  row: WebhookRow,
  settings: WebhookSettings,
  language: Language,
  dropped: readonly string[] = [],
): Webhook {
  const { company_id: _, headers_encrypted: __, secrets_encrypted: ___, ...rest } = row;
  const stored = storedHeaders(row, settings);
  const [, previous] = unexpiredSecrets(row, settings, new Date());
  return {
    ...rest,
    previous_secret_expires_at: previous?.expires_at ?? null,
    headers: maskedHeaders(stored),
    warnings: [...droppedWarnings(dropped, language), ...headerWarnings(stored, language)],
    payload_format: row.payload_format as Webhook['payload_format'],
    payload_version: payloadVersion,
    status: row.status as Webhook['status'],
  };
}

/** Of the settings, without what changes by itself: figures of deliveries, and secrets, which have an operation of their own. */
export function webhookEtag(row: WebhookRow): string {
  const { url, events, description, headers_encrypted: headers, payload_format: format } = row;
  const settings = [url, events, description, headers?.toString('base64'), format, row.max_per_second, row.status];
  return entityTag(settings);
}

export function webhookLocation({ id }: { id: string }): string {
  return `/v1/webhooks/${id}`;
}

/** @throws 404 */
export async function findWebhook(tenant: Tenant, id: string): Promise<WebhookRow> {
  const row = isId(id) ? await webhooks(tenant).where('id', '=', id).executeTakeFirst() : undefined;
  if (!row) throw notFound();
  return row;
}

/**
 * Locks a subscription also against new deliveries, whose transactions hold a key share lock, so that a decision covers all of
 * them.
 * @throws 404 if it was deleted meanwhile
 */
export async function lockWebhook(tx: TenantTransaction, id: string): Promise<WebhookRow> {
  const row = await webhooks(tx).where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Locks a subscription against changes, but not against new deliveries. @throws 404 if it was deleted meanwhile */
export async function lockWebhookSettings(tx: TenantTransaction, id: string): Promise<WebhookRow> {
  const row = await webhooks(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** @throws 409 if it is deactivated */
export function requireActive({ status }: { status: string }): void {
  if (status !== 'active') throw new Problem(409, 'conflict', t`This webhook is deactivated. Activate it first.`);
}

export async function oldestWebhooks(
  tenant: Tenant,
  count: number,
  after: [createdAt: string, id: string] | undefined,
): Promise<WebhookRow[]> {
  return webhooks(tenant)
    .$call(keyset(['created_at', 'id'], 'asc', after))
    .limit(count)
    .execute();
}

function webhooks(tenant: Tenant) {
  return tenant.selectFrom('webhooks').select(webhookColumns);
}

/** A secret with its expiry; null for the newest. */
export interface StoredSecret {
  secret: string;
  expires_at: string | null;
}

type WebhookKey = Pick<WebhookRow, 'company_id' | 'id'>;

type SealedColumn = 'secrets_encrypted' | 'headers_encrypted';

function sealContext({ company_id: companyId, id }: WebhookKey, column: SealedColumn): SealContext {
  return ['webhooks', column, companyId, id];
}

export function sealSecrets(
  { vault }: WebhookSettings,
  webhookKey: WebhookKey,
  secrets: readonly StoredSecret[],
): Buffer {
  return vault.seal(JSON.stringify(secrets), sealContext(webhookKey, 'secrets_encrypted'));
}

export function newSecrets(settings: WebhookSettings, webhookKey: WebhookKey, secret: string): Buffer {
  return sealSecrets(settings, webhookKey, [{ secret, expires_at: null }]);
}

/** Newest first. */
export function unexpiredSecrets(
  row: WebhookKey & Pick<WebhookRow, 'secrets_encrypted'>,
  { vault }: WebhookSettings,
  now: Date,
): StoredSecret[] {
  const secrets = JSON.parse(
    vault.open(row.secrets_encrypted, sealContext(row, 'secrets_encrypted')),
  ) as StoredSecret[];
  return secrets.filter(({ expires_at: expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.getTime());
}

export function validSecrets(
  row: WebhookKey & Pick<WebhookRow, 'secrets_encrypted'>,
  settings: WebhookSettings,
  now: Date,
): string[] {
  return unexpiredSecrets(row, settings, now).map(({ secret }) => secret);
}

export function sealHeaders(
  { vault }: WebhookSettings,
  webhookKey: WebhookKey,
  headers: Record<string, string>,
): Buffer | null {
  if (Object.keys(headers).length === 0) return null;
  return vault.seal(JSON.stringify(headers), sealContext(webhookKey, 'headers_encrypted'));
}

/** In their original order and spelling. */
export function storedHeaders(
  row: WebhookKey & Pick<WebhookRow, 'headers_encrypted'>,
  { vault }: WebhookSettings,
): Record<string, string> {
  const { headers_encrypted: headersEncrypted } = row;
  return headersEncrypted ? JSON.parse(vault.open(headersEncrypted, sealContext(row, 'headers_encrypted'))) : {};
}
