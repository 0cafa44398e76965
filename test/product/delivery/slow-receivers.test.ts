/** Hanging receivers occupy sockets but no slots, so events still reach responsive ones. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { emitReports, localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';
import { testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let hanging: Receiver;
let healthy: Receiver;
beforeAll(async () => {
  app = await testApp(localWebhooks);
  hanging = await receiver({ reply: () => {} });
  healthy = await receiver();
});
afterAll(async () => {
  await Promise.all([hanging.close(), healthy.close()]);
  await app.close();
});

test('an event reaches its receiver while the company’s other receivers hang in all slots', async () => {
  const inFlight = 4;
  for (const name of ['one', 'two', 'three']) {
    await subscribe(app, `${hanging.url}${name}`, { events: ['report.created'] });
  }
  await subscribe(app, healthy.url, { events: ['collaborator.updated'] });
  await emitReports(app.database.db, app.company_id, 5);
  const { config, database, base_url: baseUrl } = app;
  const webhooks = { ...config.webhooks, inFlight };
  const worker = await testWorker({ config: { ...config, webhooks }, database, base_url: baseUrl });
  try {
    await hanging.received(inFlight + 1); // more than there are slots
    const position = 'Head of patience';
    await app.admin.patch(`/v1/collaborators/${app.employee.collaborator_id}`, { position }).expect(200);
    await healthy.received(1);
    // The others still hang, so no slot was freed by a response.
    const attempted = await database.query('select 1 from deliveries where attempt_count > 0 and event = $1', [
      'report.created',
    ]);
    expect(attempted).toEqual([]);
  } finally {
    await hanging.close();
    await worker.stop();
  }
});
