import { countedDeliveries } from '../../../../src/product/webhooks/deliveries/count-deliveries.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { addDelivery, addWebhook } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
let webhook: string;
beforeAll(async () => {
  app = await testApp();
  webhook = await addWebhook(app);
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from deliveries'));

const path = '/v1/webhooks/delivery-counts';
const hourMs = 3_600_000;
const nowMs = () => Math.floor(Date.now() / hourMs) * hourMs;
const hour = (ago: number) => new Date(nowMs() - ago * hourMs).toISOString();
const none = { waiting: 0, succeeded: 0, failed: 0, cancelled: 0 };

test('returns each hour with the current status of its deliveries, across subscriptions', async () => {
  const other = await addWebhook(app);
  await addDelivery(app, webhook, { created_at: hour(0) });
  await addDelivery(app, other, { created_at: hour(0), status: 'failed' });
  await addDelivery(app, webhook, { created_at: hour(2), status: 'pending' });
  await addDelivery(app, webhook, { created_at: hour(2), status: 'delivering' });
  await addDelivery(app, webhook, { created_at: hour(2), status: 'cancelled' });
  await addDelivery(app, webhook, { created_at: hour(3) });
  await addDelivery(app, webhook, { created_at: hour(1) }, app.outsider.company_id);
  const { body } = await app.admin.get(`${path}?hours=3`).expect(200);
  expect(body).toEqual({
    data: [
      { ...none, hour: hour(2), waiting: 2, cancelled: 1 },
      { ...none, hour: hour(1) },
      { ...none, hour: hour(0), succeeded: 1, failed: 1 },
    ],
    is_complete: true,
  });
});

test('covers a day by default, even without deliveries', async () => {
  const { body } = await app.admin.get(path).expect(200);
  expect(body.data).toHaveLength(24);
  expect(body.data[0]).toEqual({ ...none, hour: hour(23) });
  expect(body.is_complete).toBe(true);
  expect((await app.admin.get(`${path}?hours=168`).expect(200)).body.data).toHaveLength(168);
});

test('beyond the counting limit, starts with the first complete hour', async () => {
  for (const ago of [0, 1, 1, 2, 2]) await addDelivery(app, webhook, { created_at: hour(ago) });
  const tenant = app.database.db.tenant(app.company_id);
  const counted = (most: number) => countedDeliveries(tenant, 4, new Date(), most);
  expect(await counted(5)).toMatchObject({ data: { length: 4 }, is_complete: true });
  expect(await counted(4)).toEqual({
    data: [
      { ...none, hour: hour(1), succeeded: 2 },
      { ...none, hour: hour(0), succeeded: 1 },
    ],
    is_complete: false,
  });
  await addDelivery(app, webhook, { created_at: hour(0) });
  expect(await counted(1)).toMatchObject({ data: [{ hour: hour(0) }], is_complete: false });
});

test.each(['hours=0', 'hours=169', 'hours=x', 'webhook_id=x'])('rejects %s', async (query) => {
  const { body } = await app.admin.get(`${path}?${query}`).expect(400);
  expect(body.error).toBe('invalid_parameter');
});
