/** Inserts sign-in connections as rows, which allows more of them than the API does. */
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../../src/platform/config/config.ts';
import { createSignInSettings, secretContext } from '../../../src/product/sign-in-connections/sign-in-settings.ts';
import type { TestDatabase } from '../database/database.ts';

interface Settings {
  issuer?: string;
  client_id?: string;
  client_secret?: string;
  client_authentication?: 'client_secret' | 'private_key_jwt';
  status?: 'draft' | 'enabled';
  sign_in?: 'any' | 'connection' | 'connection_only';
  sign_in_by_role?: Partial<Record<'admin' | 'manager' | 'employee', 'any' | 'connection' | 'connection_only'>>;
  trusts_provider?: boolean;
  kind?: 'oidc' | 'saml';
  /** For SAML. */
  sso_url?: string;
  certificates?: string[];
  metadata_url?: string | null;
  metadata_read_at?: string | null;
  subject_attribute?: string | null;
  /** Verified. */
  domains?: string[];
}

/** Inserts a connection that counts as tested. @returns its id */
export async function addSignInConnection(
  app: { database: TestDatabase; company_id: string; config: Config },
  {
    client_secret: secret = 'a secret of the provider',
    domains = [],
    sign_in_by_role: byRole = {},
    ...settings
  }: Settings = {},
  companyId = app.company_id,
): Promise<string> {
  const id = uuidv7();
  const row = {
    id,
    company_id: companyId,
    name: 'Verdelog Okta',
    kind: 'oidc',
    issuer: 'https://verdelog.okta.example',
    ...(settings.kind !== 'saml' && {
      client_id: 'verdelog',
      client_authentication: 'client_secret',
      ...(settings.client_authentication !== 'private_key_jwt' && {
        client_secret_encrypted: createSignInSettings(app.config).vault.seal(secret, secretContext(id)),
      }),
    }),
    sign_in: 'any',
    sign_in_by_role: JSON.stringify(byRole),
    trusts_provider: false,
    tested_at: new Date().toISOString(),
    ...settings,
  };
  await app.database.db.global.insertInto('sign_in_connections').values(row).execute();
  for (const domain of domains) {
    const verifiedDomain = { domain, token: 'token', verified_at: new Date().toISOString() };
    await app.database.db.global
      .insertInto('sign_in_domains')
      .values({ connection_id: id, company_id: companyId, ...verifiedDomain })
      .execute();
  }
  return id;
}
