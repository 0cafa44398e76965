/** Inserts apps as rows, which allows more of them than the API does. */
import { v7 as uuidv7 } from 'uuid';
import { secretHash } from '../../../src/platform/secrets/secrets.ts';
import type { TestDatabase } from '../database/database.ts';

/** Secret of the apps that `addApp` inserts. */
export const knownAppSecret = 'cma_cs_0V0RuNu9YIAbMrPpSgbLsGAhOhkyZWmyt8xpzvGJTZ42mUCHS';

interface AppFields {
  name?: string;
  redirect_uris?: string[];
  scopes?: string[] | null;
  visibility?: string;
  approved_at?: string | null;
  secret_hash?: Buffer | null;
  earlier_secrets?: string;
  created_at?: string;
}

export async function addApp(
  { database, company_id: companyId }: { database: TestDatabase; company_id: string },
  fields: AppFields = {},
): Promise<string> {
  const id = uuidv7();
  const row = {
    id,
    company_id: companyId,
    name: 'Shift planner',
    redirect_uris: ['http://127.0.0.1/callback'],
    secret_hash: secretHash(knownAppSecret),
    ...fields,
  };
  await database.db.global.insertInto('oauth_clients').values(row).execute();
  return id;
}
