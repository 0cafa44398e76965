/**
 * Constraints of a distributed database, checked in the Postgres log while two companies work: each statement and
 * transaction touches one company, and none mixes company tables with those on the coordinator.
 */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSync } from 'libpg-query';
import { type EmbeddedPostgres, startEmbedded } from '../../../src/platform/embedded/embedded.ts';
import { distributedTableNames, replicatedTables } from '../../../src/platform/schema/distribute.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { prepareDatabase } from '../../../src/platform/schema/prepare.ts';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import { openTestDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { localWebhooks } from '../../helpers/resources/deliveries.ts';
import { upload } from '../../helpers/resources/documents.ts';
import { people, startImport, waitForImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

let folder: string;
let postgres: EmbeddedPostgres;
let app: TestApp;
let worker: TestWorker;
let there: Receiver;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'statements-'));
  await mkdir(join(folder, 'log'), { mode: 0o777 });
  postgres = await startEmbedded(folder, {
    fsync: 'off',
    log_statement: 'all',
    logging_collector: 'on',
    log_destination: 'jsonlog',
    log_rotation_size: '0',
  });
  await prepareDatabase({ url: postgres.url, pooled: false, statementTimeoutMs: 15_000 }, migrateQueue);
  app = await testApp(
    localWebhooks,
    openTestDatabase(postgres.url, 10, async () => {}),
  );
  worker = await testWorker(app);
  there = await receiver();
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await there.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Statement {
  sql: string;
  application: string;
  transaction: string;
  /** Companies named by its parameters. */
  companies: string[];
  tables: { name: string; schema: string | undefined }[];
  /** Schemas of the functions that it calls. */
  schemas: string[];
}

/** A day's work of a company. */
async function work(client: TestClient, colleague: string): Promise<void> {
  const hook = { url: there.url, events: ['*'] };
  await client.post('/v1/webhooks', hook).expect(201);
  const one = { name: 'Ola One', email: 'ola@example.com', position: 'Clerk', department: 'Office' };
  const { id } = (await client.post('/v1/collaborators', one).set('Idempotency-Key', 'one').expect(201)).body;
  await client.patch(`/v1/collaborators/${id}`, { position: 'Head', manager_id: colleague }).expect(200);
  await client.post(`/v1/collaborators/${id}/send-invitation`).expect(200);
  await upload(client, id).expect(201);
  await client.get('/v1/collaborators?search=ola&per_page=5').expect(200);
  await client.get(`/v1/collaborators/${id}/history`).expect(200);
  await client.get('/auth/user').expect(200);
  const items = [1, 2, 3].map((n) => ({ ...one, email: `bulk${n}@example.com` }));
  await client.post('/v1/collaborators/bulk', { mode: 'create', items }).expect(200);
  await client.get('/v1/collaborators/export/list?format=csv').expect(200);
  const { status } = await waitForImport(client, await startImport(client, { file: people([1, 2, 3, 4]) }));
  expect(status).toBe('completed');
  await client.delete(`/v1/collaborators/${id}`).expect(200);
}

test('every statement and transaction stays within one company', async () => {
  await Promise.all([work(app.admin, app.manager.collaborator_id), work(app.outsider, app.outsider.collaborator_id)]);
  await eventually(() => expect(there.requests.length).toBeGreaterThan(10));
  const ownStatements = (await logged()).filter(({ application }) => application !== '');
  const inTables = (statement: Statement) =>
    statement.tables.filter(({ name }) => distributedTableNames.includes(name));
  const ofCompanies = ownStatements.filter((statement) => inTables(statement).length > 0);
  expect(new Set(ofCompanies.flatMap((statement) => inTables(statement).map(({ name }) => name))).size).toBeGreaterThan(
    12,
  );

  const across = ofCompanies.filter(({ companies }) => companies.length !== 1);
  expect(across.filter(({ companies }) => companies.length > 1)).toEqual([]);
  // Upkeep reads ids across companies, and changes nothing.
  for (const { sql, application } of across) {
    expect(application).toMatch(/^collaborator-api-upkeep:[0-9a-f]{16}:/);
    expect(sql).toMatch(/^select /);
    expect(sql).not.toMatch(/for (update|share)/);
  }

  const companies = new Map<string, Set<string>>();
  for (const statement of ofCompanies) {
    const touched = companies.get(statement.transaction) ?? new Set();
    companies.set(statement.transaction, touched);
    for (const company of statement.companies) touched.add(company);
  }
  expect(Math.max(...[...companies.values()].map(({ size }) => size))).toBe(1);

  const known = [...distributedTableNames, ...replicatedTables];
  const mixed = ofCompanies.filter(
    ({ tables, schemas }) =>
      tables.some(({ name, schema }) => schema === 'graphile_worker' || !known.includes(name)) ||
      schemas.includes('graphile_worker'),
  );
  expect(mixed.map(({ sql }) => sql)).toEqual([]);
});

/** The logged statements with their application name. */
async function logged(): Promise<Statement[]> {
  const ids = [app.company_id, app.outsider.company_id];
  const data = join(folder, 'data', 'log');
  const files = (await readdir(data)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((name) => readFile(join(data, name), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line));
  return lines.flatMap(({ message, detail = '', application_name: applicationName, session_id: sessionId, vxid }) => {
    const [, sql] = /^(?:statement|execute [^:]+): ([\s\S]*)$/.exec(message) ?? [];
    if (!sql) return [];
    const { tables, queries, schemas } = namesIn(parseSync(sql));
    return {
      sql,
      application: String(applicationName ?? '').startsWith('collaborator-api') ? applicationName : '',
      transaction: `${sessionId} ${vxid}`,
      companies: ids.filter((id) => `${detail}${sql}`.includes(id)),
      tables: tables.filter(({ name, schema }) => schema || !queries.includes(name)),
      schemas,
    };
  });
}

/** Every table, CTE, and function schema named anywhere in a statement. */
function namesIn(tree: unknown) {
  const found = { tables: [] as Statement['tables'], queries: [] as string[], schemas: [] as string[] };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (value?.relname) found.tables.push({ name: value.relname, schema: value.schemaname });
      if (value?.ctename) found.queries.push(value.ctename);
      if (key === 'funcname' && value.length > 1) found.schemas.push(value[0].String.sval);
      visit(value);
    }
  };
  visit(tree);
  return found;
}
