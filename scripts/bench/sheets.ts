// Benchmarks imports and exports of 100,000 people with 15 columns, compared with the minimum: parsing the file and a COPY of its
// rows, and writing the same rows. Also measures memory, the delay of concurrent requests, and our reader and writer against
// other libraries. All runs alternate.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { ownPostgres } from '../run/own-postgres.ts';
import { formatMedian } from './harness/figures.ts';
import { stopServers } from './harness/servers.ts';
import { type Bench, type Costs, exported, imported, prepare, watched } from './sheet-service.ts';

const [rows = 100_000, rounds = 3] = process.argv.slice(2).map(Number);
const exportsPerRound = 3;

const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-bench-'));
await chmod(folder, 0o755); // the database server reads files in it
const postgres = await ownPostgres(join(folder, 'postgres'), { shared_buffers: '1GB', max_wal_size: '4GB' });
try {
  await libraries();
  await service(postgres.url);
} finally {
  stopServers();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Readers and writers only, each in its own process. */
async function libraries(): Promise<void> {
  const file = (name: string) => join(folder, name);
  const workloads = [
    ['write-xlsx', file('people.xlsx')],
    ['write-xlsx, package xlsx', file('other.xlsx')],
    ['write-xlsx, package write-excel-file', file('other.xlsx')],
    ['write-csv', file('people.csv')],
    ['read', file('people.xlsx')],
    ['read, package xlsx', file('people.xlsx')],
    ['read', file('people.csv')],
    ['read, package xlsx', file('people.csv')],
  ] as const;
  const figures = workloads.map(() => ({ seconds: [] as number[], peak_mb: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [at, [work, path]] of workloads.entries()) {
      const { seconds, peak_mb: peakMb } = await alone(work, path);
      figures[at]!.seconds.push(seconds);
      figures[at]!.peak_mb.push(peakMb);
    }
  }
  console.log(`${rows} rows × 15 columns, ${rounds} rounds, median (min–max); Node ${process.version}\n`);
  console.log('| alone, in a process of its own | seconds | peak memory, MB |\n| --- | --- | --- |');
  for (const [at, [work, path]] of workloads.entries()) {
    const { seconds, peak_mb: peakMb } = figures[at]!;
    console.log(`| ${work}: ${path.split('.').at(-1)} | ${formatMedian(seconds, 2)} | ${formatMedian(peakMb)} |`);
  }
  const sizes = await Promise.all(['people.xlsx', 'people.csv'].map(async (name) => (await stat(file(name))).size));
  console.log(`\nsizes: ${sizes.map((size) => `${(size / 1024 / 1024).toFixed(1)} MB`).join(' and ')}\n`);
}

async function alone(work: string, file: string): Promise<{ seconds: number; peak_mb: number }> {
  const args = ['scripts/bench/peers/sheet-work.ts', work, String(rows), file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { ms, peak_mb: peakMb } = JSON.parse(await text(child.stdout));
  return { seconds: ms / 1_000, peak_mb: peakMb };
}

/** End to end, with API and worker as deployed. Each import starts with a new database, like the COPY with new tables. */
async function service(url: string): Promise<void> {
  const figures = {
    xlsx: newFigures(),
    csv: newFigures(),
    export: newFigures(),
    copyAll: [] as number[],
  };
  for (let round = 0; round < rounds; round++) {
    for (const format of ['xlsx', 'csv'] as const) {
      const file = join(folder, `people.${format}`);
      const name = `${format}_${round}`;
      const bench = await prepare(await newDatabase(url, name), join(folder, name)); // storage belongs to one database
      const { company_id: companyId } = bench;
      const { seconds: read } = await alone('read', file);
      const { seconds, ...costs } = await watched(bench, () => imported(bench, file, rows));
      const copy = await copied(bench, companyId, ['collaborators']);
      add(figures[format], seconds, read + copy, costs);
      if (format === 'xlsx') {
        figures.copyAll.push(await copied(bench, companyId, ['collaborators', 'collaborator_history', 'events']));
        // Finish the database's maintenance after the import, so that it doesn't count for the export.
        for (const upkeep of ['vacuum analyze', 'checkpoint']) await bench.direct.query(upkeep);
        for (let time = 0; time < exportsPerRound; time++) {
          await bench.freshWorker();
          const raw = await alone('write-xlsx, all columns', join(folder, 'other.xlsx')); // an export has more than 15
          const exportResult = await watched(bench, () => exported(bench, rows));
          add(figures.export, exportResult.seconds, raw.seconds, exportResult);
        }
      }
      await bench.close();
    }
  }
  console.log(
    '| the service | seconds | the least, seconds | ratio | API above idle, MB | worker above idle, MB | event-loop delay of the API, p99, ms |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  report('import xlsx; read + COPY of the people', figures.xlsx);
  report('import csv; read + COPY of the people', figures.csv);
  report('export xlsx; writing the same rows and columns', figures.export);
  console.log(`\nCOPY of all that an import writes (people, history, events): ${formatMedian(figures.copyAll, 2)} s`);
}

async function newDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/**
 * Dumps a company's rows to files, and loads them with COPY into new tables with the same columns, checks, and indexes.
 * @returns duration of the COPY in seconds
 */
async function copied({ direct }: Bench, companyId: string, tables: string[]): Promise<number> {
  let ms = 0;
  for (const table of tables) {
    const { rows: columns } = await direct.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    );
    const list = columns.map(({ name }) => name).join(', ');
    const file = `'${join(folder, 'postgres', 'rows.copy')}'`;
    await direct.query(`copy (select ${list} from ${table} where company_id = '${companyId}') to ${file}`);
    await direct.query(`create table copied (like ${table} including all)`);
    const started = performance.now();
    await direct.query(`copy copied (${list}) from ${file}`);
    ms += performance.now() - started;
    await direct.query('drop table copied');
  }
  return ms / 1_000;
}

interface Figures {
  seconds: number[];
  least: number[];
  costs: Costs[];
}

function newFigures(): Figures {
  return { seconds: [], least: [], costs: [] };
}

function add({ seconds, least, costs }: Figures, durationS: number, atLeast: number, cost: Costs): void {
  seconds.push(durationS);
  least.push(atLeast);
  costs.push(cost);
}

function report(name: string, { seconds, least, costs }: Figures): void {
  const ratios = seconds.map((durationS, round) => durationS / least[round]!);
  const cost = (key: keyof Costs) => formatMedian(costs.map((each) => each[key]));
  const cells = [
    formatMedian(seconds, 1),
    formatMedian(least, 1),
    formatMedian(ratios, 2),
    cost('api_mb'),
    cost('worker_mb'),
    cost('p99_ms'),
  ];
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
