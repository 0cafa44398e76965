import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { lockWaiters } from '../../../helpers/database/lock-waiters.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { addDelivery, addEvent, addWebhook, deliveriesOf, isWoken } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from events'));

let id: string;
beforeEach(async () => {
  id = await addWebhook(app, {
    events: ['collaborator.*', 'webhook.deactivated'],
    payload_format: 'flat',
    status: 'deactivated',
    deactivated_at: '2026-03-10T06:32:04.119Z',
    deactivation_reason: 'server_error',
    consecutive_failures: 6,
  });
});

const path = (id: string) => `/v1/webhooks/${id}/activate`;
const activate = (body?: unknown) => app.admin.post(path(id), body);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const delivered = async (webhookId: string) =>
  (await deliveriesOf(app, webhookId)).map(({ event_id: eventId, status }) => [eventId, status]);

describe('succeeds', () => {
  test.each([[undefined], [{}], [{ replay_from: null }]])('reactivates, with the body %j', async (body) => {
    await addEvent(app);
    await addDelivery(app, id, { status: 'cancelled' });
    const { body: before } = await app.admin.get(`/v1/webhooks/${id}`).expect(200);
    const { body: after } = await activate(body).expect(200);
    expect(after).toEqual({
      ...before,
      status: 'active',
      deactivated_at: null,
      deactivation_reason: null,
      consecutive_failures: 0,
      updated_at: expect.any(String),
    });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect((await deliveriesOf(app, id)).map(({ status }) => status)).toEqual(['cancelled']);
    expect(await isWoken(app, id)).toBe(false);
  });

  test('leaves an active subscription unchanged', async () => {
    await activate().expect(200);
    await app.database.query('update webhooks set consecutive_failures = 2 where id = $1', [id]);
    const { body: before } = await app.admin.get(`/v1/webhooks/${id}`).expect(200);
    expect((await activate().expect(200)).body).toEqual(before);
  });

  test('replays missed events, and failed or canceled deliveries with fresh retries', async () => {
    const never = await addEvent(app, { created_at: minutesAgo(9) });
    const failed = await addEvent(app, { created_at: minutesAgo(8) });
    const cancelled = await addEvent(app, { created_at: minutesAgo(7) });
    const ended = { attempt_count: 6, failures: 6, last_status_code: 503, retried: false, manual: true };
    await addDelivery(app, id, { event_id: failed, status: 'failed', payload_format: 'envelope', ...ended });
    await addDelivery(app, id, { event_id: cancelled, status: 'cancelled' });
    await activate({ replay_from: minutesAgo(10) }).expect(200);

    const redelivered = {
      status: 'pending',
      failures: 0,
      retried: true,
      manual: false,
      replaying: true,
      completed_at: null,
    };
    expect(await deliveriesOf(app, id)).toMatchObject([
      { ...redelivered, event_id: never, event: 'collaborator.created', payload_format: 'flat', attempt_count: 0 },
      { ...redelivered, event_id: failed, payload_format: 'envelope', attempt_count: 6, last_status_code: 503 },
      { ...redelivered, event_id: cancelled, attempt_count: 0 },
    ]);
    expect((await deliveriesOf(app, id)).every(({ is_due: isDue }) => isDue)).toBe(true);
    expect(await isWoken(app, id)).toBe(true);
  });

  test('replays nothing that was delivered, is in progress, is older, or doesn’t match', async () => {
    const from = minutesAgo(10);
    const done = await addEvent(app);
    const waiting = await addEvent(app);
    const running = await addEvent(app);
    const at = await addEvent(app, { created_at: from });
    await addEvent(app, { created_at: minutesAgo(11) });
    await addEvent(app, { name: 'document.deleted', event_type: 'DocumentDeleted' });
    await addDelivery(app, id, { event_id: done, status: 'succeeded' });
    await addDelivery(app, id, { event_id: waiting, status: 'pending', due_at: '2100-01-01T00:00:00Z' });
    await addDelivery(app, id, { event_id: running, status: 'delivering' });
    const other = await addWebhook(app);
    await addDelivery(app, other, { event_id: at, status: 'failed' });
    await activate({ replay_from: from }).expect(200);

    expect(await delivered(id)).toEqual([
      [done, 'succeeded'],
      [waiting, 'pending'],
      [running, 'delivering'],
      [at, 'pending'],
    ]);
    const [, waits] = await deliveriesOf(app, id);
    expect(waits).toMatchObject({ replaying: false, is_due: false });
    expect(await delivered(other)).toEqual([[at, 'failed']]);
  });

  test('replays neither unnumbered events, which are dispatched later, nor tests', async () => {
    await addEvent(app, { sequence: null });
    const test = await addEvent(app, { name: 'webhook.test', payload: null, sequence: 0 });
    await app.database.query("update webhooks set events = '{*}' where id = $1", [id]);
    await addDelivery(app, id, { event_id: test, event: 'webhook.test', status: 'failed', retried: false });
    await activate({ replay_from: minutesAgo(10) }).expect(200);
    expect(await delivered(id)).toEqual([[test, 'failed']]);
  });

  test('replays its own deactivation only to other subscriptions', async () => {
    const other = randomUUID();
    await addEvent(app, { name: 'webhook.deactivated', payload: { id } });
    const deactivatedEvent = await addEvent(app, { name: 'webhook.deactivated', payload: { id: other } });
    await activate({ replay_from: minutesAgo(10) }).expect(200);
    expect(await delivered(id)).toEqual([[deactivatedEvent, 'pending']]);
  });

  test('replays for an active subscription too', async () => {
    await activate().expect(200);
    const event = await addEvent(app);
    await activate({ replay_from: minutesAgo(10) }).expect(200);
    expect(await delivered(id)).toEqual([[event, 'pending']]);
  });

  test.each(['1000-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '2020-02-29t12:00:00.5+05:30'])(
    'replays everything retained, from %s',
    async (replayFrom) => {
      const event = await addEvent(app);
      await activate({ replay_from: replayFrom }).expect(200);
      expect(await delivered(id)).toEqual([[event, 'pending']]);
    },
  );
});

describe('refuses bad input', () => {
  test.each([
    [{ replay_from: '2100-01-01T00:00:00Z' }, 'replay_from', 'out_of_range'],
    [{ replay_from: 'yesterday' }, 'replay_from', 'invalid_format'],
    [{ replay_from: 5 }, 'replay_from', 'invalid_type'],
    [{ since: '2026-01-01T00:00:00Z' }, 'since', 'field_not_allowed'],
  ])('rejects %j', async (body, field, code) => {
    const { body: response } = await activate(body).expect(400);
    expect(response.details).toEqual({ [field]: [{ code, message: expect.any(String) }] });
    expect((await app.admin.get(`/v1/webhooks/${id}`)).body.status).toBe('deactivated');
  });
});

describe('conflicts', () => {
  test.each(['pending', 'delivering'])('rejects while a delivery of an earlier replay is %s', async (status) => {
    await addDelivery(app, id, { status, replaying: true });
    const { body } = await activate({ replay_from: minutesAgo(10) }).expect(409);
    expect(body.error).toBe('conflict');
    expect((await app.admin.get(`/v1/webhooks/${id}`)).body.status).toBe('deactivated');
    await activate().expect(200);
  });

  test('of two concurrent requests, one succeeds', async () => {
    const event = await addEvent(app);
    const responses = await Promise.all([1, 2].map(() => activate({ replay_from: minutesAgo(10) })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await delivered(id)).toEqual([[event, 'pending']]);
  });

  test('waits for events being numbered, so that none is lost', async () => {
    const event = await addEvent(app, { sequence: null });
    let activated: Promise<unknown> | undefined;
    await app.database.db.tenant(app.company_id).transaction(async (tx) => {
      await tx
        .insertInto('event_sequences', { last_sequence: 1 })
        .onConflict((row) => row.column('company_id').doUpdateSet({ last_sequence: 1 }))
        .execute();
      // The webhook was inactive when this event got its number, so the dispatcher skips it.
      await tx.updateTable('events').set({ sequence: 1 }).where('id', '=', event).execute();
      activated = activate({ replay_from: minutesAgo(10) }).expect(200);
      await Promise.race([activated, waiting()]);
    });
    await activated;
    expect(await delivered(id)).toEqual([[event, 'pending']]);
  });
});

/** Waits until some connection waits for a lock. */
async function waiting(): Promise<void> {
  await eventually(async () => expect(await lockWaiters(app.database)).toBeGreaterThan(0));
}

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.post(path(id)).expect(403);
    expect((await app.admin.get(`/v1/webhooks/${id}`)).body.status).toBe('deactivated');
  });
});

describe('invisible to another company', () => {
  test('returns 404, and never sends events of one company to another', async () => {
    await app.outsider.post(path(id)).expect(404);
    await addEvent(app, {}, app.outsider.company_id);
    await activate({ replay_from: minutesAgo(10) }).expect(200);
    expect(await delivered(id)).toEqual([]);
  });
});
