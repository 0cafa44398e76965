/** Checks a database before anything is written to it: a start could fail halfway, or succeed and return wrong results. */
import type pg from 'pg';
import { connected, openPooledConnection, openSession } from '../../connection/open.ts';
import { parametersOf } from '../../connection/parameters.ts';
import { sessionSettings } from '../../connection/session.ts';
import { readFacts } from './facts.ts';
import { problemsOfOwner, problemsOfServer } from './problems.ts';

interface Addresses {
  /** Bypasses a pooler; the login that owns the tables. */
  ownerUrl: string;
  /** Bypasses a pooler; the application's login, which may be the same. */
  directUrl: string;
}

/** @throws when the database is unreachable, or with a list of all problems */
export async function requireUsableDatabase(addresses: Addresses): Promise<void> {
  await connected(openSession(addresses.ownerUrl, sessionOptions), (owner) => refuseUnfitFor(owner, addresses));
}

/** The same on an existing connection of the owner. */
export async function refuseUnfitFor(owner: pg.Client, { ownerUrl, directUrl }: Addresses): Promise<void> {
  const facts = await readFacts(owner);
  const problems = [...problemsOfAddress(ownerUrl), ...problemsOfServer(facts), ...problemsOfOwner(facts)];
  problems.push(...(await problemsOfSession(owner)));
  if (directUrl !== ownerUrl) {
    problems.push(...problemsOfAddress(directUrl));
    problems.push(...(await connected(openSession(directUrl, sessionOptions), problemsOfSession)));
  }
  refuse([...new Set(problems)]);
}

/** Checks a connection that goes through the pooler. @throws when its settings would change the results of statements */
export async function refuseOtherSettings(url: string): Promise<void> {
  const others = await connected(openPooledConnection(url, sessionOptions), (session) =>
    otherSettings(session, roleSettings),
  );
  if (others.length === 0) return;
  refuse([
    `the pooler has connections from before the role's settings changed (${others.join(', ')}): let the ` +
      'pooler open new ones (in the console of pgbouncer: RECONNECT)',
  ]);
}

const sessionOptions = { application_name: 'start' };

/** Without settings that may differ when the role gets them for the first time, because nothing depends on those yet. */
const roleSettings = [
  'array_nulls',
  'bytea_output',
  'default_transaction_isolation',
  'extra_float_digits',
  'gin_fuzzy_search_limit',
  'row_security',
  'transform_null_equals',
];

/** The tables are always in the schema public, whatever the URL asks for, so a different schema is reported. */
function problemsOfAddress(url: string): string[] {
  const parameters = parametersOf(url);
  const schema = /\bsearch_path\s*=\s*(\S+)/i.exec(parameters.get('options') ?? '')?.[1] ?? parameters.get('schema');
  if (!schema || schema === 'public') return [];
  return [`its URL sets the schema ${schema}, but the tables are in the schema public: use a separate database`];
}

async function problemsOfSession(client: pg.Client): Promise<string[]> {
  const others = await otherSettings(client, Object.keys(sessionSettings));
  if (others.length === 0) return [];
  return [
    `session settings do not reach Postgres (${others.join(', ')}), which suggests a pooler: set ` +
      'DATABASE_POOLER=transaction and DATABASE_DIRECT_URL, see docs/operations/pgbouncer.md',
  ];
}

/** @returns the settings that differ, with their values */
async function otherSettings(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select name, current_setting(name) as value from unnest($1::text[]) as name`,
    [names],
  );
  return rows
    .filter(({ name, value }) => value !== sessionSettings[name])
    .map(({ name, value }) => `${name} is ${value}`);
}

function refuse(problems: string[]): void {
  if (problems.length === 0) return;
  throw new Error(`the database can't be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
}
