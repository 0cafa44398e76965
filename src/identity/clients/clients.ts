/** Registered OAuth clients. They are managed with the command line; there is no dynamic registration. */

import type { Database } from '../../platform/db/client.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { newScannable } from '../../platform/secrets/scannable.ts';
import { secretHash } from '../../platform/secrets/secrets.ts';
import { newId } from '../../platform/values/ids.ts';
import { endGrants } from '../grants/grants.ts';

interface NewClient {
  /** Shown to users on the consent page. */
  name: string;
  redirect_uris: string[];
  /** A client that can't keep a secret: an app on a phone or a desktop, or one that lives in a browser. */
  public: boolean;
}

interface ListedClient extends NewClient {
  id: string;
  created_at: string;
  revoked_at: string | null;
}

/** A client that can't be registered; its message is one sentence for the operator. */
export class ClientError extends Error {
  override name = 'ClientError';
}

/**
 * @returns the id, and for a confidential client the secret: shown once, only its SHA-256 is kept
 * @throws ClientError
 */
export async function createClient(db: Database, client: NewClient): Promise<{ id: string; secret?: string }> {
  if (!client.name.trim()) throw new ClientError('a client needs a name');
  if (client.redirect_uris.length === 0) throw new ClientError('a client needs at least one redirect URI');
  for (const uri of client.redirect_uris) checkRedirectUri(uri, client.public);
  const id = newId();
  const secret = client.public ? undefined : newScannable('client_secret');
  const { name, redirect_uris } = client;
  const row = { id, name: name.trim(), redirect_uris, secret_hash: secret === undefined ? null : secretHash(secret) };
  await db.global.transaction().execute(async (tx) => {
    await tx.insertInto('oauth_clients').values(row).execute();
    await notifyAccessChanged(tx, { clients: true });
  });
  return secret === undefined ? { id } : { id, secret };
}

/** Every client, revoked ones too, oldest first. */
export async function listClients(db: Database): Promise<ListedClient[]> {
  const rows = await db.global
    .selectFrom('oauth_clients')
    .select(['id', 'name', 'redirect_uris', 'secret_hash', 'created_at', 'revoked_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ secret_hash, ...client }) => ({ ...client, public: secret_hash === null }));
}

/**
 * Ends a client and everything users granted to it.
 * @returns false when there is no such client, or it is revoked already
 */
export async function revokeClient(db: Database, id: string): Promise<boolean> {
  return db.global.transaction().execute(async (tx) => {
    const revoked = await tx
      .updateTable('oauth_clients')
      .set({ revoked_at: new Date().toISOString() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!revoked) return false;
    await notifyAccessChanged(tx, { clients: true });
    const grants = tx
      .selectFrom('oauth_grants')
      .select('id')
      .where('client_id', '=', id)
      .where('revoked_at', 'is', null);
    const rows = await grants.forUpdate().execute();
    await endGrants(
      tx,
      rows.map((grant) => grant.id),
    );
    return true;
  });
}

/** @param hostname as `URL` writes it */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/**
 * https anywhere; http on loopback only, where any port will match (RFC 8252, section 7.3); an app's own scheme, which
 * must hold a dot (section 7.1), for public clients.
 */
function checkRedirectUri(uri: string, is_public: boolean): void {
  const url = URL.parse(uri);
  if (!url) throw new ClientError(`not a URI: ${uri}`);
  if (url.href.includes('#')) throw new ClientError(`a redirect URI has no fragment: ${uri}`);
  if (url.username || url.password) throw new ClientError(`a redirect URI has no user name or password: ${uri}`);
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'https:' && !loopback) return;
  if (url.protocol === 'http:' && loopback) return;
  if (is_public && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)) return;
  throw new ClientError(`a redirect URI is https, or http on loopback, or an app's own scheme with a dot: ${uri}`);
}
