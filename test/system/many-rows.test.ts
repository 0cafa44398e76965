/** A replay of very many events completes in one request, in linear time. */
import { type TestApp, testApp } from '../helpers/app.ts';
import { addWebhook } from '../helpers/resources/webhooks.ts';
import { duration } from '../helpers/timing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** Inserted row by row in one statement, they would have more parameters than it can have. */
const rows = 10_000;

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const replay = (id: string) => app.admin.post(`/v1/webhooks/${id}/activate`, { replay_from: anHourAgo() });

test('activateWebhook replays very many events', async () => {
  const id = await addWebhook(app, { events: ['collaborator.*'], payload_format: 'flat', status: 'deactivated' });
  const insert = () =>
    app.database.query(
      `insert into events (company_id, id, name, event_type, payload, sequence)
       select $1, gen_random_uuid(), 'collaborator.updated', 'CollaboratorUpdated', '{}', 1000000 + n
       from generate_series(1, $2::int) n`,
      [app.company_id, rows],
    );
  const insertedMs = await duration(insert);
  await app.database.query(
    `insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, status)
     select company_id, gen_random_uuid(), $2, id, name, 'flat', 'cancelled' from events
     where company_id = $1 and sequence % 2 = 0`,
    [app.company_id, id],
  );
  const activatedMs = await duration(() => replay(id).expect(200));
  expect(activatedMs).toBeLessThan(10 * insertedMs);
  const [{ number } = { number: 0 }] = await app.database.query<{ number: number }>(
    "select count(*)::int as number from deliveries where webhook_id = $1 and status = 'pending' and replaying",
    [id],
  );
  expect(number).toBe(rows);
});
