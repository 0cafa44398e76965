/** Retention on a real database, tested on both sides of each limit. */
import { createHash, randomUUID } from 'node:crypto';
import type { JobHelpers } from 'graphile-worker';
import pg from 'pg';
import { pino } from 'pino';
import { removeEndedGrants } from '../../src/identity/grants/grants.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { createStorage } from '../../src/platform/files/context.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { migrateQueue } from '../../src/platform/schema/migrate-queue.ts';
import { removeDeletedDocuments } from '../../src/worker/tasks/cleanup/deleted-documents.ts';
import { eraseDeleted } from '../../src/worker/tasks/cleanup/eraseDeleted.ts';
import { removeExpired } from '../../src/worker/tasks/cleanup/removeExpired.ts';
import { removeFailedJobs } from '../../src/worker/tasks/failed-jobs.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { addDocument, objects } from '../helpers/resources/documents.ts';
import { testSettings } from '../helpers/settings.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await migrateQueue(app.database.url);
});
afterAll(() => app.close());

const log = createLogger('silent');
const helpers = {
  async withPgClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(app.database.url);
    await client.connect();
    return work(client).finally(() => client.end());
  },
} as unknown as JobHelpers;

test('removes grants that ended a month ago or can’t be used anymore', async () => {
  const { query, db } = app.database;
  const grants: [
    id: string,
    createdDays: number,
    revokedDays: number | null,
    artifact: 'Grant' | 'RefreshToken' | null,
  ][] = [
    ['ended-long-ago', 90, 31, null],
    ['ended-lately', 90, 29, null],
    ['dead', 31, null, null],
    ['installation', 90, 31, null],
    ['new', 29, null, null],
    ['with-a-grant', 90, null, 'Grant'],
    ['with-a-token', 90, null, 'RefreshToken'],
  ];
  for (const [id, created, revoked, artifact] of grants) {
    await query(
      `insert into oauth_grants (id, user_id, client_id, company_ids, created_at, revoked_at)
       values ($1, $2, 'test-client', '{}', now() - make_interval(days => $3), now() - make_interval(days => $4))`,
      [id, app.admin.user_id, created, revoked],
    );
    if (id === 'installation') {
      await query("update oauth_grants set installation_role = 'admin' where id = $1", [id]); // installations are kept longer, for the history
    }
    if (!artifact) continue;
    const idHash = createHash('sha256')
      .update(artifact === 'Grant' ? id : 'a token')
      .digest();
    await query(`insert into oauth_artifacts (kind, id_hash, payload_encrypted, grant_id) values ($1, $2, '', $3)`, [
      artifact,
      idHash,
      artifact === 'Grant' ? null : id,
    ]);
  }
  expect(await removeEndedGrants(db.global)).toBe(2);
  const remaining = await query<{ id: string }>(`select id from oauth_grants where id = any($1) order by id`, [
    grants.map(([id]) => id),
  ]);
  expect(remaining.map(({ id }) => id)).toEqual([
    'ended-lately',
    'installation',
    'new',
    'with-a-grant',
    'with-a-token',
  ]);
  await app.admin.get('/v1/collaborators').expect(200); // with its own grant
});

test('removes failed jobs after a month', async () => {
  const { query, db } = app.database;
  const add = async (name: string, attempts: number, ageDays: number) => {
    await query(`select graphile_worker.add_job('deliver', '{}', max_attempts => 2, job_key => $1)`, [name]);
    await query(
      `update graphile_worker._private_jobs set attempts = $2, updated_at = now() - make_interval(days => $3) where key = $1`,
      [name, attempts, ageDays],
    );
  };
  await add('given-up', 2, 31);
  await add('given-up-lately', 2, 29);
  await add('waits', 1, 31);
  expect(await removeFailedJobs(db)).toBe(1);
  const remaining = await query<{ key: string }>('select key from graphile_worker.jobs order by key');
  expect(remaining.map(({ key }) => key)).toEqual(['given-up-lately', 'waits']);
});

test('removes rows of deleted documents after a month', async () => {
  const ids = [];
  for (const _ of [1, 2, 3]) ids.push(await addDocument(app, app.employee.collaborator_id));
  for (const id of ids.slice(0, 2)) {
    await app.admin.delete(`/v1/collaborators/${app.employee.collaborator_id}/documents/${id}`).expect(200);
  }
  await app.database.query(`update documents set deleted_at = now() - interval '31 days' where id = $1`, [ids[0]]);
  expect(await removeDeletedDocuments(app.database.db)).toBe(1);
  const remaining = await app.database.query<{ id: string }>('select id from documents order by id');
  expect(remaining.map(({ id }) => id)).toEqual(ids.slice(1).sort());
});

test('the hourly job does all of it, and logs how many it removed', async () => {
  const { query, db } = app.database;
  await query(
    `insert into oauth_grants (id, user_id, client_id, company_ids, created_at)
     values ('another-dead', $1, 'test-client', '{}', now() - interval '31 days')`,
    [app.admin.user_id],
  );
  await query(`select graphile_worker.add_job('deliver', '{}', max_attempts => 2, job_key => 'another-given-up')`);
  const giveUp = "set attempts = 2, updated_at = now() - interval '31 days' where key = 'another-given-up'";
  await query(`update graphile_worker._private_jobs ${giveUp}`);
  const id = await addDocument(app, app.employee.collaborator_id);
  await app.admin.delete(`/v1/collaborators/${app.employee.collaborator_id}/documents/${id}`).expect(200);
  await query(`update documents set deleted_at = now() - interval '31 days' where id = $1`, [id]);
  const lines: { removed: object }[] = [];
  const toLines = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await removeExpired(db, 3_600, toLines)({}, helpers);
  expect(lines).toMatchObject([{ removed: { ended_grants: 1, failed_jobs: 1, deleted_documents: 1 } }]);
  expect(await query(`select 1 from oauth_grants where id = 'another-dead'`)).toEqual([]);
  expect(await query(`select 1 from graphile_worker.jobs where key = 'another-given-up'`)).toEqual([]);
  expect(await query('select 1 from documents where id = $1', [id])).toEqual([]);
});

