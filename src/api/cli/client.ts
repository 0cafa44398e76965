/** `client create`, `list`, `approve`, `rotate-secret`, `end-connections` and `revoke`. */

import { CliError } from '../../../packages/cli/src/terminal/failure.ts';
import { type OutputOptions, print, table } from '../../../packages/cli/src/terminal/output.ts';
import { oneLine } from '../../contract/texts/one-line.ts';
import { rotateClientSecret } from '../../identity/clients/client-secrets.ts';
import { approveClient, createClient, listClients } from '../../identity/clients/clients.ts';
import { normalizeUris } from '../../identity/clients/redirect-uris.ts';
import type { Environment } from '../../platform/config/development.ts';
import { isId } from '../../product/access/records.ts';
import { revokeClient } from '../../product/connections/revoke-client.ts';
import { revokeClientConnections } from '../../product/connections/revoke-client-connections.ts';
import { withdrawApproval } from '../../product/connections/withdraw-approval.ts';
import { noCompany } from './company.ts';
import { withDatabase } from './database.ts';

const kept = 'keep it now: it is not shown again';

export interface ClientOptions extends OutputOptions {
  name: string;
  redirectUri: string[];
  public?: boolean;
}

export async function create(environment: Environment, options: ClientOptions): Promise<void> {
  const client = { name: oneLine(options.name), redirect_uris: options.redirectUri, public: Boolean(options.public) };
  const { id, secret = null } = await withDatabase(environment, (db) => createClient(db, client));
  const lines = [
    `Client   ${client.name}`,
    `Id       ${id}`,
    secret ? `Secret   ${secret} (${kept})` : 'Secret   none',
  ];
  print(options, { id, secret, ...client, redirect_uris: normalizeUris(client.redirect_uris) }, lines.join('\n'));
}

export async function list(environment: Environment, options: OutputOptions): Promise<void> {
  const data = await withDatabase(environment, listClients);
  const rows = data.map((client) => [
    client.id,
    client.name,
    client.public ? 'public' : 'confidential',
    client.company_id ?? 'operator',
    forWhom(client),
    client.revoked_at ? `revoked ${client.revoked_at}` : 'active',
    client.redirect_uris.join(' '),
  ]);
  const headers = ['ID', 'NAME', 'KIND', 'MADE BY', 'FOR', 'STATE', 'REDIRECT URIS'];
  print(options, { data }, table(headers, rows, 'There is no client yet.'));
}

type Listed = Awaited<ReturnType<typeof listClients>>[number];

function forWhom({ company_id: companyId, visibility, approved_at: approvedAt }: Listed): string {
  if (!companyId || approvedAt) return 'everyone';
  return visibility === 'everyone' ? 'its company, asks for everyone' : 'its company';
}

export async function approve(
  environment: Environment,
  id: string,
  options: OutputOptions & { withdraw?: boolean },
): Promise<void> {
  if (options.withdraw) return withdraw(environment, id, options);
  const app = await withDatabase(environment, (db) => approveClient(db, id));
  if (!app) throw new CliError(`there is no app with the id ${id} that asks for everyone; see \`client list\``);
  const lines = [
    `People of every company can allow ${app.name} now, which company ${app.company_id} made.`,
    'A change of its name, its addresses or its scopes takes this back, and so does `client approve --withdraw`.',
  ];
  print(options, { id, approved: true }, lines.join('\n'));
}

async function withdraw(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const app = await withDatabase(environment, (db) => withdrawApproval(db, id));
  if (!app) throw new CliError(`there is no app with the id ${id} that is approved; see \`client list\``);
  const { name, ended, company_id: companyId } = app;
  const lines = [
    `Only people of company ${companyId}, which made ${name}, can allow it now.`,
    `Connections of other companies that have ended: ${ended}. They are notified.`,
  ];
  print(options, { id, approved: false, ended }, lines.join('\n'));
}

export async function rotateSecret(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const secret = await withDatabase(environment, (db) => rotateClientSecret(db, id));
  if (!secret) throw noClient('active, confidential', id);
  print(
    options,
    { id, secret },
    `Secret   ${secret} (${kept})\nThe one before it counts no more; what users granted stays.`,
  );
}

export async function endConnections(
  environment: Environment,
  id: string,
  options: OutputOptions & { company?: string },
): Promise<void> {
  const { company } = options;
  if (company !== undefined && !isId(company)) throw noCompany(company);
  const ended = await withDatabase(environment, (db) => revokeClientConnections(db, id, company?.toLowerCase()));
  if (ended === undefined) throw new CliError(`there is no client with the id ${id}; see \`client list\``);
  print(options, { id, ended }, `Connections of client ${id} that have ended: ${ended}. People can allow it again.`);
}

export async function revoke(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const revoked = await withDatabase(environment, (db) => revokeClient(db, id));
  if (!revoked) throw noClient('active', id);
  print(options, { id, revoked }, `Client ${id} and all its tokens are revoked.`);
}

function noClient(kind: string, id: string): CliError {
  return new CliError(`there is no ${kind} client with the id ${id}; see \`client list\``);
}
