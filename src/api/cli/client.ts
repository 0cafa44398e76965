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

const storeHint = 'store it now: it is not shown again';

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
    secret ? `Secret   ${secret} (${storeHint})` : 'Secret   none',
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
    audienceOf(client),
    client.revoked_at ? `revoked ${client.revoked_at}` : 'active',
    client.redirect_uris.join(' '),
  ]);
  const headers = ['ID', 'NAME', 'KIND', 'MADE BY', 'FOR', 'STATE', 'REDIRECT URIS'];
  print(options, { data }, table(headers, rows, 'There are no clients.'));
}

type ListedClient = Awaited<ReturnType<typeof listClients>>[number];

function audienceOf({ company_id: companyId, visibility, approved_at: approvedAt }: ListedClient): string {
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
  if (!app)
    throw new CliError(`there is no app with the ID ${id} that requests access for everyone; see \`client list\``);
  const lines = [
    `People of every company can now authorize ${app.name}, made by company ${app.company_id}.`,
    'Changing its name, URLs, or scopes withdraws the approval, as does `client approve --withdraw`.',
  ];
  print(options, { id, approved: true }, lines.join('\n'));
}

async function withdraw(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const app = await withDatabase(environment, (db) => withdrawApproval(db, id));
  if (!app) throw new CliError(`there is no approved app with the ID ${id}; see \`client list\``);
  const { name, ended, company_id: companyId } = app;
  const lines = [
    `Only people of company ${companyId}, which made ${name}, can now authorize it.`,
    `Revoked connections of other companies: ${ended}. Their admins are notified.`,
  ];
  print(options, { id, approved: false, ended }, lines.join('\n'));
}

export async function rotateSecret(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const secret = await withDatabase(environment, (db) => rotateClientSecret(db, id));
  if (!secret) throw noClient('active, confidential', id);
  print(
    options,
    { id, secret },
    `Secret   ${secret} (${storeHint})\nThe previous secret is no longer valid; user grants stay.`,
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
  if (ended === undefined) throw new CliError(`there is no client with the ID ${id}; see \`client list\``);
  print(options, { id, ended }, `Revoked connections of client ${id}: ${ended}. People can authorize it again.`);
}

export async function revoke(environment: Environment, id: string, options: OutputOptions): Promise<void> {
  const revoked = await withDatabase(environment, (db) => revokeClient(db, id));
  if (!revoked) throw noClient('active', id);
  print(options, { id, revoked }, `Client ${id} and all its tokens are revoked.`);
}

function noClient(kind: string, id: string): CliError {
  return new CliError(`there is no ${kind} client with the ID ${id}; see \`client list\``);
}
