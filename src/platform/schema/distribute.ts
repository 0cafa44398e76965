/**
 * Distributes the tables over a Citus cluster: tenant tables are sharded by company and colocated, the list of companies is
 * replicated to every machine, and the rest stays on the coordinator.
 *
 * The plan is derived from the actual tables, and refused as a whole if one violates a rule of Citus. It runs in one transaction.
 * See docs/operations/citus.md.
 */
import type pg from 'pg';
import { openSession } from '../connection/open.ts';
import { tenantTableNames } from '../tenancy/tables.ts';
import { isDistributed } from './citus.ts';

export const distributedTableNames: readonly string[] = tenantTableNames;

/** Replicated, because tenant tables reference it. Writes need every machine, so tables for sign-in don't belong here. */
export const replicatedTables: readonly string[] = ['companies'];

/** On the coordinator only, so sign-in needs only that. No tenant table references them, and no statement joins them with one. */
const local: readonly string[] = [
  'users',
  'memberships',
  'oauth_clients',
  'directories',
  'sign_in_connections',
  'sign_in_domains',
  'sign_in_keys',
  'sign_in_links',
  'sign_in_requests',
  'oauth_grants',
  'oauth_artifacts',
  'password_resets',
  'totp_factors',
  'passkeys',
  'recovery_codes',
  'used_challenges',
  'user_devices',
  'user_sessions',
  'signing_keys',
  'schema_migrations',
  'file_store',
  'rate_limits',
  'rate_limit_windows',
  'worker_pools',
  'job_deaths',
];

/**
 * Dropped, because Citus would transitively manage and restrict the tables that reference a replicated table. Companies are never
 * deleted, and a membership is written together with the collaborator, whose own key references the company.
 */
const droppedKeys: readonly string[] = ['memberships_company_id_fkey'];

/** Called by statements but not used by an index, so Citus wouldn't distribute them on its own. */
const functions = ['search_term_keys(uuid, text)'];

/** Tables that violate a rule of Citus, one line each. */
export class NotDistributable extends Error {
  override name = 'NotDistributable';
}

/**
 * @param client connected to the coordinator
 * @returns the statements in order, without a transaction
 */
export async function distributionPlan(client: pg.ClientBase): Promise<string[]> {
  const { tables, keys } = await readCatalogue(client);
  const problems = [...problemsOfTables(tables), ...problemsOfKeys(keys)];
  if (problems.length > 0) throw new NotDistributable(problems.join('\n'));
  const between = keys.filter(({ name, referring }) => !local.includes(referring) || droppedKeys.includes(name));
  const [first, ...others] = distributedTableNames;
  return [
    // Foreign keys between the tables require changes on one machine after the other.
    "set local citus.multi_shard_modify_mode to 'sequential'",
    // A foreign key is not allowed while only one of its tables is distributed.
    ...between.map(({ referring, name }) => `alter table ${referring} drop constraint ${name}`),
    ...replicatedTables.map((table) => `select create_reference_table('${table}')`),
    `select create_distributed_table('${first}', 'company_id', colocate_with => 'none')`,
    ...others.map((table) => `select create_distributed_table('${table}', 'company_id', colocate_with => '${first}')`),
    ...between
      .filter(({ name }) => !droppedKeys.includes(name))
      .map(({ referring, name, definition }) => `alter table ${referring} add constraint ${name} ${definition}`),
    ...functions.map((signature) => `select create_distributed_function('${signature}')`),
  ];
}

/** @throws NotDistributable, or a database error; then nothing has changed */
export async function distribute(url: string): Promise<string[]> {
  const client = await openSession(url, { application_name: 'distribute' });
  try {
    await client.query('begin');
    const { rows } = await client.query("select to_regproc('create_distributed_table') is not null as is_there");
    if (!rows[0].is_there) throw new NotDistributable('there is no Citus in this database: create extension citus');
    if (await isDistributed(client)) throw new NotDistributable('the tables are already distributed');
    const plan = await distributionPlan(client);
    for (const statement of plan) await client.query(statement);
    await client.query('commit');
    return plan;
  } finally {
    await client.end(); // rolls back an open transaction
  }
}

