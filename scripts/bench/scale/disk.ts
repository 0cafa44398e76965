// Disk usage by table and index, and indexes that were never read.
import type pg from 'pg';
import { markdownTable } from '../harness/figures.ts';

interface TableSize {
  name: string;
  rows: number;
  table_bytes: number;
  index_bytes: number;
}

/** @param people divisor for bytes per person */
export async function diskReport(client: pg.Client, people: number): Promise<string> {
  const { rows } = await client.query<TableSize>(
    `select relname as name, greatest(reltuples, 0)::float8 as rows, pg_table_size(c.oid)::float8 as table_bytes,
       pg_indexes_size(c.oid)::float8 as index_bytes
     from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'scale_%'
     order by pg_total_relation_size(c.oid) desc limit 12`,
  );
  const lines = rows.map(({ name, rows, table_bytes: tableBytes, index_bytes: indexBytes }) => {
    const all = tableBytes + indexBytes;
    return [name, whole(rows), mb(tableBytes), mb(indexBytes), whole(all / rows), whole(all / people)];
  });
  const head = ['table', 'rows', 'MB', 'its indexes, MB', 'bytes a row', 'bytes a person'];
  return markdownTable(
    head,
    lines.filter(([, count]) => count !== '0'),
  );
}

interface IndexSize {
  name: string;
  table: string;
  bytes: number;
  rows: number;
  scans: number;
  is_unique: boolean;
}

/** @param least minimum size in bytes */
export async function indexReport(client: pg.Client, least: number): Promise<string> {
  const { rows } = await client.query<IndexSize>(
    `select s.indexrelname as name, s.relname as table, pg_relation_size(s.indexrelid)::float8 as bytes,
       greatest(c.reltuples, 1)::float8 as rows, s.idx_scan::float8 as scans, i.indisunique as is_unique
     from pg_stat_user_indexes s join pg_class c on c.oid = s.relid join pg_index i on i.indexrelid = s.indexrelid
     where s.schemaname = 'public' and s.relname not like 'scale_%' and pg_relation_size(s.indexrelid) >= $1
     order by bytes desc`,
    [least],
  );
  const lines = rows.map(({ name, table, bytes, rows, scans, is_unique: isUnique }) => {
    const use = scans > 0 ? whole(scans) : isUnique ? 'none, but it keeps values unique' : '**none**';
    return [name, table, mb(bytes), whole(bytes / rows), use];
  });
  return markdownTable(['index', 'of', 'MB', 'bytes a row of the table', 'read'], lines);
}

export function mb(bytes: number): string {
  return bytes < 10e6 ? (bytes / 1e6).toFixed(1) : whole(bytes / 1e6);
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
