import { eventClasses } from '../../../../src/product/events/catalogue.ts';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { addEvent } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(() => app.database.query('delete from events'));

const path = '/v1/webhooks/perform-list';

type Flat = Record<string, unknown>;

async function list(event?: string, client: TestClient = app.admin): Promise<Flat[]> {
  const { body } = await client
    .get(path)
    .query(event ? { event } : {})
    .expect(200);
  return body;
}

const ids = (events: Flat[]) => events.map(({ id }) => id);

describe('succeeds', () => {
  test('returns real events in the flat format', async () => {
    const createdAt = '2026-05-11T10:02:54.377Z';
    const payload = {
      id: 'c1',
      phone: null,
      changed_fields: ['position', 'salary'],
      previous: { position: 'Planner' },
    };
    const event = { name: 'collaborator.updated', event_type: 'CollaboratorUpdated' };
    const id = await addEvent(app, { ...event, payload, created_at: createdAt });
    expect(await list()).toEqual([
      {
        id,
        event: 'collaborator.updated',
        event_type: 'CollaboratorUpdated',
        timestamp: createdAt,
        collaborator_id: 'c1',
        phone: null,
        changed_fields: 'position, salary',
        previous__position: 'Planner',
      },
    ]);
  });

  test('returns the last ten matches, newest first', async () => {
    const created: string[] = [];
    for (let i = 0; i < 12; i += 1) created.push(await addEvent(app));
    const other = await addEvent(app, { name: 'document.deleted', event_type: 'DocumentDeleted' });
    await addEvent(app, { sequence: null });
    expect(ids(await list('collaborator.created'))).toEqual(created.slice(2).reverse());
    expect(ids(await list('document.*'))).toEqual([other]);
    expect(ids(await list('*'))).toEqual([other, ...created.slice(3).reverse()]);
    expect(await list()).toEqual(await list('*'));
  });

  test('without events, returns a stable sample for each match', async () => {
    const samples = await list();
    const reserved = ['device.updated', 'geofence.updated', 'schedule.deleted'];
    expect(ids(samples)).toEqual([...Object.keys(eventClasses), ...reserved].map((name) => `sample-${name}`));
    expect(await list('report.created')).toEqual([
      {
        id: 'sample-report.created',
        event: 'report.created',
        event_type: 'ReportCreated',
        timestamp: '2026-03-06T18:00:12.745Z',
        idempotency_key: 'report-0199c1d8-04e6-7b93-8a5d-f27c60b913ea',
        report_id: '0199c1d8-04e6-7b93-8a5d-f27c60b913ea',
        kind: 'group',
        format: 'xlsx',
        filename: 'collaborators-by-department.xlsx',
        row_count: 137,
        created_by: '01994f7e-0b2c-7a65-9e18-c4d7205b8f13',
        created_at: '2026-03-06T18:00:12.745Z',
        expires_at: '2026-03-07T18:00:12.745Z',
      },
    ]);
    await addEvent(app);
    expect(await list('document.*')).toEqual(samples.filter(({ event }) => String(event).startsWith('document.')));
  });

  test('a sent test isn’t an event of the company', async () => {
    await addEvent(app, { name: 'webhook.test', event_type: 'WebhookTest', payload: null, sequence: 0 });
    const expected = { id: 'sample-webhook.test', event: 'webhook.test', event_type: 'WebhookTest' };
    expect(await list('webhook.test')).toEqual([{ ...expected, timestamp: expect.any(String) }]);
  });

  test.each(['device.updated', 'device.*'])('returns a sample for a reserved event: %s', async (event) => {
    const envelope = { event: 'device.updated', event_type: 'DeviceUpdated', timestamp: '2026-03-02T09:15:00.000Z' };
    expect(await list(event)).toEqual([{ id: 'sample-device.updated', ...envelope }]);
  });

  test.each(['rocket.launched', 'rocket.*'])('returns nothing for %s', async (event) => {
    expect(await list(event)).toEqual([]);
  });
});

describe('refuses bad input', () => {
  test.each([
    ['event=created', 'event', 'invalid_format'],
    ['limit=5', 'limit', 'field_not_allowed'],
  ])('rejects %s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(400);
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toEqual([code]);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.get(path).expect(403);
  });
});

describe('invisible to another company', () => {
  test('events of one company are no samples for another', async () => {
    await addEvent(app);
    expect(ids(await list('collaborator.created', app.outsider))).toEqual(['sample-collaborator.created']);
  });
});
