// The slowest statements from pg_stat_statements, with their plans from auto_explain, for the real parameter values.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { markdownTable } from '../harness/figures.ts';
import { whole } from './disk.ts';

const maxStatements = 10;

interface Statement {
  query: string;
  calls: number;
  mean_ms: number;
  max_ms: number;
  pages: number;
}

export async function resetStatements(client: pg.Client): Promise<void> {
  await client.query('create extension if not exists pg_stat_statements');
  await client.query('select pg_stat_statements_reset()');
}

/** @param folder of the server, whose log has the plans */
export async function slowReport(client: pg.Client, folder: string): Promise<string> {
  const { rows } = await client.query<Statement>(
    `select query, sum(calls)::float8 as calls, sum(total_exec_time) / sum(calls) as mean_ms, max(max_exec_time) as max_ms,
       sum(shared_blks_hit + shared_blks_read) / sum(calls)::float8 as pages
     from pg_stat_statements join pg_database d on d.oid = dbid
     where d.datname = current_database() and query !~* '(pg_stat|scale_|^ *(vacuum|analyze|create|alter|explain|set|begin|commit))'
     group by query having sum(calls) >= 20 order by 3 desc limit ${maxStatements}`,
  );
  const lines = rows.map(({ query, calls, mean_ms: meanMs, max_ms: maxMs, pages }, i) => {
    const text = truncated(query, 110).replaceAll('|', '\\|');
    return [String(i + 1), `\`${text}\``, whole(calls), meanMs.toFixed(2), maxMs.toFixed(1), whole(pages)];
  });
  const plans = await plansIn(join(folder, 'postgres.log'));
  const found = rows.map(
    ({ query }, i) => `${i + 1}.\n\n\`\`\`\n${planOf(plans, query) ?? 'no plan in the log'}\n\`\`\``,
  );
  const table = markdownTable(['', 'statement', 'calls', 'mean, ms', 'most, ms', 'pages each'], lines);
  return `${table}\n\n${found.join('\n\n')}`;
}

interface Plan {
  ms: number;
  statement: string;
  text: string;
}

async function plansIn(path: string): Promise<Plan[]> {
  const log = await readFile(path, 'utf8');
  const entries = log.matchAll(
    /duration: ([\d.]+) ms {2}plan:\n\tQuery Text: ([\s\S]*?)\n(\t[A-Z][\s\S]*?)(?=\n\S|$)/g,
  );
  return [...entries].map(([, ms, statement, text]) => ({
    ms: Number(ms),
    statement: shape(statement!),
    text: text!.replaceAll(/^\t/gm, ''),
  }));
}

function planOf(plans: readonly Plan[], query: string): string | undefined {
  const targetShape = shape(query);
  const [slowest] = plans.filter(({ statement }) => statement === targetShape).sort((a, b) => b.ms - a.ms);
  return slowest?.text.slice(0, 4_000);
}

/** Normalizes a statement to match pg_stat_statements, which replaces constants with parameters. */
function shape(text: string): string {
  return text.replaceAll(/\$\d+|\b\d+\b|'[^']*'/g, '?').replaceAll(/\s+/g, '');
}

function truncated(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length)} …` : line;
}
