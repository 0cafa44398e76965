/** Connections ended by deleting the app or by the operator. A separate job notifies every company. */
import { createLogger } from '../../../src/platform/observe/log.ts';
import { createUseRecorder, removeOldUses } from '../../../src/product/connections/connection-usage.ts';
import type { EndedConnections } from '../../../src/product/connections/end-connection.ts';
import { notifyRevoked } from '../../../src/product/connections/notify-revoked.ts';
import { revokeClient } from '../../../src/product/connections/revoke-client.ts';
import { revokeClientConnections } from '../../../src/product/connections/revoke-client-connections.ts';
import { withdrawApproval } from '../../../src/product/connections/withdraw-approval.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { addConnection } from '../../helpers/database/connections.ts';
import { drainJobs } from '../../helpers/database/jobs.ts';
import { addApp } from '../../helpers/resources/apps.ts';

let app: TestApp;
let companies: string[];
beforeAll(async () => {
  app = await testApp();
  companies = [app.company_id, app.outsider.company_id];
});
afterAll(() => app.close());
beforeEach(() => app.database.query('delete from events'));

async function runJobs(): Promise<void> {
  const jobs = await drainJobs<EndedConnections>(app, 'notifyConnectionsRevoked');
  // Runs each job twice, as after a crash just before it is marked done.
  for (const job of [...jobs, ...jobs]) await notifyRevoked(app.database.db, job);
}

const events = () =>
  app.database.query("select company_id, payload::json as payload from events where name = 'connection.ended'");

test('deleting an app notifies every company of its own connections', async () => {
  const clientId = await addApp(app);
  const both = await addConnection(app, { client_id: clientId, company_ids: companies });
  await addConnection(app, { client_id: clientId, user_id: app.employee.user_id });
  await app.admin.delete(`/v1/apps/${clientId}`).expect(200);
  await runJobs();
  const emitted = await events();
  const of = (companyId: string) =>
    emitted.filter((event) => event.company_id === companyId).map(({ payload }) => payload);
  expect(of(app.company_id)).toHaveLength(2);
  for (const payload of of(app.company_id))
    expect(payload).toMatchObject({ reason: 'app_deleted', ended_by: app.admin.user_id });
  expect(of(app.outsider.company_id)).toEqual([
    expect.objectContaining({ id: both, reason: 'app_deleted', ended_by: null }),
  ]);
});

test('the operator can revoke connections in one company or everywhere, which the audit log records', async () => {
  const clientId = await addApp(app);
  const id = await addConnection(app, { client_id: clientId, company_ids: companies });
  expect(await revokeClientConnections(app.database.db, clientId, app.outsider.company_id)).toBe(1);
  await app.admin.get(`/v1/connections/${id}`).expect(200);
  await app.outsider.get(`/v1/connections/${id}`).expect(404);
  expect(await revokeClientConnections(app.database.db, clientId)).toBe(1);
  await app.admin.get(`/v1/connections/${id}`).expect(404);
  expect(await revokeClientConnections(app.database.db, clientId)).toBe(0);
  expect(await revokeClientConnections(app.database.db, 'nobody')).toBeUndefined();
  await runJobs();
  expect((await events()).map(({ company_id: companyId }) => companyId).sort()).toEqual(companies.toSorted());
  const entries = await app.database.query(
    "select company_id, actor_type, details from audit_log where action = 'connections.ended'",
  );
  expect(entries).toHaveLength(2);
  const entry = { actor_type: 'operator', details: { reason: 'operator', connection_count: 1 } };
  for (const each of entries) expect(each).toMatchObject(entry);
});

test('revoking a client notifies every company of its connections', async () => {
  const clientId = await addApp(app);
  await addConnection(app, { client_id: clientId, company_ids: companies });
  expect(await revokeClient(app.database.db, clientId)).toBe(true);
  await runJobs();
  const emitted = await events();
  expect(emitted.map(({ company_id: companyId }) => companyId).sort()).toEqual(companies.toSorted());
  for (const { payload } of emitted) expect(payload).toMatchObject({ reason: 'operator', ended_by: null });
});

test('a job of an older version without ids succeeds', async () => {
  const connections = [{ id: 'a', allowed_by: app.admin.user_id }];
  const ended = { company_id: app.company_id, client_id: 'c', app_name: 'Planner', ended_by: null };
  const ended_at = new Date().toISOString();
  await notifyRevoked(app.database.db, { ...ended, reason: 'operator', ended_at, connections });
  expect(await events()).toHaveLength(1);
});

test('withdrawing approval revokes connections of other companies, notifies them, and keeps the owner’s', async () => {
  await app.database.query('delete from audit_log');
  const clientId = await addApp(app, { visibility: 'everyone', approved_at: '2026-01-01T00:00:00.000Z' });
  const both = await addConnection(app, { client_id: clientId, company_ids: companies });
  const foreign = await addConnection(app, { client_id: clientId, company_ids: [app.outsider.company_id] });
  const own = await addConnection(app, { client_id: clientId });
  expect(await withdrawApproval(app.database.db, clientId)).toMatchObject({ company_id: app.company_id, ended: 2 });
  for (const id of [both, own]) await app.admin.get(`/v1/connections/${id}`).expect(200);
  for (const id of [both, foreign]) await app.outsider.get(`/v1/connections/${id}`).expect(404);
  expect((await app.admin.get(`/v1/apps/${clientId}`).expect(200)).body.approved_at).toBeNull();
  await runJobs();
  const emitted = await events();
  expect(emitted.map(({ company_id: companyId }) => companyId)).toEqual(Array(2).fill(app.outsider.company_id));
  expect(emitted.map(({ payload }) => (payload as { id: string }).id).sort()).toEqual([both, foreign].sort());
  const entries = await app.database.query('select company_id, action from audit_log order by action');
  expect(entries).toEqual([
    { company_id: app.company_id, action: 'app.approval_withdrawn' },
    { company_id: app.outsider.company_id, action: 'connections.ended' },
  ]);
  for (const id of [clientId, await addApp(app), 'nobody']) {
    expect(await withdrawApproval(app.database.db, id)).toBeUndefined();
  }
});

test('last use is recorded once per minute, and removed after 31 days', async () => {
  const { db } = app.database;
  // The service records its own uses meanwhile.
  const written = () =>
    app.database.query<{ connection_id: string }>(
      "select connection_id from connection_uses where connection_id in ('a', 'b')",
    );
  const recorder = createUseRecorder({ db, log: createLogger('silent') });
  const { company_id: companyId } = app;
  const use = { company_id: companyId, user_id: app.admin.user_id };
  let addressCount = 0;
  const address = () => `203.0.113.${++addressCount}`;
  for (const connectionId of ['a', 'b', 'a']) recorder.add({ ...use, connection_id: connectionId }, address);
  await recorder.flush();
  expect((await written()).map((row) => row.connection_id).sort()).toEqual(['a', 'b']);
  expect(addressCount).toBe(2);
  await app.database.query(
    `update connection_uses set last_used_at =
       now() - case connection_id when 'a' then interval '31 days 1 hour' else interval '30 days 23 hours' end
     where connection_id in ('a', 'b')`,
  );
  expect(await removeOldUses(db.tenant(companyId))).toBe(1);
  expect((await written()).map((row) => row.connection_id)).toEqual(['b']);
});
