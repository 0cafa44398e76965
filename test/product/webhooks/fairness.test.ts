/** A hanging receiver slows down its own company only. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';
import { receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, statuses, subscribe } from '../../helpers/resources/deliveries.ts';
import { addWebhook, isWoken } from '../../helpers/resources/webhooks.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp(localWebhooks);
  // Longer than the test on any machine, so that no hanging request times out.
  app = { ...app, config: { ...app.config, webhooks: { ...app.config.webhooks, timeout_ms: 300_000 } } };
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

test('50 deliveries reach a healthy receiver despite a hanging one', async () => {
  const healthy = await receiver();
  const hanging = await receiver({ reply: () => {} });
  const ill = await subscribe(app, hanging.url, { events: ['report.created'] });
  const well = await subscribe(app, healthy.url, { events: ['report.created'] });
  await emitReports(app.database.db, app.company_id, 50);
  await healthy.received(50);
  // A few more, now that the hanging one has its maximum of requests in progress.
  for (let n = 0; n < 3; n++) {
    await emitReports(app.database.db, app.company_id, 1);
    await healthy.received(51 + n);
  }
  // The healthy one got everything before the first hanging request ended, so it waited for none.
  expect(hanging.requests.length).toBeLessThanOrEqual(20);
  expect(await statuses(app.database, ill.id)).toEqual({ delivering: 20, pending: 33 });
  await app.admin.delete(`/v1/webhooks/${ill.id}`).expect(200);
  await app.admin.delete(`/v1/webhooks/${well.id}`).expect(200);
  await hanging.close();
  await healthy.close();
});

describe('with few slots', () => {
  let few: TestWorker;
  beforeEach(async () => {
    await worker.stop();
    const webhooks = { ...app.config.webhooks, slots: 4, inFlightPerSubscription: 1 };
    few = await testWorker({ ...app, config: { ...app.config, webhooks } });
  });
  afterEach(async () => {
    await few.stop();
    worker = await testWorker(app);
  });

  test('hanging receivers of one company leave a slot for another company', async () => {
    const healthy = await receiver();
    const hanging = await receiver({ reply: () => {} });
    const ill = [];
    for (let n = 0; n < 3; n++) ill.push(await subscribe(app, `${hanging.url}${n}`, { events: ['report.created'] }));
    await emitReports(app.database.db, app.company_id, 30);
    await hanging.received(2);
    await addWebhook(app, { url: healthy.url, events: ['report.created'] }, app.outsider.company_id);
    await emitReports(app.database.db, app.outsider.company_id, 1);
    await healthy.received(1);
    // No hanging request has ended, so it didn't wait for one.
    expect(hanging.requests).toHaveLength(2);
    expect(await statuses(app.database, ill[0]!.id)).toMatchObject({ pending: expect.any(Number) });
    for (const { id } of ill) await app.admin.delete(`/v1/webhooks/${id}`).expect(200);
    await hanging.close();
    await healthy.close();
  });

  test('a freed slot goes to a waiting company, not to the one that had it', async () => {
    const pendingResponses: (() => void)[] = [];
    const slow = await receiver({
      reply: (response) => void pendingResponses.push(() => response.writeHead(204).end()),
    });
    const healthy = await receiver();
    const busy = [];
    for (let n = 0; n < 2; n++) busy.push(await subscribe(app, `${slow.url}${n}`, { events: ['report.created'] }));
    await emitReports(app.database.db, app.company_id, 1);
    await slow.received(2);
    const well = await subscribe(app, healthy.url, { events: ['collaborator.updated'] });
    const position = 'Head of patience';
    await app.admin.patch(`/v1/collaborators/${app.employee.collaborator_id}`, { position }).expect(200);
    await eventually(async () => expect(await statuses(app.database, well.id)).toEqual({ pending: 1 }));
    expect(await isWoken(app, well.id)).toBe(true);
    expect(healthy.requests).toHaveLength(0); // its company has two of four slots
    pendingResponses.shift()!();
    await healthy.received(1);
    for (const { id } of [...busy, well]) await app.admin.delete(`/v1/webhooks/${id}`).expect(200);
    slow.respond(204);
    for (const respond of pendingResponses) respond();
    await slow.close();
    await healthy.close();
  });
});
