/**
 * Grants the application's privileges: it can read and write every table, except that audit log entries can only be added and
 * read. Migrations run as the owner of the schema, which can be another role.
 *
 * | DATABASE_URL logs in as         | the application acts as                                                   |
 * | ------------------------------- | ------------------------------------------------------------------------- |
 * | a role that is not the owner    | itself, with privileges granted here (`DATABASE_OWNER_URL` migrates)      |
 * | the owner, no superuser         | itself: the owner revokes these privileges from itself                    |
 * | a superuser (the embedded one)  | `collaborator_api_app`, created here: nothing restricts a superuser       |
 *
 * Privileges are granted at every start, because migrations of the queue's library create tables too, and a restored database may
 * lack them. In a Citus cluster, machines connect to each other as the current role, so it must be able to log in.
 */
import pg from 'pg';
import { connected, openSession } from '../connection/open.ts';
import { parametersOf, withParameters } from '../connection/parameters.ts';
import { hasCitus, isDistributed } from './citus.ts';

/** The role of a superuser's application. Roles are server-wide: all databases of the server share this one. */
export const applicationRole = 'collaborator_api_app';

const lockKey = 727_003; // the same as in remove_old_audit_entries: serializes privilege changes of a table
const schemas = ['public', 'graphile_worker'];
const forbidden = ['UPDATE', 'DELETE', 'TRUNCATE'];

/**
 * @param url the application's login; may be the owner's
 * @returns the application's connection string
 * @throws when the owner's login can't grant privileges, or the application could still change the audit log
 */
export async function grantPrivileges(ownerUrl: string, url: string): Promise<string> {
  return connected(session(ownerUrl), (owner) => grantPrivilegesBy(owner, { ownerUrl, url }));
}

/** The same on an existing connection of the owner. */
export async function grantPrivilegesBy(
  owner: pg.Client,
  { ownerUrl, url }: { ownerUrl: string; url: string },
): Promise<string> {
  const ownerLogin = await loginOf(owner);
  const login = url === ownerUrl ? ownerLogin : await connected(session(url), loginOf);
  const role = login.is_superuser ? applicationRole : login.name;
  await owner.query('begin');
  await owner.query('select pg_advisory_xact_lock($1)', [lockKey]);
  if (login.is_superuser) await makeRole(owner);
  if (ownerLogin.name === role) await restrictOwner(owner, role);
  else await grantMissing(owner, role);
  await refuseChangeable(owner, role);
  await owner.query('commit');
  const acting = login.is_superuser ? actingAs(url, role) : url;
  if (await isDistributed(owner)) await connected(session(acting), (client) => refuseUnknownRole(client, role));
  return acting;
}

interface Login {
  name: string;
  is_superuser: boolean;
}

async function loginOf(client: pg.Client): Promise<Login> {
  const { rows } = await client.query<Login>(
    'select rolname as name, rolsuper as is_superuser from pg_roles where rolname = current_user',
  );
  return rows[0]!;
}

