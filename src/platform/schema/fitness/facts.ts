/** Collects facts about a database and the login. Writes nothing, so it works on a standby too. */
import type pg from 'pg';
import { globalTables, tenantTableNames } from '../../tenancy/tables.ts';

export interface Facts {
  /** As `server_version_num`: 150004 is 15.4. */
  version: number;
  database: string;
  login: string;
  encoding: string;
  /** Whether lower() works beyond ASCII; undefined if the encoding is too limited to test it. */
  knows_letters: boolean | undefined;
  locale: string | null;
  is_standby: boolean;
  /** Whether transactions are read only by default. */
  is_read_only: boolean;
  checks_keys: boolean;
  has_public: boolean;
  /** Whether the login may create tables in the schema public. */
  may_create: boolean;
  /** Whether the login may create schemas and trusted extensions. */
  may_extend: boolean;
  has_queue: boolean;
  extensions: Extension[];
  /** The owner of the tables; null if there are none. */
  owner: string | null;
  is_owner: boolean;
  /** Tables with our names that another program created. */
  strange_tables: string[];
}

export interface Extension {
  name: string;
  /** Null if it isn't installed. */
  schema: string | null;
  is_available: boolean;
  may_install: boolean;
}

const neededExtensions = ['pg_trgm', 'unaccent'];

export async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Omit<Facts, 'knows_letters' | 'extensions' | 'strange_tables'>>(facts);
  const { rows: extensions } = await client.query<Extension>(extensionsStatement, [neededExtensions]);
  const { rows: strange } = await client.query<{ name: string }>(strangeStatement, [
    [...globalTables, ...tenantTableNames],
  ]);
  const fact = rows[0]!;
  return {
    ...fact,
    knows_letters: fact.encoding === 'UTF8' ? await knowsLetters(client) : undefined,
    extensions,
    strange_tables: strange.map(({ name }) => name),
  };
}

/** Tests the database's default collation, which searches and email comparisons use. */
async function knowsLetters(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ knows: boolean }>(`select lower('ЖÉ') = 'жé' as knows`);
  return rows[0]!.knows;
}

const facts = `
  select current_setting('server_version_num')::integer as version, datname as database, current_user as login,
    pg_encoding_to_char(encoding) as encoding, datctype as locale, pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only') = 'on' as is_read_only,
    current_setting('session_replication_role') <> 'replica' as checks_keys,
    p.oid is not null as has_public, coalesce(has_schema_privilege(p.oid, 'create'), false) as may_create,
    has_database_privilege(datname, 'create') as may_extend,
    exists (select from pg_namespace where nspname = 'graphile_worker') as has_queue,
    pg_get_userbyid(t.relowner) as owner, coalesce(pg_has_role(t.relowner, 'usage'), true) as is_owner
  from pg_database
  left join pg_namespace p on p.nspname = 'public'
  left join pg_class t on t.relnamespace = p.oid and t.relname = 'schema_migrations'
  where datname = current_database()`;

/** Without a superuser, only trusted extensions can be installed, and only by logins that may create schemas. */
const extensionsStatement = `
  select name, nspname as schema, exists (select from pg_available_extensions a where a.name = wanted.name) as is_available,
    (select rolsuper from pg_roles where rolname = current_user)
      or has_database_privilege(current_database(), 'create')
      and exists (select from pg_available_extension_versions v where v.name = wanted.name and v.trusted) as may_install
  from unnest($1::text[]) as wanted (name)
  left join pg_extension on extname = wanted.name
  left join pg_namespace n on n.oid = extnamespace
  order by name`;

/** Our migration table has checksums; those of other programs don't. */
const strangeStatement = `
  select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname = any($1::text[] || 'schema_migrations'::text)
    and not exists (
      select from pg_attribute a join pg_class m on m.oid = a.attrelid
      where m.relnamespace = n.oid and m.relname = 'schema_migrations' and a.attname = 'checksum')
  order by name`;
