/** Row times come from the database, so a minute of overlap is enough for readers, whatever clocks were ahead. */
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const databaseTime = async () => (await app.database.query<{ now: string }>('select clock_timestamp() as now'))[0]!.now;
const at = (time: string) => new Date(time).getTime();
const minuteMs = 60_000;
/** As the guide on pagination recommends. */
const lessMinute = (time: string) => new Date(at(time) - minuteMs).toISOString();

/** Names of people changed since a time, in the order of their changes. */
async function changedSince(time: string): Promise<string[]> {
  const query = { updated_since: new Date(time).toISOString(), sort: 'updated_at', limit: 50 };
  const { body } = await app.admin.get('/v1/collaborators').query(query).expect(200);
  return body.data.map(({ name }: { name: string }) => name);
}

test('changing a row whose time is far ahead corrects it, so readers continuing from there miss nothing', async () => {
  const path = `/v1/collaborators/${app.report.collaborator_id}`;
  await app.database.query("update collaborators set updated_at = now() + interval '3 hours' where id = $1", [
    app.report.collaborator_id,
  ]);
  const before = await databaseTime();
  const { body } = await app.admin.patch(path, { position: 'Driver' }).expect(200);
  const after = await databaseTime();
  expect(at(body.updated_at)).toBeGreaterThanOrEqual(at(before));
  expect(at(body.updated_at)).toBeLessThanOrEqual(at(after) + minuteMs);
  expect(await changedSince(before)).toEqual(['Clara Sousa']);
  // Readers who continue from the newest time they saw get the next change.
  await app.admin.patch(`/v1/collaborators/${app.employee.collaborator_id}`, { position: 'Driver' }).expect(200);
  expect(await changedSince(lessMinute(body.updated_at))).toContain('Tomás Rocha');
});

test('bulk changes, a deleted manager, and a new row all get times of the database', async () => {
  await app.database.query("update collaborators set updated_at = now() + interval '3 hours' where company_id = $1", [
    app.company_id,
  ]);
  const item = { id: app.employee.collaborator_id, position: 'Planner' };
  await app.admin.post('/v1/collaborators/bulk', { mode: 'update', items: [item] }).expect(200);
  await app.admin.delete(`/v1/collaborators/${app.manager.collaborator_id}`).expect(200); // who has a report
  const person = { name: 'Ana Lima', email: 'ana.lima@example.com', position: 'Driver', department: 'Fleet' };
  await app.admin.post('/v1/collaborators', person).expect(201);
  const ahead = await app.database.query<{ name: string }>(
    "select name from collaborators where company_id = $1 and updated_at > clock_timestamp() + interval '1 minute' order by name",
    [app.company_id],
  );
  expect(ahead.map(({ name }) => name)).toEqual(['Mariana Duarte']); // she is unchanged
});
