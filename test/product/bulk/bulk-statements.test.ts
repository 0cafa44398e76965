/** The number of statements of a bulk request doesn't depend on the number of items. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createFileLinks } from '../../../src/platform/files/links.ts';
import { bulk } from '../../../src/product/bulk/bulk.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
let founded: Awaited<ReturnType<typeof createCompany>>;
beforeAll(async () => {
  database = await testDatabase(2); // used by nobody else
  const founder = { name: 'Fay Founder', email: 'fay@example.com', position: 'Head', department: 'Office' };
  founded = await createCompany(database.db, 'Counted', { ...founder, password: 'correct horse battery staple' });
});
afterAll(() => database.drop());

const noLinks = createFileLinks({ fileKeys: [randomBytes(32)] }, 'https://api.example');

const send = (body: object) =>
  bulk(
    database.db.tenant(founded.company.id),
    {
      caller: { user_id: founded.admin.user_id, scopes: ['salary:read'] },
      member: { collaborator_id: founded.admin.collaborator_id, role: 'admin' },
      files: { links: noLinks },
    },
    body as never,
    'en',
    async () => {},
  );

let run = 0;

/** Statements of bulk requests with this many items: create, update every field, and upsert by email. */
async function counted(size: number): Promise<number[]> {
  run += 1;
  const people = Array.from({ length: size }, (_, n) => ({
    name: 'Sam Statement',
    email: `s${n}.${run}@example.com`,
    position: 'Clerk',
    department: 'Office',
    manager_id: founded.admin.collaborator_id,
  }));
  let ids: (string | null)[] = [];
  const create = await statements(async () => {
    ids = (await send({ mode: 'create', items: people })).results.map(({ id }) => id);
  });
  const changes = ids.map((id, n) => ({
    id,
    email: n + 1 < size ? `S${n + 1}.${run}@example.com` : `last.${run}@example.com`,
    manager_id: ids[n - 1] ?? null,
    status: n % 2 ? 'active' : 'inactive',
  }));
  const succeeded: number[] = [];
  const update = await statements(async () => {
    succeeded.push((await send({ mode: 'update', items: changes.reverse() })).summary.succeeded);
  });
  const items = people.map((each) => ({ ...each, phone: '+1 2' }));
  const upsert = await statements(async () => {
    succeeded.push((await send({ mode: 'upsert', items })).summary.succeeded);
  });
  expect(succeeded).toEqual([size, size]);
  return [create, update, upsert];
}

test('takes as many statements for 1,000 items as for 20', async () => {
  const [few, many] = [await counted(20), await counted(1_000)];
  expect(many).toEqual(few);
  expect(Math.max(...many)).toBeLessThan(35);
});

/** Counts statements, except later notifications, those of a new connection, and the check for lost cluster nodes. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  let sent = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (!/pg_notify|set_config\(name,|run_command_on_workers/.test(JSON.stringify(args[0]))) sent += 1;
    return original.apply(this, args);
  } as never;
  try {
    await work();
    return sent;
  } finally {
    pg.Client.prototype.query = original as never;
  }
}
