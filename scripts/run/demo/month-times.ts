/** Backdates the demo company's month. This is the only code that writes timestamps the service did not set. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../src/platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../../src/platform/db/tenant.ts';

export interface Moment {
  /** Database time: everything from here to the next moment happened at `at`. */
  started: string;
  at: Date;
}

/** Each column is shifted on its own; columns after a colon shift along with the one before it. */
const columns: Record<string, readonly string[]> = {
  collaborators: ['created_at', 'updated_at', 'status_since', 'accepted_at'],
  collaborator_history: ['timestamp'],
  documents: ['uploaded_at'],
  invitations: ['sent_at:expires_at'],
  imports: ['created_at:completed_at,expires_at'],
  webhooks: ['created_at:wanted_from', 'updated_at', 'deactivated_at', 'last_delivery_at', 'last_success_at'],
};

/** A timestamp between the previous action and the next. Times have millisecond precision, so wait first. */
export async function databaseTime({ global }: Pick<Database, 'global'>): Promise<string> {
  await sleep(2);
  const { now } = await global.selectNoFrom(sql<string>`statement_timestamp()`.as('now')).executeTakeFirstOrThrow();
  return now;
}

/** @param moments in chronological order */
export async function moveBack(tenant: Tenant, moments: readonly Moment[]): Promise<void> {
  const steps = stepsOf(moments);
  await tenant.transaction(async (tx) => {
    await moveDeliveries(tx, steps);
    await moveEvents(tx, steps);
    for (const [table, moved] of Object.entries(columns)) {
      for (const each of moved) await moveColumn(tx, steps, table, each);
    }
    const createdAt = moments[0]!.at.toISOString();
    await tx.global.updateTable('companies').set({ created_at: createdAt }).where('id', '=', tx.company_id).execute();
  });
}

/** @param registered when the app was registered @param allowed when people connected it */
export async function moveApp(db: Database, clientId: string, registered: Date, allowed: Date): Promise<void> {
  const createdAt = registered.toISOString();
  const client = db.global.updateTable('oauth_clients').set({ created_at: createdAt, updated_at: createdAt });
  await client.where('id', '=', clientId).execute();
  const grants = db.global.updateTable('oauth_grants').set({ created_at: allowed.toISOString() });
  await grants.where('client_id', '=', clientId).execute();
}

function stepsOf(moments: readonly Moment[]): RawBuilder<unknown> {
  const started = moments.map((moment) => moment.started);
  const ends = [...started.slice(1), 'infinity'];
  const at = moments.map((moment) => moment.at.toISOString());
  const days = started.map((time) => time.slice(0, 'YYYY-MM-DD'.length));
  return sql`unnest(${started}::timestamptz[], ${ends}::timestamptz[], ${at}::timestamptz[], ${days}::text[], ${at}::text[])
    as step (started, ends, at, day, said)`;
}

/** Citus rejects timestamptz plus interval in an update, because the result depends on the session's time zone. */
function backdated(column: string): RawBuilder<unknown> {
  return sql`(${sql.ref(column)} at time zone 'utc' - (step.started - step.at)) at time zone 'utc'`;
}

function within(column: string): RawBuilder<unknown> {
  return sql`${sql.ref(column)} >= step.started and ${sql.ref(column)} < step.ends`;
}

async function moveColumn(tx: TenantTransaction, steps: RawBuilder<unknown>, table: string, moved: string) {
  const [lead, others = ''] = moved.split(':');
  const names = [lead!, ...others.split(',').filter(Boolean)];
  const sets = sql.join(names.map((name) => sql`${sql.id(name)} = ${backdated(`${table}.${name}`)}`));
  await sql`
    update ${sql.table(table)} set ${sets} from ${steps}
    where ${sql.ref(`${table}.company_id`)} = ${tx.company_id} and ${within(`${table}.${lead}`)}`.execute(tx.raw);
}

/** Includes the timestamps in their payloads. */
async function moveEvents(tx: TenantTransaction, steps: RawBuilder<unknown>): Promise<void> {
  await sql`
    update events set created_at = ${backdated('events.created_at')},
      payload = regexp_replace(events.payload, '"' || step.day || 'T[0-9:.]+Z"', '"' || step.said || '"', 'g')
    from ${steps} where events.company_id = ${tx.company_id} and ${within('events.created_at')}`.execute(tx.raw);
}

/** Deliveries are created after their events, but belong to the same moment. The next attempt's time stays unchanged. */
async function moveDeliveries(tx: TenantTransaction, steps: RawBuilder<unknown>): Promise<void> {
  const { company_id: companyId } = tx;
  await sql`
    update attempts set started_at = ${backdated('attempts.started_at')} from deliveries, events, ${steps}
    where attempts.company_id = ${companyId}
      and deliveries.company_id = ${companyId} and deliveries.id = attempts.delivery_id
      and events.company_id = ${companyId} and events.id = deliveries.event_id
      and ${within('events.created_at')}`.execute(tx.raw);
  await sql`
    update deliveries set created_at = ${backdated('deliveries.created_at')},
      completed_at = ${backdated('deliveries.completed_at')}
    from events, ${steps}
    where deliveries.company_id = ${companyId}
      and events.company_id = ${companyId} and events.id = deliveries.event_id
      and ${within('events.created_at')}`.execute(tx.raw);
}
