/**
 * The storage of the authorization server: sessions, interactions, codes, refresh tokens, grants.
 *
 * Each entry is found by the SHA-256 of its secret and encrypted, so the tables are of no use to somebody who can read
 * them. Clients are read from `oauth_clients`. An outage of the database is reported as `temporarily_unavailable`.
 */
import type { Kysely, Selectable } from 'kysely';
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { OauthArtifacts, OauthClients } from '../../../generated/db.ts';
import { isUnavailable } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import { type EncryptionKeys, secretHash, type Vault, vault } from '../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { acceptedHashes } from '../clients/client-secrets.ts';
import { artifactPlace, revokeGrant } from '../grants/grants.ts';
import { grantIsOver, sessionIsOver } from '../grants/sign-in-age.ts';
import { passwordMark } from '../passwords/passwords.ts';
import { clientCredentials } from './client-credentials.ts';

/**
 * How long a refresh token that was used still counts as unused: it gives the same successor again (see
 * `refresh-tokens.ts`). Afterwards using it again means that it leaked, and ends the grant.
 */
const reuseWindowS = 60;

/** Kinds of which the first of two stays. */
const keptAsTheyAre = new Set(['RefreshToken', 'ReplayDetection']);

/** Kinds that end with their grant. */
const kindsOfGrant = new Set(['AuthorizationCode', 'RefreshToken']);

export function createAdapter(db: Database, encryptionKeys: EncryptionKeys): AdapterFactory {
  const artifacts = { database: db, sealed: vault(encryptionKeys, 'oauth-artifacts') };
  return (kind) => reportingOutages(kind === 'Client' ? clientAdapter(db.global) : artifactAdapter(kind, artifacts));
}

/** Deletes what has expired: for the worker, now and then. @returns how many rows */
export async function removeExpired(db: Database): Promise<number> {
  const now = new Date().toISOString();
  const result = await db.global.deleteFrom('oauth_artifacts').where('expires_at', '<', now).executeTakeFirst();
  return Number(result.numDeletedRows);
}

/**
 * Notes that something was used, for all processes and for some time.
 * @returns whether it is the first time
 */
export async function useOnce(
  db: Database,
  encryptionKeys: EncryptionKeys,
  id: string,
  keptS: number,
): Promise<boolean> {
  const idHash = secretHash(id);
  const kind = 'ReplayDetection';
  const inserted = await db.global
    .insertInto('oauth_artifacts')
    .values({
      kind,
      id_hash: idHash,
      payload_encrypted: vault(encryptionKeys, 'oauth-artifacts').seal('{}', artifactPlace(kind, idHash)),
      expires_at: new Date(Date.now() + keptS * 1000).toISOString(),
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
        payload_encrypted: sealed.seal(JSON.stringify(payload), artifactPlace(kind, idHash)),
        uid_hash: payload.uid ? secretHash(payload.uid) : null,
        grant_id: kindsOfGrant.has(kind) ? (payload.grantId ?? null) : null,
        expires_at: lifetimeS ? new Date(Date.now() + lifetimeS * 1000).toISOString() : null,
      };
      const result = await db
        .insertInto('oauth_artifacts')
        .values({ kind, id_hash: idHash, ...changed })
        .onConflict((conflict) => {
          const known = conflict.columns(['kind', 'id_hash']);
          // The same successor, made again: it stays as the first request made it. And an assertion counts once.
          return keptAsTheyAre.has(kind) ? known.doNothing() : known.doUpdateSet(changed);
        })
        .executeTakeFirst();
      if (kind === 'ReplayDetection' && !Number(result.numInsertedOrUpdatedRows))
        throw new errors.InvalidClientAuth('client assertion tokens must only be used once');
    },
    find: (id) => opened('id_hash', id),
    findByUid: (uid) => opened('uid_hash', uid),
    findByUserCode: async () => undefined, // a code typed on another device: that flow is off
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
      // Two requests found the code unused at the same moment; the slower one is a replay like any other.
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
  const payload: AdapterPayload = JSON.parse(sealed.open(row.payload_encrypted, artifactPlace(row.kind, row.id_hash)));
  if (!row.consumed_at) return payload;
  const consumedS = Math.floor(Date.parse(row.consumed_at) / 1000);
  const counts = row.kind !== 'RefreshToken' || Date.parse(row.consumed_at) + reuseWindowS * 1000 <= Date.now();
  return counts ? { ...payload, consumed: consumedS } : payload;
}

/** Whether there is something in store that counts no more. */
async function hasEnded(db: Database, kind: string, payload: AdapterPayload): Promise<boolean> {
  const { accountId, loginTs, authTime, grantId } = payload;
  if (kind === 'RefreshToken') return Boolean(grantId && authTime && (await grantIsOver(db, grantId, authTime)));
  if (kind !== 'Session' || !accountId) return false;
  return !(await stillOpen(db.global, payload)) || Boolean(loginTs && (await sessionIsOver(db, accountId, loginTs)));
}

/** A session carries the mark of the password it was opened with (as `acr`), and ends when there is another one. */
async function stillOpen(db: Kysely<GlobalTables>, { accountId, acr }: AdapterPayload): Promise<boolean> {
  const user = await db.selectFrom('users').select('password_hash').where('id', '=', accountId!).executeTakeFirst();
  return Boolean(user?.password_hash) && passwordMark(user!.password_hash!) === acr;
}

/** The scopes that an app may ask for, beside what the library knows of a client; left out for one that may ask for all. */
export const appScopes = 'app_scopes';

/** Clients are only read here; `identity/clients/clients.ts` makes and ends them. */
function clientAdapter(db: Kysely<GlobalTables>): Adapter {
  const unused = async () => {
    throw new Error('clients are not managed by the authorization server');
  };
  return {
    async find(id) {
      if (id.includes('\0')) return undefined; // a character that Postgres takes in no text
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
    // The library lets the loopback port vary for "native" clients only; whether a client is asked for consent each
    // time depends on its secret instead.
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token', ...(client.secret_hash ? [clientCredentials] : [])],
    response_types: ['code'],
    response_modes: ['query'],
    ...authenticationOf(client),
  };
}

/** A client with keys signs; its secret counts again when it has none. */
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
  const description = 'the service can not answer right now, try again soon';
  const error = new errors.TemporarilyUnavailable(description, { cause });
  return Object.assign(error, { status: 503, statusCode: 503 });
}
