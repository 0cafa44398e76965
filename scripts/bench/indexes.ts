// Benchmarks what indexes of the table of people cost when people are added: time and log per row, with all indexes, and without
// the given ones or with others in their place. [INDEXES=name,name] [INSTEAD='create index …'] [PEOPLE=50000] [ROUNDS=15]
import pg from 'pg';
import { startBenchDatabase } from './harness/database.ts';
import { formatMedian, markdownTable } from './harness/figures.ts';
import { departments, fill, sites } from './harness/fill.ts';
import { orderOf } from './harness/order.ts';

const indexes = (process.env.INDEXES || 'collaborators_filter_department,collaborators_filter_location').split(',');
const { INSTEAD: replacement } = process.env;
const people = Number(process.env.PEOPLE || 50_000);
const rounds = Number(process.env.ROUNDS || 15);
/** Rows per transaction and round: enough for its commit not to matter. */
const rowsPerRound = 1_000;

interface Table {
  client: pg.Client;
  company_id: string;
  /** Microseconds per row, and bytes of log per row, of each round. */
  us: number[];
  log: number[];
}

/** Without whole pages in the log and vacuum in the background, which depend on when they happen. */
const settings = { full_page_writes: 'off', autovacuum: 'off' };

const databases = [await startBenchDatabase(settings), await startBenchDatabase(settings)];
try {
  const [all, other] = [await prepared(databases[0]!.url), await prepared(databases[1]!.url)];
  for (const index of indexes) await other.client.query(`drop index ${pg.escapeIdentifier(index)}`);
  if (replacement) await other.client.query(replacement);
  for (let round = -1; round < rounds; round++)
    for (const table of orderOf([all, other], round + 1)) await addRows(table, round);
  const named = `${replacement ? 'others instead of' : 'without'} ${indexes.join(', ')}`;
  const row = (name: string, { us, log }: Table) => [name, formatMedian(us), formatMedian(log)];
  const ratios = (ofAll: number[], ofOther: number[]) => ofAll.map((value, round) => value / ofOther[round]!);
  console.log(`${people} people, ${rounds} rounds of ${rowsPerRound} rows, Node ${process.version}\n`);
  console.log(
    markdownTable(
      ['indexes', 'µs per row', 'bytes of log per row'],
      [
        row('all', all),
        row(named, other),
        ['ratio', ...[ratios(all.us, other.us), ratios(all.log, other.log)].map((r) => formatMedian(r, 2))],
      ],
    ),
  );
  for (const { client } of [all, other]) await client.end();
} finally {
  for (const database of databases) await database.end();
}

async function prepared(url: string): Promise<Table> {
  const { company_id: companyId } = await fill(url, people, 2);
  const client = new pg.Client(url);
  await client.connect();
  return { client, company_id: companyId, us: [], log: [] };
}

async function addRows({ client, company_id: companyId, us, log }: Table, round: number): Promise<void> {
  const before = await logPosition(client);
  const startedMs = performance.now();
  await client.query('begin');
  for (let n = 0; n < rowsPerRound; n++) {
    const serial = (round + 1) * rowsPerRound + n;
    await client.query({
      name: 'add',
      text: `insert into collaborators (company_id, id, name, email, position, department, location, status, hire_date)
        values ($1, gen_random_uuid(), $2, $3, 'Driver', $4, $5, 'active', date '2020-01-01' + $6::int)`,
      values: [
        companyId,
        `Person ${serial}`,
        `new-${serial}@example.com`,
        departments[serial % departments.length],
        `Site ${serial % sites}`,
        serial % 2_000,
      ],
    });
  }
  await client.query('commit');
  if (round < 0) return; // warm-up
  us.push(((performance.now() - startedMs) * 1_000) / rowsPerRound);
  log.push(((await logPosition(client)) - before) / rowsPerRound);
}

/** Bytes of write-ahead log that the database has written so far. */
async function logPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes");
  return Number(rows[0].bytes);
}
