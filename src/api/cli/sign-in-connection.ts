/** `sign-in-connection list`, `show`, and `disable`. Only admins of the company create and change connections. */
import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { type OutputOptions, print, table } from '../../../packages/cli/src/terminal/output.ts';
import { roles } from '../../identity/members/member.ts';
import type { Environment } from '../../platform/config/development.ts';
import type { Database } from '../../platform/db/client.ts';
import { isId } from '../../product/access/records.ts';
import { disableConnection } from '../../product/sign-in-connections/disable-connection.ts';
import { domainsOf } from '../../product/sign-in-connections/domains.ts';
import { countLinkedPeople } from '../../product/sign-in-connections/sign-in-connections.ts';
import { policyOfRole } from '../../product/sign-in-connections/sign-in-policy.ts';
import { withDatabase } from './database.ts';

export async function list(environment: Environment, options: OutputOptions): Promise<void> {
  const data = await withDatabase(environment, (db) => connections(db).execute());
  const rows = data.map((each) => [
    each.id,
    each.name,
    each.kind,
    each.status,
    each.company_name,
    each.company_id,
    each.created_at,
  ]);
  const headers = ['ID', 'NAME', 'KIND', 'STATUS', 'COMPANY', 'COMPANY ID', 'CONNECTED'];
  print(options, { data }, table(headers, rows, 'There are no sign-in connections.'));
}

export async function show(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const data = await withDatabase(environment, async (db) => {
    const found = isId(id) ? await connections(db).where('c.id', '=', id).executeTakeFirst() : undefined;
    if (!found) throw noConnection(id);
    const tenant = db.tenant(found.company_id);
    const [domains, people] = await Promise.all([domainsOf(tenant, found.id), countLinkedPeople(tenant, found.id)]);
    const policies = Object.fromEntries(roles.map((role) => [role, policyOfRole(found, role)]));
    return { ...found, policies, domains, people_count: people };
  });
  const domains = data.domains.map(({ domain, verified_at: at }) => `${domain} (${at ? 'proven' : 'not proven'})`);
  const lines = [
    ['Connection', data.name],
    ['Id', data.id],
    ['Company', `${data.company_name} (${data.company_id})`],
    ['Protocol', data.kind],
    ['Issuer', data.issuer],
    ['Status', data.status],
    ...roles.map((role) => [`Sign-in of ${role}s`, data.policies[role]!]),
    ['Domains', domains.join(', ') || 'none'],
    ['People', String(data.people_count)],
    ['Last test', data.tested_at ?? 'none'],
  ];
  print(options, data, lines.map(([name, value]) => `${name!.padEnd(22)}${value}`).join('\n'));
}

/** For a company whose admins can't sign in: its people sign in with accounts of their own again. */
export async function disable(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const { name, ...done } = await withDatabase(environment, async (db) => {
    const found = isId(id) ? await connections(db).where('c.id', '=', id).executeTakeFirst() : undefined;
    if (!found) throw noConnection(id);
    const result = await db.tenant(found.company_id).transaction((tx) => disableConnection(tx, found.id));
    return { name: found.name, ...result };
  });
  const text = done.wasEnabled
    ? `${name} is disabled, and its people are signed out. They can sign in with their own accounts again.`
    : `${name} was not enabled. Nothing was changed.`;
  const hint = done.hasAdmin
    ? ''
    : '\nNo active admin of the company has an account: add one with `user create --role admin`.';
  print(options, { id, status: 'draft', was_enabled: done.wasEnabled, has_own_admin: done.hasAdmin }, text + hint);
}

function connections(db: Database) {
  return db.global
    .selectFrom('sign_in_connections as c')
    .innerJoin('companies', 'companies.id', 'c.company_id')
    .select([
      'c.id',
      'c.name',
      'c.company_id',
      'companies.name as company_name',
      'c.kind',
      'c.issuer',
      'c.status',
      'c.sign_in',
      'c.sign_in_by_role',
      'c.tested_at',
      'c.created_at',
    ])
    .orderBy('c.created_at')
    .orderBy('c.id');
}

function noConnection(id: string): CliError {
  return new CliError(`there is no sign-in connection with the ID ${id}; see \`sign-in-connection list\``);
}
