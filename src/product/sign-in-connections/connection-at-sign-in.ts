/** Finds connections for the sign-in page by id, before the company is known. */
import type { Database } from '../../platform/db/client.ts';
import { isId } from '../access/records.ts';
import { type PrivateClientKey, signingClientKey } from './client-keys.ts';
import { type SignInSettings, secretContext } from './sign-in-settings.ts';

interface AnyConnection {
  id: string;
  company_id: string;
  name: string;
  /** For SAML, the entity ID of the provider. */
  issuer: string;
  isEnabled: boolean;
  trusts_provider: boolean;
}

export interface OidcConnection extends AnyConnection {
  kind: 'oidc';
  client_id: string;
  /** The client secret, or the key that signs assertions. */
  credential: string | PrivateClientKey;
}

export interface SamlConnection extends AnyConnection {
  kind: 'saml';
  sso_url: string;
  /** PEM. */
  certificates: string[];
  metadata_url: string | null;
  /** The attribute that identifies a person; null for a persistent NameID. */
  subject_attribute: string | null;
}

export type ConnectionAtSignIn = OidcConnection | SamlConnection;

const common = ['id', 'company_id', 'name', 'issuer', 'trusts_provider'] as const;
const protocolColumns = ['client_id', 'sso_url', 'certificates', 'metadata_url', 'subject_attribute'] as const;

export async function openConnection(
  db: Database,
  settings: SignInSettings,
  id: string,
): Promise<ConnectionAtSignIn | undefined> {
  if (!isId(id)) return undefined;
  const row = await db.global
    .selectFrom('sign_in_connections')
    .select([...common, ...protocolColumns, 'kind', 'client_secret_encrypted', 'status'])
    .where('id', '=', id.toLowerCase())
    .executeTakeFirst();
  if (!row) return undefined;
  const { client_secret_encrypted: sealed, client_id: clientId, kind, status, ...rest } = row;
  const {
    sso_url: ssoUrl,
    certificates,
    metadata_url: metadataUrl,
    subject_attribute: attribute,
    ...connection
  } = rest;
  const opened = { ...connection, isEnabled: status === 'enabled' };
  if (kind === 'oidc') {
    const key = sealed ? undefined : await signingClientKey(db, settings, row.id);
    const credential = sealed ? settings.vault.open(sealed, secretContext(row.id)) : key;
    return credential === undefined ? undefined : { ...opened, kind, client_id: clientId!, credential };
  }
  const saml = {
    sso_url: ssoUrl!,
    certificates: certificates!,
    metadata_url: metadataUrl,
    subject_attribute: attribute,
  };
  return { ...opened, kind: 'saml', ...saml };
}

export async function enabledConnections(db: Database, companyId: string): Promise<{ id: string; name: string }[]> {
  return db.global
    .selectFrom('sign_in_connections')
    .select(['id', 'name'])
    .where('company_id', '=', companyId)
    .where('status', '=', 'enabled')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function anyConnection(db: Database): Promise<boolean> {
  const found = await db.global
    .selectFrom('sign_in_connections')
    .select('id')
    .where('status', '=', 'enabled')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Records a successful test, unless the client or the subject attribute has changed since. */
export async function recordTest(db: Database, connection: ConnectionAtSignIn): Promise<void> {
  const { id, kind } = connection;
  await db.global
    .updateTable('sign_in_connections')
    .set({ tested_at: new Date().toISOString() })
    .where('id', '=', id)
    .where(({ eb }) =>
      kind === 'oidc'
        ? eb('client_id', '=', connection.client_id)
        : eb('subject_attribute', 'is not distinct from', connection.subject_attribute),
    )
    .execute();
}
