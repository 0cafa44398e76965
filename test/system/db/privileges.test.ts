/** Database privileges of the application, for any login. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { recordAudit } from '../../../src/platform/audit/entry.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Database, openDatabase } from '../../../src/platform/db/client.ts';
import { migrate } from '../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { grantPrivileges } from '../../../src/platform/schema/privileges.ts';
import { refreshStatistics } from '../../../src/platform/schema/statistics.ts';
import { removeOldAudit } from '../../../src/product/audit/remove-old-audit.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type Service, startService } from '../../../src/service.ts';
import { eventually } from '../../helpers/eventually.ts';
import { testSettings } from '../../helpers/settings.ts';

const password = 'a kite above the harbour';
const admin = { name: 'Ana', email: 'ana@example.com', position: 'x', department: 'y', password };
const changes = [
  "update audit_log set action = 'nothing'",
  'delete from audit_log',
  'truncate audit_log',
  'truncate companies cascade',
];

let server: pg.Client;
const cleanups: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = new pg.Client(process.env.TEST_POSTGRES_URL);
  await server.connect();
});
afterEach(async () => {
  for (const undo of cleanups.splice(0).reverse()) await undo();
});
afterAll(() => server.end());

function urlOf(database: string, login?: string): string {
  const url = new URL(process.env.TEST_POSTGRES_URL!);
  url.pathname = `/${database}`;
  if (login) [url.username, url.password] = [login, login];
  return url.href;
}

async function newLogin(kind: string): Promise<string> {
  const name = `${kind}_${randomBytes(4).toString('hex')}`;
  await server.query(`create role ${name} login password '${name}'`);
  cleanups.push(() => server.query(`drop role ${name}`));
  return name;
}

async function newDatabase(owner?: string): Promise<string> {
  const name = `rights_${randomBytes(4).toString('hex')}`;
  await server.query(`create database ${name} ${owner ? `owner ${owner}` : ''}`);
  cleanups.push(() => server.query(`drop database ${name} with (force)`));
  return name;
}

/** Starts a service with both roles, and a client with the privileges of its connections. */
async function started(database: { DATABASE_URL: string; DATABASE_OWNER_URL?: string }) {
  const folder = await mkdtemp(join(tmpdir(), 'privileges-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const config = readConfig({ ...testSettings, ...database, PORT: '0', DATA_DIR: folder });
  const service = await startService(config);
  cleanups.push(() => service.stop());
  const url = await grantPrivileges(database.DATABASE_OWNER_URL ?? database.DATABASE_URL, database.DATABASE_URL);
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  cleanups.push(() => client.end());
  return { service, client };
}

/** Expects everything to work, including jobs, and the audit log to allow only inserts and reads. */
async function expectAppendOnly({ service, client }: { service: Service; client: pg.Client }): Promise<void> {
  const { company } = await createCompany(service.db, 'Verde', admin);
  expect((await fetch(`${service.base_url}/readyz`)).status).toBe(200);
  await client.query(`select graphile_worker.add_job('removeOldAudit', '{}'::json)`);
  await eventually(async () => {
    const { rows } = await client.query('select id from graphile_worker.jobs');
    expect(rows).toEqual([]);
  });
  const before = await client.query('select * from audit_log order by id');
  expect(before.rows).toHaveLength(2);
  for (const change of changes) await expect(client.query(change)).rejects.toThrow(/permission denied|must be owner/);
  await expect(removeOldAudit(service.db.tenant(company.id), 89)).rejects.toThrow(/90 days/);
  expect(await removeOldAudit(service.db.tenant(company.id), 90)).toBe(0);
  expect((await client.query('select * from audit_log order by id')).rows).toEqual(before.rows);
}

/** An owner could drop the table, or grant itself the privileges; nobody else can. */
async function expectNotOwner(client: pg.Client): Promise<void> {
  await expect(client.query('drop table audit_log')).rejects.toThrow(/must be owner/);
  await client.query('grant update, delete, truncate on audit_log to current_user'); // only a warning: nothing is granted
  for (const change of changes) await expect(client.query(change)).rejects.toThrow(/permission denied/);
}

describe('the audit log is append-only', () => {
  test('for a superuser, the login of the embedded Postgres, which switches roles', async () => {
    const { service, client } = await started({ DATABASE_URL: urlOf(await newDatabase()) });
    await expectAppendOnly({ service, client });
    expect((await client.query('select current_user as name')).rows).toEqual([{ name: 'collaborator_api_app' }]);
    await expectNotOwner(client);
  });

  test('for the owner of the tables, who isn’t a superuser', async () => {
    const owner = await newLogin('owner');
    const name = await newDatabase(owner);
    await expectAppendOnly(await started({ DATABASE_URL: urlOf(name, owner) }));
  });

  test('for a separate login in addition to the owner', async () => {
    const owner = await newLogin('owner');
    const login = await newLogin('login');
    const name = await newDatabase(owner);
    const urls = { DATABASE_URL: urlOf(name, login), DATABASE_OWNER_URL: urlOf(name, owner) };
    const running = await started(urls);
    await expectAppendOnly(running);
    await expectNotOwner(running.client);
    await expect(started({ DATABASE_URL: urls.DATABASE_URL })).rejects.toThrow(
      /the tables belong to owner_\w+, not to login_/,
    );
  });

  test('and rejects a login that could change it anyway', async () => {
    const owner = await newLogin('owner');
    const login = await newLogin('login');
    const name = await newDatabase(owner);
    await server.query(`grant ${owner} to ${login}`);
    await expect(started({ DATABASE_URL: urlOf(name, login), DATABASE_OWNER_URL: urlOf(name, owner) })).rejects.toThrow(
      /could change the audit log/,
    );
  });
});

test('many processes start concurrently on two databases of one server', async () => {
  const urls = [urlOf(await newDatabase()), urlOf(await newDatabase())];
  const granted = await Promise.all(
    [...urls, ...urls, ...urls].map(async (url) => {
      await migrate(url);
      await migrateQueue(url);
      return grantPrivileges(url, url);
    }),
  );
  expect(new Set(granted).size).toBe(2);
});

describe('old entries', () => {
  let db: Database;
  let old: pg.Client;
  let companyId: string;

  async function opened(login: string): Promise<void> {
    const name = await newDatabase(login);
    const url = urlOf(name, login);
    await migrate(url);
    const acting = await grantPrivileges(url, url);
    db = openDatabase({ url: acting, poolSize: 2, connectTimeoutMs: 30_000, statementTimeoutMs: 60_000 });
    cleanups.push(() => db.close());
    old = new pg.Client(urlOf(name));
    await old.connect();
    cleanups.push(() => old.end());
    companyId = (await createCompany(db, 'Verde', admin)).company.id;
    await createCompany(db, 'Nordwind', { ...admin, email: 'other@example.com' });
    await addAged(companyId, [89, 91, 399, 401, 500]);
  }

  async function addAged(id: string, days: number[]): Promise<void> {
    await old.query(
      `insert into audit_log (company_id, id, at, action, actor_type, outcome)
       select $1, (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000' ||
         lpad(to_hex(age), 12, '0'))::uuid, at, age::text, 'operator', 'succeeded'
       from unnest($2::integer[]) as age, lateral (select now() - make_interval(days => age)) as moment (at)`,
      [id, days],
    );
  }

  const ages = async () => {
    const { rows } = await old.query<{ action: string }>(
      "select action from audit_log where company_id = $1 and action ~ '^[0-9]+$' order by action",
      [companyId],
    );
    return rows.map(({ action }) => action);
  };

  test('are removed by age, within one company, although the owner may not delete', async () => {
    await opened(await newLogin('owner'));
    // Can't be faked by an entry that claims to be old.
    await old.query("update audit_log set at = now() where action = '500'");
    const tenant = db.tenant(companyId);
    expect(await removeOldAudit(tenant, 400)).toBe(1);
    expect(await ages()).toEqual(['399', '500', '89', '91']);
    for (const days of [89, 0, -1]) await expect(removeOldAudit(tenant, days)).rejects.toThrow(/90 days/);
    expect(await Promise.all([removeOldAudit(tenant, 90), removeOldAudit(tenant, 90)])).toEqual(
      expect.arrayContaining([2, 0]),
    );
    expect(await ages()).toEqual(['500', '89']);
    await tenant.transaction(async (tx) => recordAudit(tx, { action: 'still', actor: { type: 'operator' } }));
  });
});

test('the application role can refresh statistics', async () => {
  const url = urlOf(await newDatabase());
  await migrate(url);
  const acting = await grantPrivileges(url, url);
  const pool = new pg.Pool({ connectionString: acting, max: 1 });
  pool.on('error', () => {}); // pool.end() doesn't wait for its connections, and the database is dropped
  cleanups.push(() => pool.end());
  const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
  const owner = new pg.Client(url);
  await owner.connect();
  await owner.query('alter table events set (autovacuum_enabled = false)'); // else Postgres might be first
  await owner.end();
  await pool.query("insert into companies (id, name) values ($1, 'x')", [companyId]);
  await pool.query(
    `insert into events (company_id, id, name, event_type)
     select $1, gen_random_uuid(), 'x', 'x' from generate_series(1, 3000)`,
    [companyId],
  );
  await pool.query('select pg_stat_force_next_flush()');
  expect(await refreshStatistics(pool)).toEqual(['events']);
  const { rows } = await pool.query("select reltuples from pg_class where relname = 'events'");
  expect(rows).toEqual([{ reltuples: 3000 }]);
});
