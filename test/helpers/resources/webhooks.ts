/**
 * Inserts subscriptions, events, and deliveries as rows, for tests without a worker: in states that a worker would take
 * minutes to reach, and more of them than the API allows.
 */
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { newSecrets, sealHeaders } from '../../../src/product/webhooks/subscriptions/subscriptions.ts';
import { createWebhookSettings } from '../../../src/product/webhooks/subscriptions/webhook-settings.ts';
import type { TestApp } from '../app.ts';

/** Secret of the subscriptions that `addWebhook` inserts. */
export const knownSecret = 'whsec_bHkjtt5gJcm2g2Dr9XOnUPSDKEAV6FaY3kfMYWG7vXo=';

interface WebhookFields {
  url?: string;
  events?: string[];
  description?: string | null;
  headers?: Record<string, string>;
  payload_format?: string;
  max_per_second?: number | null;
  status?: string;
  deactivated_at?: string;
  deactivation_reason?: string;
  consecutive_failures?: number;
}

export async function addWebhook(
  app: TestApp,
  { headers = {}, ...fields }: WebhookFields = {},
  companyId = app.company_id,
): Promise<string> {
  const settings = createWebhookSettings(app.config);
  const id = uuidv7();
  const row = {
    id,
    url: 'http://127.0.0.1:9009/hook',
    events: ['*'],
    payload_format: 'envelope',
    created_by: app.admin.user_id,
    secrets_encrypted: newSecrets(settings, { company_id: companyId, id }, knownSecret),
    headers_encrypted: sealHeaders(settings, { company_id: companyId, id }, headers),
    ...fields,
  };
  await insert(app, 'webhooks', { company_id: companyId, ...row });
  return id;
}

interface EventFields {
  name?: string;
  event_type?: string;
  payload?: unknown;
  sequence?: number | null;
  created_at?: string;
  idempotency_key?: string;
}

let sequence = 1_000;

/** Inserts an event with a sequence number. @returns its id */
export async function addEvent(
  app: TestApp,
  { payload = { id: randomUUID() }, ...fields }: EventFields = {},
  companyId = app.company_id,
): Promise<string> {
  const id = uuidv7();
  sequence += 1;
  const row = { id, name: 'collaborator.created', event_type: 'CollaboratorCreated', sequence, ...fields };
  await insert(app, 'events', {
    company_id: companyId,
    ...row,
    payload: payload === null ? null : JSON.stringify(payload),
  });
  return id;
}

interface DeliveryFields {
  event?: string;
  event_id?: string;
  status?: string;
  attempt_count?: number;
  failures?: number;
  retried?: boolean;
  manual?: boolean;
  replaying?: boolean;
  payload_format?: string;
  due_at?: string | null;
  created_at?: string;
  completed_at?: string | null;
  last_status_code?: number;
  last_error_class?: string;
}

export async function addDelivery(
  app: TestApp,
  webhookId: string,
  fields: DeliveryFields = {},
  companyId = app.company_id,
): Promise<string> {
  const id = uuidv7();
  const { status = 'succeeded' } = fields;
  const open = status === 'pending' || status === 'delivering';
  const now = new Date().toISOString();
  const row = {
    id,
    webhook_id: webhookId,
    event_id: uuidv7(),
    event: 'collaborator.created',
    payload_format: 'envelope',
    status,
    due_at: open ? now : null,
    completed_at: open ? null : now,
    ...(status === 'delivering' && { job_id: 0, turn_id: uuidv7() }),
    ...fields,
  };
  await insert(app, 'deliveries', { company_id: companyId, ...row });
  return id;
}

export async function deliveriesOf(app: TestApp, webhookId: string) {
  return app.database.query(
    'select *, due_at <= now() as is_due from deliveries where webhook_id = $1 order by event_id',
    [webhookId],
  );
}

/** Whether a job to send the subscription's due deliveries is queued. */
export async function isWoken(app: TestApp, webhookId: string): Promise<boolean> {
  const jobs = await app.database.query('select 1 from graphile_worker.jobs where key = $1', [`deliver:${webhookId}`]);
  return jobs.length > 0;
}

async function insert(app: TestApp, table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row);
  const placeholders = names.map((_, i) => `$${i + 1}`);
  const text = `insert into ${table} (${names.join(', ')}) values (${placeholders.join(', ')})`;
  await app.database.query(text, Object.values(row));
}
