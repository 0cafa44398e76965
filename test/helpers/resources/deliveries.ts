/** Shared steps of webhook tests. */
import type { components } from '../../../generated/api.ts';
import type { Database } from '../../../src/platform/db/client.ts';
import type { Tenant } from '../../../src/platform/db/tenant.ts';
import { emit } from '../../../src/product/events/emit.ts';
import { wakeWebhook } from '../../../src/product/webhooks/subscriptions/wake-webhooks.ts';
import type { TestApp } from '../app.ts';
import { backdated } from '../database/backdated.ts';
import type { TestDatabase } from '../database/database.ts';

export const localWebhooks = { WEBHOOK_ALLOW_PRIVATE: 'true' };

type WebhookWithSecret = components['schemas']['Webhook'] & { secret: string };

export async function subscribe(app: TestApp, url: string, more: object = {}): Promise<WebhookWithSecret> {
  return (await app.admin.post('/v1/webhooks', { url, events: ['*'], ...more }).expect(201)).body;
}

/** Emits events of a company in one transaction. @returns their ids, oldest first */
export async function emitReports(db: Database, companyId: string, count: number): Promise<string[]> {
  const tenant = db.tenant(companyId);
  const known = new Set((await eventsOf(tenant)).map(({ id }) => id));
  await tenant.transaction(async (tx) => {
    for (let n = 0; n < count; n++) {
      const report = { id: `report-${n}`, kind: 'collaborators', title: 'Made by a test', period: null };
      emit(tx, 'report.created', report as never, { idempotency_key: `report-${n}` });
    }
  });
  return (await eventsOf(tenant)).map(({ id }) => id).filter((id) => !known.has(id));
}

function eventsOf(tenant: Tenant) {
  return tenant.selectFrom('events').select('id').where('name', '=', 'report.created').orderBy('id').execute();
}

export async function statuses(database: TestDatabase, webhookId?: string): Promise<Record<string, number>> {
  const rows = await database.query<{ status: string; count: number }>(
    `select status, count(*)::int as count from deliveries
     where $1::uuid is null or webhook_id = $1 group by status order by status`,
    [webhookId ?? null],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

interface Aged {
  id: string;
  created_at: Date;
}

/** Makes deliveries that wait for a retry due, backdated by the time skipped. @returns that time of each, in seconds */
export async function passTime(app: TestApp, webhookId: string): Promise<number[]> {
  const { query, db } = app.database;
  const before = await query<Aged>('select id, created_at from deliveries where webhook_id = $1', [webhookId]);
  const after = await query<Aged>(
    `update deliveries set due_at = now(), ${backdated('created_at', '(due_at - now())')}
     where webhook_id = $1 and status = 'pending' and due_at > now() returning id, created_at`,
    [webhookId],
  );
  const companyId = app.company_id;
  await db.tenant(companyId).transaction((tx) => wakeWebhook(tx.raw, { company_id: companyId, webhook_id: webhookId }));
  const createdAtMs = new Map(before.map(({ id, created_at: createdAt }) => [id, createdAt.getTime()]));
  return after.map(({ id, created_at: createdAt }) => (createdAtMs.get(id)! - createdAt.getTime()) / 1_000);
}
