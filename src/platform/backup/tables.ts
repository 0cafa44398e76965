/** Determines the contents of a backup. Asks the database for its tables, so that a new migration's table is never forgotten. */
import type pg from 'pg';

/** The service's tables, except those of extensions, `unlogged` ones, and the list of migrations, which is in the manifest. */
export async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and c.relname <> 'schema_migrations'
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
      )
    order by c.relname`);
  return rows.map(({ name }) => name);
}

/** Columns except generated ones. */
export async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = format('public.%I', $1::text)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Sorts tables so that referenced tables come first. */
export async function inKeyOrder(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; needs: string }>(`
    select t.relname as table, r.relname as needs from pg_constraint k
    join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
    where k.contype = 'f' and t.oid <> r.oid and t.relnamespace = 'public'::regnamespace`);
  const ordered: string[] = [];
  const visit = (table: string) => {
    if (ordered.includes(table)) return;
    for (const { needs } of rows.filter((row) => row.table === table)) visit(needs);
    ordered.push(table);
  };
  for (const table of tables) visit(table);
  return ordered.filter((table) => tables.includes(table));
}

/**
 * Drops the indexes that no constraint needs: building one over all rows is much faster than maintaining it row by row.
 * @returns statements that recreate them
 */
export async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class t on t.oid = i.indrelid
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and not t.relispartition
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
    order by 1`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** Columns that refer to files in the store. */
const objectColumns = [
  ['documents', 'key'],
  ['collaborators', 'avatar_key'],
  ['imports', 'key'],
  ['imports', 'report_key'],
  ['exports', 'key'],
] as const;

/** Keys of every file that a row refers to. An export has its key before its file exists. */
export async function namedObjects(client: pg.Client): Promise<string[]> {
  const keys: string[] = [];
  for (const [table, column] of objectColumns) {
    const condition = table === 'exports' ? ` and status = 'completed'` : '';
    const { rows } = await client.query<{ key: string }>(
      `select ${column} as key from public.${table} where ${column} is not null${condition}`,
    );
    for (const { key } of rows) keys.push(key);
  }
  return keys;
}

/** Pending jobs, as arguments of `graphile_worker.add_job`. */
export interface QueuedJob {
  identifier: string;
  payload: unknown;
  queue_name: string | null;
  run_at: string;
  max_attempts: number;
  job_key: string | null;
  priority: number;
  /** Missing in backups of earlier versions. */
  flags?: string[] | null;
}

export async function queuedJobs(client: pg.Client): Promise<QueuedJob[]> {
  const { rows: found } = await client.query(`select to_regclass('graphile_worker._private_jobs') as jobs`);
  if (found[0]!.jobs === null) return []; // the service never ran
  const { rows } = await client.query<QueuedJob>(`
    select t.identifier, j.payload, q.queue_name, j.run_at::text, j.max_attempts::int, j.key as job_key,
      j.priority::int, array(select jsonb_object_keys(j.flags)) as flags
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    where j.attempts < j.max_attempts order by j.id`);
  return rows;
}

export async function replaceJobs(client: pg.Client, jobs: readonly QueuedJob[]): Promise<void> {
  await client.query('delete from graphile_worker._private_jobs');
  for (const job of jobs) {
    await client.query(
      `select graphile_worker.add_job($1, $2::json, queue_name => $3, run_at => $4::timestamptz, max_attempts => $5::int,
         job_key => $6, priority => $7::int, flags => nullif($8::text[], '{}'))`,
      [
        job.identifier,
        JSON.stringify(job.payload),
        job.queue_name,
        job.run_at,
        job.max_attempts,
        job.job_key,
        job.priority,
        job.flags ?? null,
      ],
    );
  }
}
