/** Registered OAuth clients, managed by operators, or by companies for their own apps; there is no dynamic registration. */

import type { Transaction } from 'kysely';
import { hiddenCharacter, oneLine } from '../../contract/texts/one-line.ts';
import { recordInCompanies } from '../../platform/audit/account-entries.ts';
import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { newScannable } from '../../platform/secrets/scannable.ts';
import { secretHash } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { newId } from '../../platform/values/ids.ts';
import { revokeGrants } from '../grants/grants.ts';
import { normalizeUris, redirectUriError } from './redirect-uris.ts';

interface NewClient {
  /** Shown to users on the consent page. */
  name: string;
  redirect_uris: string[];
  /** A client that can't keep a secret: a mobile, desktop, or browser app. */
  public: boolean;
}

interface ListedClient extends NewClient {
  id: string;
  /** The company that registered it; null for the operator's clients. */
  company_id: string | null;
  visibility: string;
  approved_at: string | null;
  created_at: string;
  revoked_at: string | null;
}

/** A client can't be registered; the message is one sentence for the operator. */
export class ClientError extends Error {
  override name = 'ClientError';
}

/** @returns the id, and for a confidential client the secret, of which only the SHA-256 is stored @throws ClientError */
export async function createClient(db: Database, client: NewClient): Promise<{ id: string; secret?: string }> {
  const name = oneLine(client.name);
  if (!name) throw new ClientError('a client needs a name');
  const character = hiddenCharacter(name);
  if (character) throw new ClientError(`the name has the invisible character ${character}`);
  if (client.redirect_uris.length === 0) throw new ClientError('a client needs at least one redirect URI');
  for (const uri of client.redirect_uris) checkRedirectUri(uri, client.public);
  const id = newId();
  const secret = client.public ? undefined : newScannable('client_secret');
  const redirectUris = normalizeUris(client.redirect_uris);
  const row = { id, name, redirect_uris: redirectUris, secret_hash: secret === undefined ? null : secretHash(secret) };
  await db.global.transaction().execute(async (tx) => {
    await tx.insertInto('oauth_clients').values(row).execute();
    await notifyAccessChanged(tx, { clients: true });
  });
  return secret === undefined ? { id } : { id, secret };
}

/** All clients including revoked ones, oldest first. */
export async function listClients(db: Database): Promise<ListedClient[]> {
  const rows = await db.global
    .selectFrom('oauth_clients')
    .select([
      'id',
      'name',
      'redirect_uris',
      'secret_hash',
      'company_id',
      'visibility',
      'approved_at',
      'created_at',
      'revoked_at',
    ])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ secret_hash: secretHash, ...client }) => ({ ...client, public: secretHash === null }));
}

/** Lets users of other companies authorize an app with visibility `everyone`, until it is changed. @returns the app's company */
export async function approveClient(
  db: Database,
  id: string,
): Promise<{ company_id: string; name: string } | undefined> {
  const approved = await db.global
    .updateTable('oauth_clients')
    .set({ approved_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('visibility', '=', 'everyone')
    .where('company_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .returning(['company_id', 'name'])
    .executeTakeFirst();
  if (!approved) return undefined;
  const { company_id: companyId, name } = approved;
  const target = { type: 'app', id };
  await recordInCompanies(db, [companyId!], { action: 'app.approved', actor: { type: 'operator' }, target });
  return { company_id: companyId!, name };
}

/** Revokes all grants of a client. @returns the revoked grants */
export async function revokeGrantsOfClient(
  tx: Transaction<GlobalTables>,
  id: string,
): Promise<{ id: string; user_id: string; company_ids: string[] }[]> {
  const grants = tx
    .selectFrom('oauth_grants')
    .select(['id', 'user_id', 'company_ids'])
    .where('client_id', '=', id)
    .where('revoked_at', 'is', null);
  const rows = await grants.orderBy('id').forUpdate().execute();
  await revokeGrants(
    tx,
    rows.map((grant) => grant.id),
  );
  return rows;
}

/** @throws ClientError */
function checkRedirectUri(uri: string, isPublic: boolean): void {
  const error = redirectUriError(uri, isPublic);
  if (error) throw new ClientError(`${words[error]}: ${uri}`);
}

const words = {
  no_uri: 'not a URI, or one with spaces or line breaks',
  too_long: 'a redirect URI has at most 2048 characters',
  host: 'the host must be a DNS name without wildcards, or an IP address',
  fragment: "a redirect URI can't have a fragment",
  credentials: "a redirect URI can't have a user name or password",
  scheme: 'a redirect URI must use https, http on loopback, or a custom scheme with a dot',
};
