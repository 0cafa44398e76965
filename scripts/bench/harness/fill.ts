// Fills a database with companies and collaborators for benchmarks: realistic names, departments, managers, and dates.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { openDatabase } from '../../../src/platform/db/client.ts';
import { migrate } from '../../../src/platform/schema/migrate.ts';
import { migrateQueue } from '../../../src/platform/schema/migrate-queue.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';

export interface BenchData {
  /** The largest company, with a fifth of all collaborators. */
  company_id: string;
  /** Sample of ids from that company. */
  ids: string[];
  client_id: string;
  email: string;
  password: string;
}

const first =
  'Ana João Maria Rui Inês Tomás Clara Nuno Rita Paulo Sofia Miguel Beatriz Diogo Marta Pedro Lara Hugo Eva Ivo';
const last =
  'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Jesus Sousa Fernandes Gomes Lopes Marques Alves';
export const departments = 'Fleet Finance Operations Sales Support People Legal Quality Research Warehouse'.split(' ');
/** Number of locations, named `Site 0` and so on. */
export const sites = 200;

/**
 * @param url of an empty database
 * @param collaborators total; the first company gets a fifth, the others share the rest
 * @param salaries whether people have a salary; reading someone's salary adds an audit log entry
 * @param teams whether person n reports to person n / 10; otherwise there are no reporting lines
 */
export async function fill(
  url: string,
  collaborators: number,
  companies: number,
  { salaries = true, teams = false } = {},
): Promise<BenchData> {
  await migrate(url);
  await migrateQueue(url);
  const db = openDatabase({ url, poolSize: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 600_000 });
  const [email, password] = ['admin@example.com', randomBytes(12).toString('hex')];
  const person = { name: 'Ada Admin', email, password, position: 'Head', department: 'Board' };
  const { company } = await createCompany(db, 'Largest', person);
  const client = await createClient(db, { name: 'Bench', redirect_uris: ['http://127.0.0.1/callback'], public: true });
  await db.close();

  const direct = new pg.Client(url);
  await direct.connect();
  const others = await direct.query(
    "insert into companies (id, name) select gen_random_uuid(), 'Company ' || n from generate_series(2, $1::int) n returning id",
    [companies],
  );
  const large = Math.floor(collaborators / 5);
  await addPeople(direct, company.id, large, salaries, teams);
  for (const { id } of others.rows)
    await addPeople(direct, id, Math.floor((collaborators - large) / (companies - 1)), salaries, teams);
  await direct.query('vacuum analyze');
  const { rows } = await direct.query(
    'select id from collaborators where company_id = $1 order by hashtext(id::text) limit 500',
    [company.id],
  );
  await direct.end();
  return { company_id: company.id, ids: rows.map(({ id }) => id), client_id: client.id, email, password };
}

/** SQL expression for the id of a company's n-th person. */
export function personId(companyId: string, n: string): string {
  return `md5(${companyId} || ':' || ${n})::uuid`;
}

async function addPeople(
  client: pg.Client,
  companyId: string,
  count: number,
  salaries: boolean,
  teams: boolean,
): Promise<void> {
  await client.query(
    `with words as (
       select string_to_array($3, ' ') as first, string_to_array($4, ' ') as last, $5::text[] as departments
     )
     insert into collaborators (company_id, id, name, email, position, department, location, status, hire_date, salary,
       manager_id, created_at, updated_at)
     select $1::uuid, ${personId('$1::text', 'n')},
       first[1 + n % array_length(first, 1)] || ' ' || last[1 + n / 20 % array_length(last, 1)] || ' '
         || initcap(translate(left(md5(n::text), 10), '0123456789', 'ghijklmnop')),
       'person' || n || '@example.com', 'Grade ' || n % 40, departments[1 + n % array_length(departments, 1)],
       'Site ' || n % ${sites}, case when n % 10 = 0 then 'pending' else 'active' end, date '2015-01-01' + n % 4000,
       case when $6 then 30000 + n % 50000 end, case when $7 and n >= 10 then ${personId('$1::text', 'n / 10')} end,
       now() - make_interval(secs => $2::int - n), now() - make_interval(secs => $2::int - n)
     from generate_series(1, $2::int) n, words`,
    [companyId, count, first, last, departments, salaries, teams],
  );
  await client.query(
    `insert into collaborator_counts (company_id, slot, active, pending)
     values ($1, 99, $2::int - $2::int / 10, $2::int / 10)`,
    [companyId, count],
  );
}