describe('deleted people', () => {
  const retention = (days: string | undefined) =>
    readConfig({ ...testSettings, ...(days && { RETENTION_DELETED_COLLABORATORS_DAYS: days }) }).retention;
  const run = async (days: string | undefined) => {
    const { config, database } = app;
    const settings = { ...retention(days), encryption_keys: config.encryption_keys };
    await eraseDeleted(database.db, createStorage(config), settings, log)({}, helpers);
  };

  test('are erased after the configured number of days, and never by default', async () => {
    const { admin, employee, report, database } = app;
    await addDocument(app, employee.collaborator_id, { filename: 'of-tomas.pdf' });
    for (const { collaborator_id: collaboratorId } of [employee, report]) {
      await admin.delete(`/v1/collaborators/${collaboratorId}`).expect(200);
    }
    await database.query(`update collaborators set deleted_at = now() - interval '366 days' where id = $1`, [
      employee.collaborator_id,
    ]);
    await database.query(`update collaborators set deleted_at = now() - interval '364 days' where id = $1`, [
      report.collaborator_id,
    ]);
    const names = async () =>
      (
        await database.query<{ name: string }>('select name from collaborators where id = any($1) order by name', [
          [employee.collaborator_id, report.collaborator_id],
        ])
      ).map(({ name }) => name);

    await run(undefined);
    expect(await names()).toEqual(['Clara Sousa', 'Tomás Rocha']);
    await run('365');
    expect(await names()).toEqual(['Clara Sousa', 'Erased']);
    expect(await objects(app)).toEqual([]);
    expect(await database.query('select 1 from users where id = $1', [employee.user_id])).toEqual([]);
    const [{ erased_at: erasedAt } = {}] = await database.query('select erased_at from collaborators where id = $1', [
      employee.collaborator_id,
    ]);
    await run('365');
    const reread = await database.query('select erased_at from collaborators where id = $1', [
      employee.collaborator_id,
    ]);
    expect(reread).toEqual([{ erased_at: erasedAt }]);
  });

  test('of one company are erased even if another’s fail', async () => {
    const { database, company_id: companyId, outsider, report } = app;
    const stranger = randomUUID();
    await database.query(
      `insert into collaborators (company_id, id, name, email, position, department)
       values ($1, $2, 'Ida', 'ida@elsewhere.example', 'x', 'y')`,
      [outsider.company_id, stranger],
    );
    await database.query("update collaborators set deleted_at = now() - interval '366 days' where id = any($1)", [
      [stranger, report.collaborator_id],
    ]);
    const erased = async (id: string) => {
      const [row] = await database.query<{ erased_at: Date | null }>(
        'select erased_at from collaborators where id = $1',
        [id],
      );
      return row!.erased_at !== null;
    };
    // Make one company's node unreachable, then the other's, because the order varies.
    for (const [company, remaining, erasedId] of [
      [companyId, report.collaborator_id, stranger],
      [outsider.company_id, stranger, report.collaborator_id],
    ] as const) {
      await database.query('update collaborators set erased_at = null where id = any($1)', [[remaining, erasedId]]);
      await database.query(
        `alter table collaborators add constraint out_of_order
         check (erased_at is null or company_id <> '${company}') not valid`,
      );
      await expect(run('365')).rejects.toThrow('out_of_order');
      expect([await erased(remaining), await erased(erasedId)]).toEqual([false, true]);
      await database.query('alter table collaborators drop constraint out_of_order');
    }
  });

  test('are erased even if the erasure of one of their company fails, which fails the job', async () => {
    const { database, company_id: companyId } = app;
    // The oldest, who comes first on each run, is the one that fails.
    const [blocked, ...others] = [randomUUID(), randomUUID(), randomUUID()];
    for (const [at, id] of [blocked, ...others].entries()) {
      await database.query(
        `insert into collaborators (company_id, id, name, email, position, department, deleted_at)
         values ($1, $2::uuid, 'Rui', $2::uuid || '@elsewhere.example', 'x', 'y', now() - make_interval(days => $3))`,
        [companyId, id, 500 - at],
      );
    }
    const erased = async () => {
      const rows = await database.query<{ id: string }>(
        'select id from collaborators where id = any($1) and erased_at is not null order by deleted_at',
        [[blocked, ...others]],
      );
      return rows.map(({ id }) => id);
    };
    await database.query(
      `alter table collaborators add constraint blocked check (erased_at is null or id <> '${blocked}') not valid`,
    );
    await expect(run('365')).rejects.toThrow('blocked');
    expect(await erased()).toEqual(others);
    await database.query('alter table collaborators drop constraint blocked');
    await run('365');
    expect(await erased()).toEqual([blocked, ...others]);
  });

  test('can be restored for 30 days, so shorter retention is rejected', () => {
    expect(() => retention('29')).toThrow(/RETENTION_DELETED_COLLABORATORS_DAYS/);
  });
});
