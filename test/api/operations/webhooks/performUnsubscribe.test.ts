import { randomUUID } from 'node:crypto';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDelivery, addWebhook, deliveriesOf } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = '/v1/webhooks/perform-unsubscribe';
const url = 'https://hooks.example.com/catch/412873/';

let id: string;
beforeEach(async () => {
  await app.database.query('delete from webhooks');
  id = await addWebhook(app, { url });
});

const unsubscribe = async (body: unknown) => (await app.admin.post(path, body).expect(200)).body.ids as string[];
const remaining = async () => (await app.database.query('select id from webhooks order by id')).map((row) => row.id);

describe('succeeds', () => {
  test('removes by id, and a second time finds none', async () => {
    const other = await addWebhook(app, { url });
    await addDelivery(app, id, { status: 'pending' });
    expect(await unsubscribe({ id })).toEqual([id]);
    expect(await remaining()).toEqual([other]);
    expect((await deliveriesOf(app, id)).map(({ status }) => status)).toEqual(['cancelled']);
    expect(await unsubscribe({ id })).toEqual([]);
  });

  test.each(['target_url', 'hookUrl'])('removes all with exactly this URL as %s', async (field) => {
    const twin = await addWebhook(app, { url });
    const other = await addWebhook(app, { url: `${url}?x` });
    await addDelivery(app, twin, { status: 'pending' });
    expect((await unsubscribe({ [field]: url })).sort()).toEqual([id, twin].sort());
    expect(await remaining()).toEqual([other]);
    expect((await deliveriesOf(app, twin)).map(({ status }) => status)).toEqual(['cancelled']);
    expect(await unsubscribe({ [field]: url })).toEqual([]);
  });

  test('removes by an equivalent URL', async () => {
    expect(await unsubscribe({ target_url: url.replace('hooks.example.com', 'HOOKS.example.com:443') })).toEqual([id]);
  });

  test('the id takes precedence over the URL', async () => {
    expect(await unsubscribe({ id: randomUUID(), target_url: url })).toEqual([]);
    expect(await remaining()).toEqual([id]);
  });

  test.each(['nothing', randomUUID()])('finds nothing for the unknown id %s', async (unknown) => {
    expect(await unsubscribe({ id: unknown })).toEqual([]);
    expect(await unsubscribe({ target_url: unknown })).toEqual([]);
  });
});

describe('refuses bad input', () => {
  test.each([
    [{}, { id: ['required'] }],
    [{ id: '' }, { id: ['too_short'] }],
    [{ id: null }, { id: ['invalid_type'] }],
    [{ url }, { url: ['field_not_allowed'] }],
  ])('rejects %j', async (sent, expected) => {
    const { body } = await app.admin.post(path, sent).expect(400);
    const found = Object.entries(body.details as Record<string, { code: string }[]>);
    expect(Object.fromEntries(found.map(([field, errors]) => [field, errors.map(({ code }) => code)]))).toEqual(
      expected,
    );
    expect(await remaining()).toEqual([id]);
  });
});

describe('conflicts', () => {
  test('concurrent requests return each id once', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => unsubscribe({ target_url: url })));
    expect(responses.flat()).toEqual([id]);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.post(path, { id }).expect(403);
    expect(await remaining()).toEqual([id]);
  });
});

describe('invisible to another company', () => {
  test('finds nothing of another company', async () => {
    for (const body of [{ id }, { target_url: url }]) {
      expect((await app.outsider.post(path, body).expect(200)).body).toEqual({ ids: [] });
    }
    expect(await remaining()).toEqual([id]);
  });
});
