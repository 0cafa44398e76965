/**
 * The authorization server's storage: sessions, interactions, codes, refresh tokens, grants.
 *
 * Entries are looked up by the SHA-256 of their secret and encrypted, so reading the tables is useless to an attacker. Clients
 * come from `oauth_clients`. Database outages are reported as `temporarily_unavailable`.
 */
import type { Kysely, Selectable } from 'kysely';
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { OauthArtifacts, OauthClients } from '../../../generated/db.ts';
import { isUnavailable } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import { removeOlder } from '../../platform/db/remove-older.ts';
import { type EncryptionKeys, secretHash, type Vault, vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { acceptedHashes } from '../clients/client-secrets.ts';
import { artifactContext, revokeGrant } from '../grants/grants.ts';
import { grantIsOver, sessionIsOver } from '../grants/sign-in-age.ts';
import { passwordMark } from '../passwords/passwords.ts';
import { clientCredentials } from './client-credentials.ts';

/** How long a used refresh token returns the same successor (see `refresh-tokens.ts`). Later reuse means a leak. */
const reuseWindowS = 60;

/** Kinds whose first write wins. */
const immutableKinds = new Set(['RefreshToken', 'ReplayDetection']);

/** Kinds that are deleted with their grant. */
const kindsOfGrant = new Set(['AuthorizationCode', 'RefreshToken']);

export function createAdapter(db: Database, encryptionKeys: EncryptionKeys): AdapterFactory {
  const artifacts = { database: db, sealed: vault(encryptionKeys, 'oauth-artifacts') };
  return (kind) => reportingOutages(kind === 'Client' ? clientAdapter(db.global) : artifactAdapter(kind, artifacts));
}

/** Called by the worker: deletes expired entries. @returns how many */
export async function removeExpired(db: Database): Promise<number> {
  return removeOlder(db.global, 'oauth_artifacts', 'expires_at', new Date().toISOString());
}

/** Records a use for all processes, for a limited time. @returns whether it is the first */
export async function useOnce(
  db: Database,
  encryptionKeys: EncryptionKeys,
  id: string,
  ttlS: number,
): Promise<boolean> {
  const idHash = secretHash(id);
  const kind = 'ReplayDetection';
  const inserted = await db.global
    .insertInto('oauth_artifacts')
    .values({
      kind,
      id_hash: idHash,
      payload_encrypted: vault(encryptionKeys, 'oauth-artifacts').seal('{}', artifactContext(kind, idHash)),
      expires_at: new Date(Date.now() + ttlS * 1000).toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doNothing())
    .returning('kind')
    .executeTakeFirst();
  return inserted !== undefined;
}

function artifactAdapter(kind: string, { database, sealed }: { database: Database; sealed: Vault }): Adapter {
  const db = database.global;
  const find = (column: 'id_hash' | 'uid_hash', secret: string) =>
    db
      .selectFrom('oauth_artifacts')
      .select(artifactColumns)
      .where('kind', '=', kind)
      .where(column, '=', secretHash(secret));
  const opened = async (column: 'id_hash' | 'uid_hash', secret: string) => {
    const found = payloadOf(await find(column, secret).executeTakeFirst(), sealed);
    return found && (await hasEnded(database, kind, found)) ? undefined : found;
  };
  return {
    async upsert(id, payload, lifetimeS) {
      const idHash = secretHash(id);
      const changed = {
        payload_encrypted: sealed.seal(JSON.stringify(payload), artifactContext(kind, idHash)),
        uid_hash: payload.uid ? secretHash(payload.uid) : null,
        grant_id: kindsOfGrant.has(kind) ? (payload.grantId ?? null) : null,
        expires_at: lifetimeS ? new Date(Date.now() + lifetimeS * 1000).toISOString() : null,
      };
      const result = await db
        .insertInto('oauth_artifacts')
        .values({ kind, id_hash: idHash, ...changed })
        .onConflict((conflict) => {
          const known = conflict.columns(['kind', 'id_hash']);
          // A successor that is created again keeps its first version; an assertion counts once.
          return immutableKinds.has(kind) ? known.doNothing() : known.doUpdateSet(changed);
        })
        .executeTakeFirst();
      if (kind === 'ReplayDetection' && !Number(result.numInsertedOrUpdatedRows))
        throw new errors.InvalidClientAuth('client assertion tokens must only be used once');
    },
    find: (id) => opened('id_hash', id),
    findByUid: (uid) => opened('uid_hash', uid),
    findByUserCode: async () => undefined, // for the device flow, which is disabled
    async consume(id) {
      const consumed = await db
        .updateTable('oauth_artifacts')
        .set({ consumed_at: new Date().toISOString() })
        .where('kind', '=', kind)
        .where('id_hash', '=', secretHash(id))
        .where('consumed_at', 'is', null)
        .returning('grant_id')
        .executeTakeFirst();
      if (consumed || kind !== 'AuthorizationCode') return;
      // Two concurrent requests found the code unused; the slower one is a replay.
      const code = await find('id_hash', id).executeTakeFirst();
      if (code?.grant_id) await revokeGrant(db, code.grant_id);
      throw new errors.InvalidGrant('authorization code already consumed');
    },
    async destroy(id) {
      if (kind === 'Grant') return revokeGrant(db, id);
      await db.deleteFrom('oauth_artifacts').where('kind', '=', kind).where('id_hash', '=', secretHash(id)).execute();
    },
    revokeByGrantId: (grantId) => revokeGrant(db, grantId),
  };
}

const artifactColumns = [
  'kind',
  'id_hash',
  'payload_encrypted',
  'grant_id',
  'consumed_at',
] as const satisfies (keyof OauthArtifacts)[];

type Artifact = Pick<Selectable<OauthArtifacts>, (typeof artifactColumns)[number]>;

function payloadOf(row: Artifact | undefined, sealed: Vault): AdapterPayload | undefined {
  if (!row) return undefined;
  const payload: AdapterPayload = JSON.parse(
    sealed.open(row.payload_encrypted, artifactContext(row.kind, row.id_hash)),
  );
  if (!row.consumed_at) return payload;
  const consumedS = Math.floor(Date.parse(row.consumed_at) / 1000);
  const counts = row.kind !== 'RefreshToken' || Date.parse(row.consumed_at) + reuseWindowS * 1000 <= Date.now();
  return counts ? { ...payload, consumed: consumedS } : payload;
}

/** Whether a stored entry is no longer valid. */
async function hasEnded(db: Database, kind: string, payload: AdapterPayload): Promise<boolean> {
  const { accountId, loginTs, authTime, grantId } = payload;
  if (kind === 'RefreshToken') return Boolean(grantId && authTime && (await grantIsOver(db, grantId, authTime)));
  if (kind !== 'Session' || !accountId) return false;
  return !(await isStillOpen(db.global, payload)) || Boolean(loginTs && (await sessionIsOver(db, accountId, loginTs)));
}

/** A session carries the mark of its password (as `acr`), and ends when the password changes. */
async function isStillOpen(db: Kysely<GlobalTables>, { accountId, acr }: AdapterPayload): Promise<boolean> {
  const user = await db.selectFrom('users').select('password_hash').where('id', '=', accountId!).executeTakeFirst();
  return Boolean(user?.password_hash) && passwordMark(user!.password_hash!) === acr;
}

/** Client metadata: the scopes an app may request; undefined for all. */
export const appScopes = 'app_scopes';

/** Read only; `identity/clients/clients.ts` manages clients. */
function clientAdapter(db: Kysely<GlobalTables>): Adapter {
  const unused = async () => {
    throw new Error('clients are not managed by the authorization server');
  };
  return {
    async find(id) {
      if (id.includes('\0')) return undefined; // Postgres doesn't allow this character in text
      const query = db
        .selectFrom('oauth_clients')
        .select(clientColumns)
        .where('id', '=', id)
        .where('revoked_at', 'is', null);
      const client = await query.executeTakeFirst();
      return client && metadataOf(client);
    },
    upsert: unused,
    findByUid: unused,
    findByUserCode: unused,
    consume: unused,
    destroy: unused,
    revokeByGrantId: unused,
  };
}

const clientColumns = [
  'id',
  'name',
  'redirect_uris',
  'secret_hash',
  'earlier_secrets',
  'jwks',
  'scopes',
] as const satisfies (keyof OauthClients)[];

type ClientRow = Pick<Selectable<OauthClients>, (typeof clientColumns)[number]>;

function metadataOf(client: ClientRow): AdapterPayload {
  return {
    client_id: client.id,
    client_name: client.name,
    [appScopes]: client.scopes ?? undefined,
    redirect_uris: client.redirect_uris,
    // The library allows any loopback port only for "native" clients; whether consent is always required depends on the client's
    // secret instead.
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token', ...(client.secret_hash ? [clientCredentials] : [])],
    response_types: ['code'],
    ...authenticationOf(client),
  };
}

/** A client with keys must sign; without keys, its secret is used. */
function authenticationOf({ secret_hash: secretHash, earlier_secrets: earlier, jwks }: ClientRow) {
  if (!secretHash) return { token_endpoint_auth_method: 'none' } as const;
  if (jwks) return { token_endpoint_auth_method: 'private_key_jwt', jwks: jwks as { keys: [] } } as const;
  const clientSecret = acceptedHashes(secretHash, earlier);
  return { token_endpoint_auth_method: 'client_secret_basic', client_secret: clientSecret } as const;
}

function reportingOutages(adapter: Adapter): Adapter {
  const wrapped = Object.entries(adapter).map(([name, method]) => [
    name,
    async (...parameters: unknown[]) => {
      try {
        return await (method as (...parameters: unknown[]) => unknown)(...parameters);
      } catch (cause) {
        throw isUnavailable(cause) ? unavailable(cause) : cause;
      }
    },
  ]);
  return Object.fromEntries(wrapped);
}

function unavailable(cause: unknown): Error {
  const description = "the service can't respond right now, try again soon";
  const error = new errors.TemporarilyUnavailable(description, { cause });
  return Object.assign(error, { status: 503, statusCode: 503 });
}
