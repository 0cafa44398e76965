/** Turns facts about a database into problems with instructions. */
import type { Extension, Facts } from './facts.ts';

const oldestVersion = 150_000;

export function problemsOfServer(facts: Facts): string[] {
  const {
    version,
    encoding,
    knows_letters: knowsLetters,
    locale,
    is_standby: isStandby,
    is_read_only: isReadOnly,
    checks_keys: checksKeys,
  } = facts;
  const named = `the database ${facts.database}`;
  const createHint = `create one with: create database … template template0 encoding 'UTF8' locale 'C.UTF-8'`;
  return [
    version < oldestVersion && `it is Postgres ${versionName(version)}, but 15 or later is required`,
    encoding !== 'UTF8' && `${named} has the encoding ${encoding}, which can't store most names; ${createHint}`,
    knowsLetters === false &&
      `${named} has the locale ${locale}, which only knows English letters, so searches would miss names; ${createHint}`,
    isStandby && 'it is a read-only standby: use the address of the primary',
    isReadOnly &&
      !isStandby &&
      `${named} is read-only (default_transaction_read_only is on), which providers set when the disk is full`,
    !checksKeys && 'session_replication_role is replica, which turns off foreign keys: set it to origin',
  ].filter((problem) => problem !== false);
}

/** Problems of the login that runs the migrations. */
export function problemsOfOwner(facts: Facts): string[] {
  const {
    has_public: hasPublic,
    may_create: mayCreate,
    may_extend: mayExtend,
    has_queue: hasQueue,
    owner,
    is_owner: isOwner,
    strange_tables: strangeTables,
  } = facts;
  const { login, database } = { login: pgName(facts.login), database: pgName(facts.database) };
  if (!hasPublic) return [`the schema public for the tables is missing: create schema public authorization ${login}`];
  if (strangeTables.length > 0) {
    const names = strangeTables.slice(0, 3).join(', ');
    return [`the database ${facts.database} has tables of another program (${names}): use a separate database`];
  }
  if (owner !== null && !isOwner) {
    return [`the tables belong to ${owner}, not to ${facts.login}: set DATABASE_OWNER_URL to the URL with that login`];
  }
  return [
    !mayCreate &&
      `${facts.login} can't create tables in the schema public: grant create on schema public to ${login}, or set DATABASE_OWNER_URL`,
    !mayExtend &&
      !hasQueue &&
      `${facts.login} can't create the schema of the queue: grant create on database ${database} to ${login}`,
    ...facts.extensions.map(problemOfExtension),
  ].filter((problem) => typeof problem === 'string');
}

function problemOfExtension({
  name,
  schema,
  is_available: isAvailable,
  may_install: mayInstall,
}: Extension): string | undefined {
  if (schema === 'public') return undefined;
  if (schema !== null) {
    return `the extension ${name} is in the schema ${schema}: alter extension ${name} set schema public`;
  }
  if (!isAvailable)
    return `the server lacks the extension ${name} (Debian: part of the Postgres package; elsewhere: postgresql-contrib)`;
  return mayInstall ? undefined : `as a superuser: create extension ${name} schema public`;
}

/** 150004 as 15.4. */
function versionName(version: number): string {
  const major = Math.floor(version / 10_000);
  return major < 10 ? `${major}.${Math.floor(version / 100) % 100}` : `${major}.${version % 10_000}`;
}

function pgName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
