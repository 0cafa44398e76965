import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  const person = { name: 'Iva Novak', email: `${randomUUID()}@example.com`, position: 'x', department: 'y' };
  id = (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
});

const path = (id: string) => `/v1/collaborators/${id}/notifications`;
const nights = { start: '22:00', end: '07:00', timezone: 'America/Sao_Paulo' };

const put = (update: unknown) => app.admin.put(path(id), update);
const read = async () => (await app.admin.get(path(id)).expect(200)).body;
const events = () =>
  app.database.query(
    `select payload::json from events
     where name = 'collaborator.notifications_updated' and payload::json->>'collaborator_id' = $1`,
    [id],
  );
const history = () =>
  app.database.query(
    `select * from collaborator_history
     where action = 'notifications_updated' and collaborator_id = $1 order by timestamp, id`,
    [id],
  );

/** Events with generated names, each with this value. */
const named = (from: number, to: number, value: boolean | null) =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, i) => {
      const letters = [...String(from + i)].map((digit) => 'abcdefghij'[Number(digit)]);
      return [`thing.${letters.join('')}`, value];
    }),
  );

describe('succeeds', () => {
  test('returns the full preferences, as a later read does', async () => {
    const { body } = await put({ quiet_hours: nights, locale: 'pt-BR' }).expect(200);
    expect(body).toEqual({
      channels: { email: true, push: true, sms: false },
      events: {},
      quiet_hours: nights,
      locale: 'pt-BR',
      updated_at: expect.any(String),
    });
    expect(await read()).toEqual(body);
  });

  test('merges single channels and events, and keeps the rest', async () => {
    await put({ channels: { push: false }, events: { 'collaborator.updated': false }, locale: 'de' }).expect(200);
    await put({ channels: { sms: true }, events: { 'document.uploaded': false } }).expect(200);
    const { body } = await put({ quiet_hours: nights }).expect(200);
    expect(body).toMatchObject({
      channels: { email: true, push: false, sms: true },
      events: { 'collaborator.updated': false, 'document.uploaded': false },
      quiet_hours: nights,
      locale: 'de',
    });
  });

  test('null clears quiet hours, locale, and single events', async () => {
    await put({ events: { 'a.b': false, 'c.d': true }, quiet_hours: nights, locale: 'de' }).expect(200);
    const { body } = await put({ events: { 'a.b': null, 'x.y': null }, quiet_hours: null, locale: null }).expect(200);
    expect(body).toMatchObject({ events: { 'c.d': true }, quiet_hours: null, locale: null });
  });

  test('accepts event names that aren’t in the catalog yet', async () => {
    const { body } = await put({ events: { 'rocket.launched': false } }).expect(200);
    expect(body.events).toEqual({ 'rocket.launched': false });
  });

  test.each(['UTC', 'Asia/Kolkata', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires', 'EST5EDT', 'WET'])(
    'accepts the time zone %s',
    async (timezone) => {
      const { body } = await put({ quiet_hours: { ...nights, timezone } }).expect(200);
      expect(body.quiet_hours.timezone).toBe(timezone);
    },
  );

  test.each([[{}], [{ channels: { email: true } }], [{ quiet_hours: null, locale: null, events: { 'a.b': null } }]])(
    '%j changes nothing',
    async (update) => {
      const { body } = await put(update).expect(200);
      expect(body.updated_at).toBeNull();
      expect([await events(), await history()]).toEqual([[], []]);
    },
  );

  test('repeating an update changes nothing', async () => {
    const update = { channels: { sms: true }, events: { 'a.b': false }, quiet_hours: nights, locale: 'de' };
    const first = await put(update).expect(200);
    const second = await put({ ...update, quiet_hours: Object.fromEntries(Object.entries(nights).reverse()) }).expect(
      200,
    );
    expect(second.body).toEqual(first.body);
    expect([await events(), await history()]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  test('people set their own preferences, and admins those of others', async () => {
    id = app.employee.collaborator_id;
    await app.employee.put(path(id), { locale: 'de' }).expect(200);
    await app.admin.put(path(id), { locale: 'fr' }).expect(200);
    expect(await history()).toMatchObject([{ user_id: app.employee.user_id }, { user_id: app.admin.user_id }]);
  });

  test('accepts a hundred events and everything else at once', async () => {
    const channels = { email: false, push: false, sms: true };
    const update = { channels, events: named(0, 100, false), quiet_hours: nights, locale: 'de' };
    const { body } = await put(update).expect(200);
    expect(body).toMatchObject(update);
    const entries = await app.admin.get(`/v1/collaborators/${id}/history`).expect(200);
    const changeEntries = entries.body.data.filter(
      ({ action }: { action: string }) => action === 'notifications_updated',
    );
    expect(changeEntries.flatMap(({ changes }: { changes: unknown[] }) => changes)).toHaveLength(105);
  });
});

describe('refuses bad input', () => {
  test.each([
    [{ quiet_hours: { ...nights, timezone: 'Mars/Olympus_Mons' } }, { 'quiet_hours.timezone': ['invalid_format'] }],
    [{ quiet_hours: { ...nights, timezone: 'IST' } }, { 'quiet_hours.timezone': ['invalid_format'] }],
    [{ quiet_hours: { ...nights, timezone: '+02:00' } }, { 'quiet_hours.timezone': ['invalid_format'] }],
    [{ quiet_hours: { ...nights, start: '24:00' } }, { 'quiet_hours.start': ['invalid_format'] }],
    [{ quiet_hours: { start: '22:00' } }, { 'quiet_hours.end': ['required'], 'quiet_hours.timezone': ['required'] }],
    [{ quiet_hours: { ...nights, days: [] } }, { 'quiet_hours.days': ['field_not_allowed'] }],
    [{ locale: 'pt_BR' }, { locale: ['invalid_format'] }],
    [{ locale: 'en-a' }, { locale: ['invalid_format'] }],
    [
      { channels: { email: 'yes', fax: true } },
      { 'channels.email': ['invalid_type'], 'channels.fax': ['field_not_allowed'] },
    ],
    [{ channels: { email: null } }, { 'channels.email': ['not_clearable'] }],
    [{ channels: null }, { channels: ['not_clearable'] }],
    [{ events: { 'a.b': 'no' } }, { 'events.a.b': ['invalid_type'] }],
    [{ events: null }, { events: ['not_clearable'] }],
    [{ updated_at: 5 }, { updated_at: ['invalid_type'] }],
    [{ created_at: null }, { created_at: ['field_not_allowed'] }],
    [
      { quiet_hours: { ...nights, timezone: 'Mars/Base' }, locale: 'abcd' },
      { 'quiet_hours.timezone': ['invalid_format'], locale: ['invalid_format'] },
    ],
  ])('rejects %j', async (update, expected) => {
    const { body } = await put(update).expect(400);
    expect(body.error).toBe('validation_error');
    const found = Object.entries(body.details as Record<string, { code: string }[]>);
    expect(Object.fromEntries(found.map(([field, errors]) => [field, errors.map(({ code }) => code)]))).toEqual(
      expected,
    );
    expect(await read()).toMatchObject({ updated_at: null });
  });

  test.each(['Shouting.Loud', 'nodot', '__proto__', 'a.b.c', `${'a'.repeat(99)}.b`])(
    'rejects the event name %s',
    async (name) => {
      const { body } = await put(`{"events": {"${name}": false}}`).set('Content-Type', 'application/json').expect(400);
      expect(Object.keys(body.details)).toEqual(['events']);
    },
  );

  test('rejects more than a hundred events, including those already stored', async () => {
    await put({ events: named(0, 99, false) }).expect(200);
    await put({ events: named(99, 100, false) }).expect(200);
    const { body } = await put({ events: named(100, 101, true), quiet_hours: { ...nights, timezone: 'No/Where' } });
    expect(body.details).toEqual({
      events: [{ code: 'too_long', message: expect.any(String) }],
      'quiet_hours.timezone': [{ code: 'invalid_format', message: expect.any(String) }],
    });
    await put({ events: { ...named(100, 101, true), ...named(0, 1, null) } }).expect(200);
  });

  test('rejects an empty body', async () => {
    await put(undefined).expect(400);
  });
});

describe('conflicts', () => {
  test('keeps all concurrent changes, and reports each relative to the previous one', async () => {
    const updates = [
      { channels: { sms: true } },
      { channels: { push: false } },
      { events: { 'a.b': false } },
      { events: { 'c.d': false } },
      { quiet_hours: nights },
      ...['de', 'fr', 'it', 'es', 'pt'].map((locale) => ({ locale })),
    ];
    const responses = await Promise.all(updates.map((update) => put(update)));
    expect(responses.map(({ status }) => status)).toEqual(updates.map(() => 200));
    const body = await read();
    expect(body).toMatchObject({
      channels: { email: true, push: false, sms: true },
      events: { 'a.b': false, 'c.d': false },
      quiet_hours: nights,
    });
    const entries = await history();
    expect(entries).toHaveLength(updates.length);
    const locales = entries.flatMap(({ changes }) => changes).filter(({ field }) => field === 'notifications.locale');
    expect(locales.map(({ from }) => from)).toEqual([null, ...locales.slice(0, -1).map(({ to }) => to)]);
    expect(locales.at(-1).to).toBe(body.locale);
  });
});

describe('forbidden by role', () => {
  test('managers and employees can set only their own', async () => {
    await app.manager.put(path(app.manager.collaborator_id), { locale: 'de' }).expect(200);
    await app.manager.put(path(app.report.collaborator_id), { locale: 'de' }).expect(404);
    await app.employee.put(path(app.report.collaborator_id), { locale: 'de' }).expect(404);
  });

  test('rejects a token without the scope', async () => {
    const client = await app.as('admin', { scopes: ['notifications:read', 'collaborators:write'] });
    const { body } = await client.put(path(app.report.collaborator_id), { nonsense: 1 }).expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope', details: { required_scopes: ['notifications:write'] } });
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.put(path(app.report.collaborator_id), { locale: 'de' }).expect(404);
  });
});

describe('emits', () => {
  test('emits collaborator.notifications_updated with the preferences, and records the changes in the history', async () => {
    const { body } = await put({ channels: { sms: true, push: true }, events: { 'a.b': false }, quiet_hours: nights });
    expect(await events()).toEqual([
      {
        payload: {
          collaborator_id: id,
          name: 'Iva Novak',
          email: expect.stringMatching(/@example\.com$/),
          preferences: body,
          changed_by: app.admin.user_id,
        },
      },
    ]);
    expect(await history()).toMatchObject([
      {
        user_id: app.admin.user_id,
        description: 'Notification preferences changed',
        changes: [
          { field: 'notifications.channels.sms', from: false, to: true },
          { field: 'notifications.events.a.b', from: null, to: false },
          { field: 'notifications.quiet_hours', from: null, to: nights },
        ],
      },
    ]);
  });

  test('a rejected change leaves nothing behind', async () => {
    await put({ channels: { sms: true }, locale: 'en-a' }).expect(400);
    expect([await events(), await history()]).toEqual([[], []]);
  });
});
