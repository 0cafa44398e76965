// Fills a database with companies of very different sizes. Rows are in order of joining rather than by company: six of ten people
// join with their company, as by an import, the others one by one over the years.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { migrate } from '../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { companySizes, sum } from './company-sizes.ts';
import { dropIndexes, restoreIndexes } from './indexes.ts';
import { finalStateSteps, writeLog } from './log-rows.ts';
import { departments, firstNames, helpers, lastNames, syllables } from './values.ts';

export interface Size {
  people: number;
  companies: number;
  largest: number;
}

export interface MeasuredCompany {
  company_id: string;
  people: number;
  email: string;
  password: string;
  /** Sample from the whole company. */
  ids: string[];
  /** Words of its names, for searches. */
  names: string[];
  /** People with reports. */
  managers: string[];
  webhook_id: string;
}

export interface FilledScale {
  /** Encryption key of the service, needed to read encrypted columns. */
  encryption_key: string;
  client_id: string;
  largest: MeasuredCompany;
  small: MeasuredCompany;
}

const peoplePerStatement = 100_000;
const writers = 2;
const tables = [
  ...['collaborators', 'collaborator_history', 'events', 'deliveries', 'attempts'],
  ...['users', 'memberships', 'audit_log', 'webhooks', 'event_sequences', 'collaborator_counts'],
];

