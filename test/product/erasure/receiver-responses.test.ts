/** People in receivers' responses to events about others: erased with the person, while the rest stays. */
import { createStorage } from '../../../src/platform/files/context.ts';
import { eraseCollaborator } from '../../../src/product/erasure/erase-person.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let app: TestApp;
let worker: TestWorker;
let there: Receiver;
beforeAll(async () => {
  [app, there] = await Promise.all([testApp(localWebhooks), receiver()]);
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([app.close(), there.close()]);
});

test('an email in a response body or header is erased with the person', async () => {
  const { id: webhookId } = await subscribe(app, there.url, { events: ['collaborator.created'] });
  const path = `/v1/webhooks/${webhookId}`;
  const responses: [body: string, header: string][] = [
    ['last seen: Qxana@Example.com', 'x'],
    ['x', 'qxana@example.com'],
    ['last seen: rui@example.com', 'x'],
  ];
  const tests = [];
  for (const [body, lastSeen] of responses) {
    there.respond((response) => void response.writeHead(500, { 'X-Last-Seen': lastSeen }).end(body));
    tests.push((await app.admin.post(`${path}/test?wait=true`).expect(200)).body);
  }
  there.respond((response, { body }) => void response.writeHead(204).end(body));
  const person = { name: 'Ana Qxana', email: 'qxana@example.com', position: 'x', department: 'y' };
  const { id } = (await app.admin.post('/v1/collaborators', person).expect(201)).body;
  await there.received(4);
  await worker.stop(); // after the result is recorded
  const aboutThem = async () =>
    app.database.query("select 1 from deliveries where webhook_id = $1 and event = 'collaborator.created'", [
      webhookId,
    ]);
  expect(await aboutThem()).toHaveLength(1);
  const attemptsWithThem = () => app.database.query("select 1 from attempts a where a::text ilike '%qxana%'");
  expect(await attemptsWithThem()).toHaveLength(2);

  const erasing = {
    db: app.database.db,
    storage: createStorage(app.config),
    encryption_keys: app.config.encryption_keys,
    dry_run: false,
    companyFiles: false,
  };
  const company = { id: app.company_id, name: 'Verde' };
  expect(await eraseCollaborator(erasing, company, id)).toMatchObject({ deliveries: 1, receiver_responses: 2 });
  expect(await aboutThem()).toEqual([]);
  const attempts = [];
  for (const { id: deliveryId } of tests) {
    attempts.push((await app.admin.get(`${path}/deliveries/${deliveryId}`).expect(200)).body.attempts[0]);
  }
  const forgotten = { response_excerpt: null, response_headers: null, status_code: 500 };
  expect(attempts).toMatchObject([forgotten, forgotten, { response_excerpt: 'last seen: rui@example.com' }]);
  expect(attempts[0].request).toEqual(tests[0].attempts[0].request); // the request to the receiver was about nobody
  expect(JSON.stringify(attempts).toLowerCase()).not.toContain('qxana');
  expect(await attemptsWithThem()).toEqual([]);
  worker = await testWorker(app);
});
