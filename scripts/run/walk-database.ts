/**
 * A database for a walk through the API, on the server of DATABASE_URL: the given database if it is empty, otherwise a temporary
 * one. Everything the walk creates is removed; existing data is not touched.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { readConfig } from '../../src/platform/config/config.ts';
import type { Environment } from '../../src/platform/config/development.ts';
import { openSession } from '../../src/platform/connection/open.ts';
import { withDatabaseName } from '../../src/platform/connection/parameters.ts';
import { applicationRole } from '../../src/platform/schema/privileges.ts';

interface WalkDatabase {
  /** Settings that point to it. */
  environment: Environment;
  /** Description for the user, without secrets. */
  description: string;
  remove(): Promise<void>;
}

const settings = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL'] as const;

/**
 * @param environment the environment
 * @returns undefined when it names no database
 * @throws when the given database is in use and the login can't create another
 */
export async function walkDatabase(environment: Environment): Promise<WalkDatabase | undefined> {
  const ofDatabase = Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('DATABASE_')));
  const ENCRYPTION_KEY = randomBytes(32).toString('base64'); // required by every configuration
  const { database } = readConfig({ ...ofDatabase, NODE_ENV: 'development', ENCRYPTION_KEY });
  const ownerUrl = database.ownerUrl ?? database.directUrl;
  if (!database.url || !ownerUrl) return undefined;
  const urls: Record<(typeof settings)[number], string | undefined> = {
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: database.directUrl === database.url ? undefined : database.directUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATABASE_REPLICA_URL: database.replica?.url,
  };
  const before = await onServer(ownerUrl, inspectDatabase);
  if (before.is_empty) {
    const remove = async () => {
      await onServer(ownerUrl, (client) => empty(client, before));
      await onServer(ownerUrl, (client) => removeRole(client, before));
    };
    return {
      environment: addresses(urls),
      description: `${before.server}, in the database ${before.name}, which was empty`,
      remove,
    };
  }
  if (!before.may_create) {
    throw new Error(
      `the database ${before.name} of DATABASE_URL has tables, and ${before.login} may not make another: name an empty one, or run ` +
        'the service on it (`make run`), and from another terminal `make demo` without DATABASE_URL',
    );
  }
  const name = `${before.name.slice(0, 40)}_walk_${randomBytes(4).toString('hex')}`;
  await onServer(ownerUrl, (client) => client.query(createLike(name, before)));
  const remove = async () => {
    await onServer(ownerUrl, async (client) => {
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
      await removeRole(client, before);
    });
  };
  const description = `${before.server}, in the database ${name}, made for it because ${before.name} is in use`;
  return { environment: addresses(urls, name), description, remove };
}

/** URLs that are set, each without its _FILE variant. */
function addresses(urls: Record<string, string | undefined>, name?: string): Environment {
  return Object.fromEntries(
    Object.entries(urls).flatMap(([setting, url]) => [
      [setting, url && name ? withDatabaseName(url, name) : url],
      [`${setting}_FILE`, undefined],
    ]),
  );
}

interface DatabaseInfo {
  server: string;
  name: string;
  login: string;
  is_empty: boolean;
  may_create: boolean;
  extensions: string[];
  has_role: boolean;
  provider: 'b' | 'c' | 'i';
  collate: string;
  ctype: string;
  locale: string | null;
}

async function inspectDatabase(client: pg.Client): Promise<DatabaseInfo> {
  const { rows } = await client.query<Omit<DatabaseInfo, 'server'> & { version: string }>(
    `select current_setting('server_version') as version, datname as name, current_user as login,
       not exists (
         select from pg_class c where c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'graphile_worker'))
           and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
       ) as is_empty,
       (select rolcreatedb or rolsuper from pg_roles where rolname = current_user) as may_create,
       array(select extname::text from pg_extension) as extensions,
       exists (select from pg_roles where rolname = $1) as has_role,
       datlocprovider as provider, datcollate as collate, datctype as ctype,
       coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale') as locale
     from pg_database d where datname = current_database()`,
    [applicationRole],
  );
  const { version, ...before } = rows[0]!;
  return { server: `Postgres ${version.split(' ')[0]} of DATABASE_URL`, ...before };
}

/** Uses the collation of the given database, so that the walk tests it as well. */
function createLike(name: string, { provider, collate, ctype, locale }: DatabaseInfo): string {
  const text = (value: string) => pg.escapeLiteral(value);
  const kind = { b: 'builtin builtin_locale', i: 'icu icu_locale', c: 'libc' }[provider];
  const which = provider === 'c' ? kind : `${kind} ${text(locale ?? '')}`;
  return `create database ${pg.escapeIdentifier(name)} template template0
    locale_provider ${which} lc_collate ${text(collate)} lc_ctype ${text(ctype)}`;
}

/** Drops everything that the service and the walk created; the database was empty before. Drops cascade. */
async function empty(client: pg.Client, { extensions }: DatabaseInfo): Promise<void> {
  await client.query('drop schema if exists graphile_worker cascade');
  const { rows } = await client.query<{ statement: string }>(`
    select format('drop table if exists %s cascade', c.oid::regclass) as statement from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    union all
    select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`);
  for (const { statement } of rows) await client.query(statement);
  const { rows: now } = await client.query<{ name: string }>('select extname as name from pg_extension');
  for (const { name } of now) {
    if (!extensions.includes(name)) await client.query(`drop extension ${pg.escapeIdentifier(name)}`);
  }
}

/** The role that a superuser's service switches to; another database may use it by now. */
async function removeRole(client: pg.Client, { has_role: hasRole }: DatabaseInfo): Promise<void> {
  if (!hasRole) await client.query(`drop role if exists ${applicationRole}`).catch(() => {});
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openSession(url, { application_name: 'walk' });
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
