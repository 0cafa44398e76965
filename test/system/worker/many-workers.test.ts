/** Many workers on one database: few are notified, those that end are replaced, and all jobs are found. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver as startReceiver } from '../../helpers/network/receiver.ts';
import { addWebhook } from '../../helpers/resources/webhooks.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let receiver: Receiver;
const workers: TestWorker[] = [];
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  receiver = await startReceiver();
  for (let n = 0; n < 6; n++) workers.push(await testWorker(app));
});
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await receiver.close();
  await app.close();
});

const listening = async () => {
  const [row] = await app.database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'collaborator-api-listener'`,
  );
  return row!.count;
};

test('three of six listen for events, are replaced when they end, and every event arrives', async () => {
  await addWebhook(app, { url: receiver.url });
  const own = 1; // the API's
  await eventually(async () => expect(await listening()).toBe(own + 3));
  const person = (n: number) => ({ name: `Person ${n}`, email: `p${n}@example.com`, position: 'x', department: 'y' });
  for (let n = 0; n < 5; n++) await app.admin.post('/v1/collaborators', person(n)).expect(201);
  await receiver.received(5);

  for (const worker of workers.splice(0, 3)) await worker.stop();
  await eventually(async () => expect(await listening()).toBe(own + 3));
  for (let n = 5; n < 10; n++) await app.admin.post('/v1/collaborators', person(n)).expect(201);
  await eventually(async () => {
    const names = (await receiver.received(10)).map(({ body }) => JSON.parse(body.toString()).data.data.name);
    expect(new Set(names)).toEqual(new Set(Array.from({ length: 10 }, (_, n) => `Person ${n}`)));
  });
});