/**
 * Distributes the tables that a migration has created in a distributed database. Their foreign keys to other tenant tables must
 * come in a later migration: Citus refuses a key to a table that isn't colocated.
 */
export async function placeNewTables(client: pg.ClientBase, tables = distributedTableNames): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname = any($1)
       and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid and p.partmethod = 'h')`,
    [tables],
  );
  for (const { name } of rows) {
    await client.query(`select create_distributed_table('${name}', 'company_id', colocate_with => '${tables[0]}')`);
  }
  return rows.map(({ name }) => name);
}

interface Table {
  name: string;
  /** Columns of the primary key and of each unique index, in order; an expression is null. */
  unique_keys: (string | null)[][];
  triggers: string[];
  unlogged: boolean;
}

interface Key {
  name: string;
  referring: string;
  referred: string;
  columns: [from: string, to: string][];
  definition: string;
}

async function readCatalogue(client: pg.ClientBase): Promise<{ tables: Table[]; keys: Key[] }> {
  const tables = await client.query<Table>(
    `select c.relname as name, c.relpersistence = 'u' as unlogged,
       array(
         select to_json(array(
           select a.attname from unnest(i.indkey) with ordinality as k (number, place)
           left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number and k.number > 0
           order by k.place
         )) from pg_index i where i.indrelid = c.oid and i.indisunique
       ) as unique_keys,
       array(select tgname::text from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
     order by c.relname`,
  );
  const keys = await client.query<Key>(
    `select k.conname as name, k.conrelid::regclass::text as referring, k.confrelid::regclass::text as referred,
       pg_get_constraintdef(k.oid) as definition,
       array(
         select to_json(array[f.attname, t.attname]) from unnest(k.conkey, k.confkey) with ordinality as c (f, t, place)
         join pg_attribute f on f.attrelid = k.conrelid and f.attnum = c.f
         join pg_attribute t on t.attrelid = k.confrelid and t.attnum = c.t
         order by c.place
       ) as columns
     from pg_constraint k
     where k.contype = 'f' and k.connamespace = current_schema()::regnamespace and k.conparentid = 0
     order by k.conrelid::regclass::text, k.conname`,
  );
  return { tables: tables.rows, keys: keys.rows };
}

function problemsOfTables(tables: Table[]): string[] {
  const known = [...distributedTableNames, ...replicatedTables, ...local];
  const existing = new Set(tables.map(({ name }) => name));
  return [
    ...known.filter((name) => !existing.has(name)).map((name) => `${name}: does not exist`),
    ...tables.flatMap(({ name, unique_keys: uniqueKeys, triggers, unlogged }) => {
      if (!known.includes(name)) return [`${name}: has no distribution`];
      if (!distributedTableNames.includes(name)) return [];
      return [
        ...uniqueKeys
          .filter(([first]) => first !== 'company_id')
          .map((columns) => `${name}: the unique key (${columns.join(', ')}) does not start with company_id`),
        ...triggers.map((trigger) => `${name}: has the trigger ${trigger}`),
        ...(unlogged ? [`${name}: is unlogged`] : []),
      ];
    }),
  ];
}

function problemsOfKeys(keys: Key[]): string[] {
  return keys.flatMap(({ name, referring, referred, columns }) => {
    if (droppedKeys.includes(name) || (local.includes(referring) && local.includes(referred))) return [];
    if (local.includes(referring) || local.includes(referred)) {
      return [`${name}: ${referring} refers to ${referred}, and one of them stays on the coordinator`];
    }
    if (replicatedTables.includes(referred)) return [];
    if (replicatedTables.includes(referring)) return [`${name}: ${referring} is on every node, ${referred} on one`];
    const [from, to] = columns[0]!;
    return from === 'company_id' && to === 'company_id'
      ? []
      : [`${name}: does not start with company_id on both sides`];
  });
}