export async function fillScale(url: string, size: Size, log: (text: string) => void): Promise<FilledScale> {
  const started = performance.now();
  const at = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
  await migrate(url);
  await migrateQueue(url);
  const { client_id: clientId, admins } = await addMeasured(url);
  const sizes = companySizes(size.people, size.companies, size.largest);
  const clients = await Promise.all(Array.from({ length: writers }, () => connect(url)));
  const [client] = clients as [pg.Client];
  try {
    await client.query(helpers(new Date()));
    const dropped = await dropIndexes(client, tables);
    await addCompanies(client, sizes, [admins[0]!.company_id, admins[1]!.company_id]);
    await client.query(orderPeopleSql);
    log(`${at()}: ${sizes.length} companies`);
    await inParts(clients, sum(sizes), people);
    log(`${at()}: ${sum(sizes)} people`);
    await inParts(clients, sum(sizes), accounts);
    await inParts(clients, sum(sizes), history);
    log(`${at()}: their accounts and histories`);
    // Four events per person and year.
    await writeLog(clients, Math.round(sum(sizes) / 3), sum(sizes), { from: 30, to: 0 }, finalStateSteps);
    log(`${at()}: events of 30 days`);
    await client.query('alter table scale_people set (autovacuum_enabled = false)');
    const seconds = await restoreIndexes(client, dropped);
    const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, 3);
    log(`${at()}: indexes (${slowest.map(([name, s]) => `${name} ${s.toFixed(0)} s`).join(', ')})`);
    await client.query('vacuum (analyze, parallel 2)');
    log(`${at()}: vacuumed`);
    const [largest, small] = [await measured(client, admins[0]!), await measured(client, admins[1]!)];
    return { encryption_key: randomBytes(32).toString('base64'), client_id: clientId, largest, small };
  } finally {
    await Promise.all(clients.map((each) => each.end()));
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '2GB'; set work_mem = '256MB'`);
  return client;
}

async function addMeasured(url: string) {
  const db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 600_000 });
  const admins: { company_id: string; email: string; password: string }[] = [];
  for (const name of ['Largest', 'Small']) {
    const [email, password] = [`admin@${name.toLowerCase()}.example`, randomBytes(12).toString('hex')];
    const person = { name: 'Ada Admin', email, password, position: 'Head', department: 'Board' };
    const { company } = await createCompany(db, name, person);
    admins.push({ company_id: company.id, email, password });
  }
  const client = await createClient(db, { name: 'Bench', redirect_uris: ['http://127.0.0.1/callback'], public: true });
  await db.close();
  return { client_id: client.id, admins };
}

/** The generated companies, and the existing ones to measure. */
async function addCompanies(client: pg.Client, sizes: readonly number[], known: readonly string[]): Promise<void> {
  await client.query(
    `insert into scale_companies (number, id, size, joined_at)
     select number, case number when 1 then $2::uuid when $4 then $3::uuid else gen_random_uuid() end, size,
       now() - interval '5 years' * (0.05 + 0.95 * (hashint4(number::int) & 65535) / 65536)
     from unnest($1::integer[]) with ordinality as sizes (size, number)`,
    [sizes, ...known, sizes.length],
  );
  await client.query(
    `insert into companies (id, name, created_at) select id, 'Company ' || number, joined_at from scale_companies
     on conflict do nothing`,
  );
  await client.query(
    `insert into collaborator_counts (company_id, slot, active, pending)
     select id, 99, size - size / 10, size / 10 from scale_companies`,
  );
  await client.query(
    `insert into webhooks (company_id, id, url, events, payload_format, secrets_encrypted)
     select id, gen_random_uuid(), 'https://hooks.example/collaborators', array['*'], 'envelope', '\\x00'
     from scale_companies, generate_series(1, 2)`,
  );
}

/** In order of joining. */
const orderPeopleSql = `
  insert into scale_people (company, n)
  select number, n from scale_companies, generate_series(1, size) n order by scale_at(joined_at, size, n);
  alter table scale_people add primary key (place);
  analyze scale_people, scale_companies`;

const from = `from scale_people p join scale_companies c on c.number = p.company
  cross join lateral (select scale_at(c.joined_at, c.size, p.n) as at) joined
  where p.place > $1 and p.place <= $2`;

const words = (list: readonly string[], index: string) =>
  `(array['${list.join("','")}'])[1 + (${index}) % ${list.length}]`;
const hash = 'hashint8(place * 7919) & 2147483647';
const surname = [1, 61, 3_721].map((step) => words(syllables, `(${hash}) / ${step}`)).join(' || ');

const people = `
  insert into collaborators (company_id, id, user_id, name, email, phone, position, department, status, role, hire_date,
    salary, manager_id, location, external_id, employee_number, created_at, updated_at, status_since, accepted_at)
  select id, scale_id(at, company, n), case when n % 10 < 3 then scale_user(company, n) end,
    first || ' ' || last || ' ' || initcap(surname), lower(first || '.' || surname) || n || '@company' || company || '.example',
    '+351 ' || 900000000 + n, 'Grade ' || n % 40, ${words(departments, 'n')},
    case when n % 10 = 0 then 'pending' else 'active' end, case when n % 100 = 1 then 'manager' else 'employee' end,
    date '2015-01-01' + n % 4000, 30000 + n % 50000,
    case when n >= 10 then scale_id(scale_at(joined_at, size, n / 10), company, n / 10) end, 'Site ' || n % 200,
    case when company % 2 = 0 then 'hr-' || n end, case when company % 3 = 0 then lpad(n::text, 6, '0') end, at,
    least(now(), at + interval '1 day' * (n % 700)), at, case when n % 10 < 3 then at end
  from (select p.place, p.company, p.n, c.id, c.joined_at, c.size, at, ${words(firstNames, hash)} as first,
      ${words(lastNames, `(${hash}) / 20`)} as last, ${surname} as surname ${from} order by p.place) rows`;

const accounts = `
  with own as (
    select scale_user(p.company, p.n) as user_id, c.id as company_id, scale_id(at, p.company, p.n) as collaborator_id, p.n, p.company
    ${from} and p.n % 10 < 3
  ), added as (
    insert into users (id, email, name, password_hash)
    select user_id, 'user' || n || '@company' || company || '.example', 'Ana Silva',
      '$argon2id$v=19$m=19456,t=2,p=1$' || md5(n::text) || '$' || md5(user_id::text) || '01234567890' from own
  )
  insert into memberships (user_id, company_id, collaborator_id) select user_id, company_id, collaborator_id from own`;

/** One entry per person, and a later change for a third of them. */
const history = `
  insert into collaborator_history (company_id, id, collaborator_id, action, description, changes, user_id, timestamp)
  select id, uuidv7(moment - now()), scale_id(at, company, n), case k when 1 then 'created' else 'updated' end,
    case k when 1 then 'Collaborator created' else 'Collaborator updated' end,
    jsonb_build_array(jsonb_build_object('field', 'position', 'from', 'Grade 7', 'to', 'Grade ' || n % 40)),
    scale_user(company, 1), moment
  from (select p.place, p.company, p.n, c.id, at, k, at + interval '40 days' * (k - 1) as moment
    ${from.replace('where', `cross join lateral generate_series(1, case when p.n % 3 = 0 then 2 else 1 end) k where`)}
    order by p.place) rows`;

async function inParts(clients: readonly pg.Client[], count: number, statement: string): Promise<void> {
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (next < count) {
        const first = next;
        next += peoplePerStatement;
        await client.query(statement, [first, first + peoplePerStatement]);
      }
    }),
  );
}

async function measured(
  client: pg.Client,
  admin: Pick<MeasuredCompany, 'company_id' | 'email' | 'password'>,
): Promise<MeasuredCompany> {
  const { company_id: companyId } = admin;
  const values = async (query: string): Promise<string[]> =>
    (await client.query<{ value: string }>(query, [companyId])).rows.map(({ value }) => value);
  const [people] = await values('select count(*)::text as value from collaborators where company_id = $1');
  const [webhookId] = await values('select id as value from webhooks where company_id = $1 order by id limit 1');
  const some = `from collaborators where company_id = $1 and status = 'active' order by hashtext(id::text) limit 300`;
  return {
    ...admin,
    people: Number(people),
    webhook_id: webhookId!,
    ids: await values(`select id as value ${some}`),
    names: await values(`select name as value ${some}`),
    managers: await values(
      `select manager_id as value from collaborators where company_id = $1 and manager_id is not null
       group by manager_id order by manager_id limit 100`,
    ),
  };
}