/** Processes of several databases may run this concurrently. */
async function makeRole(owner: pg.Client): Promise<void> {
  // The machines of a Citus cluster log in to each other as the current role; without a password nobody else can use it.
  const login = (await hasCitus(owner)) ? 'login' : 'nologin';
  await owner.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${applicationRole}') then
      create role ${applicationRole} ${login};
    elsif not (select rolcanlogin from pg_roles where rolname = '${applicationRole}') and '${login}' = 'login' then
      alter role ${applicationRole} login;
    end if;
  exception when duplicate_object or unique_violation then null;
  end $$`);
}

/** An owner could grant it back to itself, but no statement of the application does. */
async function restrictOwner(owner: pg.Client, role: string): Promise<void> {
  if (await canAlter(owner, role))
    await owner.query(`revoke ${forbidden.join()} on public.audit_log from current_user`);
}

async function grantMissing(owner: pg.Client, role: string): Promise<void> {
  const grantee = pg.escapeIdentifier(role);
  const { rows: present } = await owner.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any($1)',
    [schemas],
  );
  for (const { name } of present) {
    if (!(await lacksPrivileges(owner, name, role))) continue;
    await owner.query(`
      grant usage on schema ${name} to ${grantee};
      grant select, insert, update, delete on all tables in schema ${name} to ${grantee};
      grant usage, select, update on all sequences in schema ${name} to ${grantee};
      grant execute on all functions in schema ${name} to ${grantee}`);
  }
  if (await canAlter(owner, role)) await owner.query(`revoke ${forbidden.join()} on public.audit_log from ${grantee}`);
  await openToRole(owner, grantee, role);
  await grantAnalyze(owner, grantee, role);
}

/** Checks first: a repeated grant would still invalidate every connection's plans. */
async function lacksPrivileges(owner: pg.Client, schema: string, role: string): Promise<boolean> {
  const { rows } = await owner.query<{ lacks: boolean }>(
    `select not has_schema_privilege($2::text, $1::text, 'usage')
       or exists (
         select from pg_class c where c.relnamespace = $1::regnamespace and case c.relkind
           when 'S' then not has_sequence_privilege($2::text, c.oid, 'usage')
           when 'r' then not (has_table_privilege($2::text, c.oid, 'insert') and has_table_privilege($2::text, c.oid, 'select')
             and (c.relname = 'audit_log' or has_table_privilege($2::text, c.oid, 'update')))
           else false end)
       or exists (
         select from pg_proc p where p.pronamespace = $1::regnamespace
           and not has_function_privilege($2::text, p.oid, 'execute')) as lacks`,
    [schema, role],
  );
  return rows[0]!.lacks;
}

/** The queue's library restricts its tables to their owner with row-level security. */
async function openToRole(owner: pg.Client, grantee: string, role: string): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = to_regnamespace('graphile_worker') and c.relrowsecurity
       and not exists (
         select from pg_policy p where p.polrelid = c.oid and p.polroles @> array[$1::regrole::oid])`,
    [grantee],
  );
  const policy = pg.escapeIdentifier(`open to ${role}`);
  for (const { name } of rows) {
    await owner.query(`create policy ${policy} on ${name} to ${grantee} using (true) with check (true)`);
  }
}

/** Lets the application update statistics (statistics.ts). Before Postgres 17 only an owner can. */
async function grantAnalyze(owner: pg.Client, grantee: string, role: string): Promise<void> {
  const { rows } = await owner.query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  );
  if (rows[0]!.version < 170_000) return;
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not has_table_privilege($1::text, c.oid, 'maintain')`,
    [role],
  );
  for (const { name } of tables) await owner.query(`grant maintain on ${name} to ${grantee}`);
}

/** For example through membership in another role. */
async function refuseChangeable(owner: pg.Client, role: string): Promise<void> {
  if (!(await canAlter(owner, role))) return;
  throw new Error(
    `the database role ${role} could change the audit log: use a login for DATABASE_URL that is not a member of the owner's role`,
  );
}

async function canAlter(owner: pg.Client, role: string): Promise<boolean> {
  const { rows } = await owner.query<{ may: boolean }>(
    `select has_table_privilege($1::text, 'public.audit_log', $2::text) as may`,
    [role, forbidden.join(', ')],
  );
  return rows[0]!.may;
}

/** @throws when the machines of a Citus cluster reject this role; a machine that is down doesn't count */
async function refuseUnknownRole(client: pg.Client, role: string): Promise<void> {
  const refused = await client.query('select from events limit 1').then(
    () => undefined,
    (error: Error) => error,
  );
  if (!refused || !/authentication|not permitted to log in|pg_hba|no password supplied/.test(refused.message)) return;
  throw new Error(
    `the machines of the Citus cluster do not let the role ${role} in: give it a way (pg_hba.conf, or a password in .pgpass ` +
      `on each machine), or give DATABASE_URL a login that has one; they said: ${refused.message}`,
    { cause: refused },
  );
}

/** A connection string whose sessions use a role from their first statement on. */
export function actingAs(url: string, role: string): string {
  const options = [parametersOf(url).get('options'), `-c role=${role}`].filter(Boolean).join(' ');
  return withParameters(url, { options });
}

function session(url: string): Promise<pg.Client> {
  return openSession(url, { application_name: 'privileges' });
}
