/** A connection as the sign-in page finds it: by its id, before the company is known. */
import type { Database } from '../../platform/db/client.ts';
import { isId } from '../access/records.ts';
import { type SignInSettings, secretPlace } from './sign-in-settings.ts';

export interface ConnectionAtSignIn {
  id: string;
  company_id: string;
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  isEnabled: boolean;
  trusts_provider: boolean;
}

export async function openConnection(
  db: Database,
  { vault }: SignInSettings,
  id: string,
): Promise<ConnectionAtSignIn | undefined> {
  if (!isId(id)) return undefined;
  const row = await db.global
    .selectFrom('sign_in_connections')
    .select(['id', 'company_id', 'name', 'issuer', 'client_id', 'client_secret_encrypted', 'status', 'trusts_provider'])
    .where('id', '=', id.toLowerCase())
    .executeTakeFirst();
  if (!row) return undefined;
  const { client_secret_encrypted: sealed, status, ...connection } = row;
  return {
    ...connection,
    client_secret: vault.open(sealed, secretPlace(row.id)),
    isEnabled: status === 'enabled',
  };
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

export async function noteTested(db: Database, { id, client_id: clientId }: ConnectionAtSignIn): Promise<void> {
  await db.global
    .updateTable('sign_in_connections')
    .set({ tested_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('client_id', '=', clientId)
    .execute();
}
