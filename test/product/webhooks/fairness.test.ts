/** A receiver that hangs costs its own company patience, and nobody else. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { emitReports, localWebhooks, report, statuses, subscribe } from '../../helpers/deliveries.ts';
import { type Receiver, receiver } from '../../helpers/receiver.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp({ ...localWebhooks, WEBHOOK_TIMEOUT_MS: '30000' });
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});

/** From each event to its request, in milliseconds. */
function delays(there: Receiver): number[] {
  return there.requests.map(({ body, at }) => at.getTime() - Date.parse(JSON.parse(body.toString()).data.timestamp));
}

test('200 deliveries to a receiver that hangs beside a healthy one', async () => {
  const healthy = await receiver();
  const hanging = await receiver({ answer: () => {} });
  const ill = await subscribe(app, hanging.url, { events: ['report.created'] });
  const well = await subscribe(app, healthy.url, { events: ['report.created'] });
  await emitReports(app.database.db, app.company_id, 200);
  await healthy.received(200);
  const first = delays(healthy);
  // Now that the other one has as many requests under way as it may have, a few more.
  for (let n = 0; n < 10; n++) {
    await emitReports(app.database.db, app.company_id, 1);
    await healthy.received(201 + n);
  }
  const later = delays(healthy).slice(200);
  report(`hanging receiver: ${hanging.requests.length} requests under way of 210`);
  report(`healthy beside it: 200 within ${Math.max(...first)} ms, then single ones within ${Math.max(...later)} ms`);
  // All has come to the healthy one, and to the other one not even the first request is over: so none waited for any.
  expect(hanging.requests.length).toBeLessThanOrEqual(20);
  expect(await statuses(app.database, ill.id)).toEqual({ delivering: 20, pending: 190 });
  await app.admin.delete(`/v1/webhooks/${ill.id}`).expect(200);
  await app.admin.delete(`/v1/webhooks/${well.id}`).expect(200);
  await hanging.close();
  await healthy.close();
});
