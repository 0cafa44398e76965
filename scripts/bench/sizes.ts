// Measures disk usage per row, including indexes, for docs/operations/capacity.md: [COLLABORATORS=100000].
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ownPostgres } from '../run/own-postgres.ts';
import { fill } from './harness/fill.ts';

const collaborators = Number(process.argv[2] ?? 100_000);
const companies = Math.max(2, Math.round(collaborators / 1_000));

/** For each person: a history entry for joining, its event, and a delivery to one subscription on the first attempt. */
const more = [
  `insert into collaborator_history (company_id, id, collaborator_id, action, description, changes, user_id, timestamp)
   select company_id, gen_random_uuid(), id, 'created', 'Collaborator created',
     jsonb_build_array(jsonb_build_object('field', 'position', 'from', null, 'to', position)), id, created_at
   from collaborators`,
  `insert into events (company_id, id, name, event_type, payload, created_at, sequence)
   select company_id, gen_random_uuid(), 'collaborator.created', 'created',
     (to_jsonb(c) - 'search_text' - 'company_id')::text, created_at, row_number() over (partition by company_id)
   from collaborators c`,
  `insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, status, attempt_count,
     last_status_code, created_at, completed_at)
   select company_id, gen_random_uuid(), company_id, id, name, 'envelope', 'succeeded', 1, 200, created_at, created_at
   from events`,
  `insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms, status_code, response_excerpt,
     url, signatures, response_headers)
   select company_id, id, 1, false, created_at, 40, 200, '{"ok":true}', 'https://hooks.verdelog.example/collaborators',
     decode(repeat('ab', 64), 'hex'), '[["Date", "Mon, 02 Mar 2026 09:15:01 GMT"], ["Content-Type", "application/json"],
       ["Content-Length", "11"], ["Connection", "keep-alive"], ["Server", "nginx"]]' from deliveries`,
];

const folder = await mkdtemp(join(tmpdir(), 'sizes-'));
const postgres = await ownPostgres(folder, { fsync: 'off', synchronous_commit: 'off', max_wal_size: '4GB' });
try {
  await fill(postgres.url, collaborators, companies);
  const client = new pg.Client(postgres.url);
  await client.connect();
  for (const statement of more) await client.query(statement);
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ name: string; count: number; table_bytes: number; index_bytes: number }>(
    `select relname as name, reltuples::int as count, pg_table_size(oid)::float8 as table_bytes,
       pg_indexes_size(oid)::float8 as index_bytes
     from pg_class where relname = any($1) order by array_position($1, relname::text)`,
    [['collaborators', 'collaborator_history', 'events', 'deliveries', 'attempts']],
  );
  const bytes = (size: number, count: number) => Math.round(size / count).toLocaleString('en');
  console.log(`| table | rows | bytes a row | its indexes | together |\n| --- | --- | --- | --- | --- |`);
  for (const { name, count, table_bytes: tableBytes, index_bytes: indexBytes } of rows) {
    const sizes = [tableBytes, indexBytes, tableBytes + indexBytes].map((size) => bytes(size, count));
    console.log(`| ${name} | ${count.toLocaleString('en')} | ${sizes.join(' | ')} |`);
  }
  await client.end();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
