/** Inserts connections as rows. */
import { v7 as uuidv7 } from 'uuid';
import type { Identity, TestApp, TestClient } from '../app.ts';

interface ConnectionFields {
  user_id?: string;
  client_id?: string;
  company_ids?: string[];
  scopes?: string[];
  created_at?: string;
  expires_at?: string;
  installation_role?: string;
}

/** Connects the admin to the test client. @returns the id of the connection */
export async function addConnection(app: TestApp, fields: ConnectionFields = {}): Promise<string> {
  const id = uuidv7();
  const row = { id, user_id: app.admin.user_id, client_id: 'test-client', company_ids: [app.company_id], ...fields };
  await app.database.db.global.insertInto('oauth_grants').values(row).execute();
  return id;
}

/** Installs an app for the company, with all scopes. @returns its client, whose `user_id` is the installation id */
export async function addInstallation(
  app: TestApp,
  installer: Identity,
  role: 'admin' | 'manager',
): Promise<TestClient> {
  const id = uuidv7();
  const client = await app.as(installer, { grant_id: id, claims: { sub: id } });
  await app.database.query('update oauth_grants set installation_role = $1 where id = $2', [role, id]);
  return { ...client, user_id: id };
}
