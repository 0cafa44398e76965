/** The hourly removal, on both sides of each limit. `retention.test.ts` has grants, failed jobs, and deleted documents. */
import { randomUUID } from 'node:crypto';
import type { JobHelpers } from 'graphile-worker';
import { pino } from 'pino';
import { migrateQueue } from '../../src/platform/schema/migrate-queue.ts';
import { removeExpired } from '../../src/worker/tasks/cleanup/removeExpired.ts';
import { type TestApp, testApp } from '../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await migrateQueue(app.database.url);
});
afterAll(() => app.close());

test('removes what is past its time from each table, and keeps the rest', async () => {
  const { query, db } = app.database;
  const { company_id: company, admin } = app;
  const connection = randomUUID();
  await query(
    `insert into sign_in_connections (id, company_id, name, kind, issuer, client_id, client_authentication, sign_in, trusts_provider)
     values ($1, $2, 'A provider', 'oidc', 'https://provider.example', 'id', 'private_key_jwt', 'any', false)`,
    [connection, company],
  );
  // By kind: the table, its columns except the time, and how many seconds ago the time was for a row that goes and one that stays.
  const hour = 3_600;
  const day = 24 * hour;
  const kinds: Record<
    string,
    [table: string, time: string, gone: number, kept: number, others: Record<string, unknown>]
  > = {
    artifacts: ['oauth_artifacts', 'expires_at', 1, -60, { kind: 'Session', id_hash: 'n', payload_encrypted: '' }],
    used_challenges: ['used_challenges', 'expires_at', 1, -60, { challenge_hash: 'n' }],
    sign_in_requests: [
      ...(['sign_in_requests', 'expires_at', 1, -60] as const),
      { relay_state_hash: 'n', connection_id: connection, request_id: 'x', begun: 'x' },
    ],
    sign_in_keys: [
      ...(['sign_in_keys', 'expires_at', 1, -60] as const),
      {
        ...{ id: 'id', connection_id: connection, company_id: company },
        ...{ public_jwk: '{}', private_jwk_encrypted: '', signs_from: 'now' },
      },
    ],
    user_sessions: [
      ...(['user_sessions', 'created_at', day + 60, day - 60] as const),
      { uid_hash: 'n', user_id: admin.user_id, device_id: randomUUID() },
    ],
    user_devices: [
      ...(['user_devices', 'last_seen_at', 180 * day + 60, 180 * day - 60] as const),
      { id: 'id', user_id: admin.user_id, device_hash: 'n' },
    ],
    password_resets: [
      ...(['password_resets', 'created_at', 30 * day + 60, 30 * day - 60] as const),
      { token_hash: 'n', user_id: admin.user_id, expires_at: 'now' },
    ],
    idempotency_keys: [
      ...(['idempotency_keys', 'created_at', day + 60, day - 60] as const),
      { company_id: company, key_hash: 'n', request_hash: '', status: 200, headers: '{}' },
    ],
    retired_keys: [
      ...(['signing_keys', 'retired_at', day + 60, day - 60] as const),
      { id: 'id', algorithm: 'ES256', public_jwk: '{}', private_jwk_encrypted: '' },
    ],
    connection_uses: [
      ...(['connection_uses', 'last_used_at', 31 * day + 60, 31 * day - 60] as const),
      { company_id: company, connection_id: 'id', user_id: admin.user_id },
    ],
    workers: ['worker_pools', 'seen_at', day + 60, day - 60, { id: 'id' }],
  };
  const insert = async ([table, time, gone, kept, others]: (typeof kinds)[string]) => {
    const names = [...Object.keys(others), time];
    for (const age of [gone, kept]) {
      const values = Object.values(others).map((value) => (value === 'id' || value === 'n' ? randomUUID() : value));
      const places = names.map((_, at) =>
        at < values.length ? `$${at + 1}` : `now() - make_interval(secs => $${at + 1})`,
      );
      await query(`insert into ${table} (${names.join()}) values (${places.join()})`, [...values, age]);
    }
  };
  const remaining = async () => {
    const counts = Object.entries(kinds).map(async ([kind, [table]]) => {
      return [kind, (await query(`select 1 from ${table}`)).length] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  };
  const before = await remaining();
  for (const kind of Object.values(kinds)) await insert(kind);
  await query(`insert into rate_limits (key, points, expire)
    select name, 1, extract(epoch from now()) * 1000 + ms from (values ('gone', -1000), ('kept', 60000)) as limits (name, ms)`);
  const lines: { removed: object }[] = [];
  const toLines = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await removeExpired(db, 3_600, toLines)({}, {} as JobHelpers);
  const removed = Object.fromEntries([...Object.keys(kinds), 'rate_limits'].map((kind) => [kind, 1]));
  expect(lines).toMatchObject([{ removed }]);
  expect(await remaining()).toEqual(
    Object.fromEntries(Object.entries(before).map(([kind, count]) => [kind, count + 1])),
  );
  expect(await query('select key from rate_limits')).toEqual([{ key: 'kept' }]);
});

test('removes any number of rows, few in each statement', async () => {
  const { query, db } = app.database;
  const { company_id: company, admin } = app;
  const rows = 5_001;
  const age = "now() - interval '200 days' - make_interval(secs => n)";
  const device = `'${randomUUID()}'`;
  const user = `'${admin.user_id}'`;
  const hash = "sha256(convert_to('many ' || n, 'utf8'))";
  const values: Record<string, Record<string, string>> = {
    oauth_artifacts: { kind: "'Session'", id_hash: hash, payload_encrypted: "''", expires_at: age },
    used_challenges: { challenge_hash: hash, expires_at: age },
    sign_in_requests: {
      ...{ relay_state_hash: hash, connection_id: device, request_id: "'x'", begun: "'x'" },
      expires_at: age,
    },
    user_sessions: { uid_hash: hash, user_id: user, device_id: device, created_at: age },
    user_devices: { id: 'gen_random_uuid()', user_id: user, device_hash: hash, last_seen_at: age },
    password_resets: { token_hash: hash, user_id: user, expires_at: age, created_at: age },
    idempotency_keys: {
      ...{ company_id: `'${company}'`, key_hash: hash, request_hash: "''", status: '200', headers: "'{}'" },
      created_at: age,
    },
    rate_limits: { key: "'many ' || n", points: '1', expire: 'n' },
    oauth_grants: {
      ...{ id: "'many ' || n", user_id: user, client_id: "'test-client'", company_ids: "'{}'" },
      created_at: age,
    },
    documents: {
      ...{ company_id: `'${company}'`, id: 'gen_random_uuid()', collaborator_id: `'${admin.collaborator_id}'` },
      ...{ name: "'x'", type: "'other'", media_type: "'x'", size: '1', sha256: hash, deleted_at: age },
    },
    connection_uses: { company_id: `'${company}'`, connection_id: "'many ' || n", user_id: user, last_used_at: age },
  };
  await query(`
    create function refuse_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > 5000 then raise 'many rows of % at once', tg_table_name; end if;
      return null;
    end $$`);
  const before: Record<string, number> = {};
  const count = async (table: string) => (await query(`select count(*)::int from ${table}`))[0]!.count as number;
  for (const [table, columns] of Object.entries(values)) {
    before[table] = await count(table);
    await query(`insert into ${table} (${Object.keys(columns).join()})
      select ${Object.values(columns).join()} from generate_series(1, ${rows}) as n`);
    await query(`create trigger refuse_many after delete on ${table} referencing old table as gone
      for each statement execute function refuse_many()`);
  }
  await query("select graphile_worker.add_job('deliver', '{}', max_attempts => 1)");
  // Copies of the job: adding each would take ten times as long as removing all.
  await query(`insert into graphile_worker._private_jobs (task_id, max_attempts)
    select task_id, max_attempts from graphile_worker._private_jobs, generate_series(2, ${rows})`);
  await query("update graphile_worker._private_jobs set attempts = 1, updated_at = now() - interval '31 days'");
  await query(`create trigger refuse_many after delete on graphile_worker._private_jobs referencing old table as gone
    for each statement execute function public.refuse_many()`);
  await removeExpired(db, 3_600, pino({ level: 'silent' }))({}, {} as JobHelpers);
  for (const table of Object.keys(values)) expect([table, await count(table)]).toEqual([table, before[table]]);
  expect(await query('select 1 from graphile_worker.jobs')).toEqual([]);
});
