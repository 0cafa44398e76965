import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDelivery, addWebhook, deliveriesOf } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let id: string;
beforeEach(async () => {
  id = await addWebhook(app);
});

const path = (id: string) => `/v1/webhooks/${id}`;

describe('succeeds', () => {
  test('deletes secrets too, and the delivery log can’t be read anymore', async () => {
    const deliveryId = await addDelivery(app, id);
    const { body } = await app.admin.delete(path(id)).expect(200);
    expect(body).toEqual({ id, deleted: true, deleted_at: expect.stringMatching(/\.\d{3}Z$/) });
    expect(await app.database.query('select 1 from webhooks where id = $1', [id])).toEqual([]);
    await app.admin.get(path(id)).expect(404);
    await app.admin.get(`${path(id)}/deliveries`).expect(404);
    await app.admin.get(`${path(id)}/deliveries/${deliveryId}`).expect(404);
    await app.admin.post(`${path(id)}/deliveries/${deliveryId}/redeliver`).expect(404);
    await app.admin.delete(path(id)).expect(404);
  });

  test('drops pending deliveries, and finishes an attempt in progress', async () => {
    const other = await addWebhook(app);
    for (const webhook of [id, other]) {
      for (const status of ['pending', 'delivering']) await addDelivery(app, webhook, { status });
    }
    await app.admin.delete(path(id)).expect(200);
    expect((await deliveriesOf(app, id)).map(({ status }) => status)).toEqual(['cancelled', 'delivering']);
    expect((await deliveriesOf(app, other)).map(({ status }) => status)).toEqual(['pending', 'delivering']);
  });
});

describe('refuses bad input', () => {
  test('returns 404 for an unknown id', async () => {
    await app.admin.delete(path('nothing')).expect(404);
  });
});

describe('conflicts', () => {
  test('concurrent deletions succeed once', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => app.admin.delete(path(id))));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.delete(path(id)).expect(403);
    await app.admin.get(path(id)).expect(200);
  });
});

describe('invisible to another company', () => {
  test('returns 404', async () => {
    await app.outsider.delete(path(id)).expect(404);
    await app.admin.get(path(id)).expect(200);
  });
});

describe('emits', () => {
  test('emits nothing, because it didn’t fail', async () => {
    await app.admin.delete(path(id)).expect(200);
    expect(await app.database.query("select 1 from events where name like 'webhook.%'")).toEqual([]);
  });
});
