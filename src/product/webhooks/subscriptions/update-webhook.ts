/** Updates a subscription: only sent fields, and only if they differ. */
import { isDeepStrictEqual } from 'node:util';
import { sql, type Updateable } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Webhooks } from '../../../../generated/db.ts';
import { t } from '../../../contract/languages/text.ts';
import { type FieldErrors, Problem } from '../../../contract/problem.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import { lockNumbering, reactivate } from './activate-webhook.ts';
import { deactivateWebhook } from './deactivate-webhook.ts';
import { maskErrors, mergedHeaders, movedHeaders } from './stored-headers.ts';
import {
  findWebhook,
  lockWebhook,
  sealHeaders,
  storedHeaders,
  type WebhookRow,
  webhookColumns,
  webhookEtag,
} from './subscriptions.ts';
import { normalizedUrl } from './target.ts';
import { headerErrors, patternErrors, refuseErrors, urlErrors } from './webhook-errors.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** Without read-only fields, which were checked and aren't written. */
type WebhookUpdate = Pick<
  components['schemas']['WebhookUpdate'],
  'url' | 'events' | 'description' | 'headers' | 'payload_format' | 'max_per_second' | 'status'
>;
type Headers = Record<string, string>;

const maxHeaders = 20;

interface UpdateContext {
  tenant: Tenant;
  webhooks: WebhookSettings;
  mail: MailQueue;
  caller: { user_id: string };
}

interface ChangedWebhook {
  row: WebhookRow;
  /** Names of stored headers that were dropped, because the origin changed. */
  dropped_headers: string[];
}

/**
 * @param expected accepted entity tags; undefined for any
 * @throws 400 with every field error, 404 if it was deleted meanwhile, 412 if no tag matches
 */
export async function updateWebhook(
  context: UpdateContext,
  before: WebhookRow,
  update: WebhookUpdate,
  expected?: readonly string[],
): Promise<ChangedWebhook> {
  const { tenant, webhooks, mail, caller } = context;
  const { url, events = [], headers, status } = update;
  const errors: FieldErrors = {
    ...(url !== undefined && url !== before.url && (await urlErrors('url', url, webhooks))),
    ...patternErrors(events, (at) => `events.${at}`),
    ...headerErrors(headers ?? {}),
  };
  return tenant.transaction(async (tx) => {
    if (status === 'active') await lockNumbering(tx);
    const row = await lockWebhook(tx, before.id);
    if (expected && !expected.includes(webhookEtag(row)))
      throw new Problem(412, 'precondition_failed', t`The webhook has changed since you read it. Read it again.`);
    const stored = storedHeaders(row, webhooks);
    const nextUrl = url === undefined ? row.url : normalizedUrl(url);
    const hasMoved = new URL(nextUrl).origin !== new URL(row.url).origin;
    const merged = hasMoved ? movedHeaders(stored, headers) : { headers: mergedHeaders(stored, headers), dropped: [] };
    Object.assign(errors, maskErrors(headers ?? {}, stored));
    const tooMany = Object.keys(merged.headers).length > maxHeaders;
    const message = t`At most ${maxHeaders} headers can be kept.`;
    refuseErrors({ ...errors, ...(tooMany && { headers: [{ code: 'too_long', message }] }) });

    const updated = { ...update, url: nextUrl };
    const changed = await store(tx, row, differences(row, updated, merged.headers, webhooks));
    return { row: await withStatus(tx, mail, changed, status, caller), dropped_headers: merged.dropped };
  });
}

async function withStatus(
  tx: TenantTransaction,
  mail: MailQueue,
  row: WebhookRow,
  status: WebhookUpdate['status'],
  { user_id: userId }: UpdateContext['caller'],
): Promise<WebhookRow> {
  if (status === 'active') return reactivate(tx, row);
  if (status !== 'deactivated' || row.status === 'deactivated') return row;
  await deactivateWebhook(tx, mail, row.id, { reason: 'manual', user_id: userId });
  return findWebhook(tx, row.id);
}

function differences(
  row: WebhookRow,
  { headers: _, status: __, ...plain }: WebhookUpdate,
  headers: Headers,
  settings: WebhookSettings,
): Updateable<Webhooks> {
  const set: Updateable<Webhooks> = {};
  for (const [field, value] of Object.entries(plain)) {
    const differs = value !== undefined && !isDeepStrictEqual(value, row[field as keyof typeof plain]);
    if (differs) Object.assign(set, { [field]: value });
  }
  const before = storedHeaders(row, settings);
  if (JSON.stringify(headers) !== JSON.stringify(before)) set.headers_encrypted = sealHeaders(settings, row, headers);
  return set;
}

async function store(tx: TenantTransaction, row: WebhookRow, set: Updateable<Webhooks>): Promise<WebhookRow> {
  if (Object.keys(set).length === 0) return row;
  return tx
    .updateTable('webhooks')
    .set({ ...set, updated_at: sql<string>`statement_timestamp()` })
    .where('id', '=', row.id)
    .returning(webhookColumns)
    .executeTakeFirstOrThrow();
}
