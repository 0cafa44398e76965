// Invariants of events and their deliveries.
import { matches } from '../../../src/product/webhooks/subscriptions/event-patterns.ts';
import type { Check } from './check.ts';
import { acceptingBehaviors } from './receivers.ts';

const eventNames: Record<string, string> = {
  created: 'collaborator.created',
  updated: 'collaborator.updated',
  deleted: 'collaborator.deleted',
  restored: 'collaborator.restored',
  status_changed: 'collaborator.status_changed',
  role_changed: 'collaborator.role_changed',
  invited: 'collaborator.invited',
  photo_updated: 'collaborator.photo_updated',
  document_uploaded: 'document.uploaded',
  document_deleted: 'document.deleted',
};

export const events: Check = async ({ postgres }, _model, violation) => {
  const summary = await postgres.query<{ id: string; name: string; events: number }>(
    `select coalesce(payload::json ->> 'collaborator_id', payload::json ->> 'id') as id, name, count(*)::int as events
     from events where name = any($1::text[]) group by 1, 2`,
    [Object.values(eventNames)],
  );
  const entries = await postgres.query<{ id: string; action: string; entries: number }>(
    `select collaborator_id as id, action, count(*)::int as entries from collaborator_history group by 1, 2`,
  );
  const counts = new Map(summary.map(({ id, name, events }) => [`${id} ${name}`, events]));
  let sum = 0;
  for (const { id, action, entries: expected } of entries) {
    const name = eventNames[action];
    if (!name) continue;
    const actual = counts.get(`${id} ${name}`) ?? 0;
    sum += actual;
    counts.delete(`${id} ${name}`);
    if (actual !== expected) violation(`${id} has ${actual} events ${name} for ${expected} entries of the history`);
  }
  for (const [label, actual] of counts) violation(`${actual} events without an entry in a history: ${label}`);
  const [numbers] = await postgres.query<{ wrong: number }>(
    `select count(*)::int as wrong from (
       select company_id, count(*) as events, max(sequence) as last, count(distinct id) as ids
       from events where sequence > 0 group by company_id
     ) as numbered where events <> last or ids <> events`,
  );
  if (numbers!.wrong > 0) violation(`${numbers!.wrong} companies have events that are not numbered without gaps`);
  return ['events, one for each entry of a history', sum];
};

/** At-least-once delivery to each subscription whose receiver is up. */
export const deliveries: Check = async ({ postgres, receivers }, _model, violation) => {
  const events = await postgres.query<{ id: string; company_id: string; name: string; created_at: Date }>(
    'select id, company_id, name, created_at from events where sequence > 0',
  );
  const ofCompany = Map.groupBy(events, ({ company_id: companyId }) => companyId);
  const webhooks = await postgres.query<{ id: string; url: string; status: string }>(
    'select id, url, status from webhooks',
  );
  let expected = 0;
  for (const { id, url, company_id: companyId, behavior, events: patterns, since, accepted } of receivers.all) {
    const rows = webhooks.filter((row) => row.url === url);
    if (id ? rows.length !== 1 : rows.length > 1) violation(`a subscription was made ${rows.length} times`);
    if (!id || !since) continue;
    const status = rows[0]?.status;
    if (behavior === 'gone' && accepted.size >= 30 && status !== 'deactivated')
      violation('a receiver that is gone is still active');
    if (behavior !== 'gone' && status !== 'active')
      violation(`the subscription of a ${behavior} receiver is ${status}`);
    if (!acceptingBehaviors.includes(behavior)) continue;
    const due = (ofCompany.get(companyId) ?? []).filter(
      ({ name, created_at: createdAt }) => createdAt >= since && patterns.some((pattern) => matches(pattern, name)),
    );
    const abandoned = await postgres.query<{ event_id: string }>(
      "select event_id from deliveries where webhook_id = $1 and last_error_class = 'interrupted'", // two processes were killed while delivering it
      [id],
    );
    const excused = new Set(abandoned.map(({ event_id: eventId }) => eventId));
    const missing = due.filter((event) => !accepted.get(event.id) && !excused.has(event.id));
    expected += due.length;
    if (missing.length === 0) continue;
    const [first] = missing;
    const states = await postgres.query<{ status: string; deliveries: number }>(
      `select status, count(*)::int as deliveries from deliveries
       where webhook_id = $1 and event_id = any($2::uuid[]) group by 1`,
      [id, missing.map((event) => event.id)],
    );
    const summary =
      states.map(({ status, deliveries }) => `${deliveries} ${status}`).join(', ') || 'no delivery at all';
    violation(
      `a ${behavior} receiver did not get ${missing.length} events (${summary}), for example ${first!.name} ${first!.id}`,
    );
  }
  return ['events at receivers that are up, each at least once', expected];
};
