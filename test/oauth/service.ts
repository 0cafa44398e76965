/** The authorization server alone, on a database of its own: people, companies and clients to sign in with. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createCompany, createPerson } from '../../src/accounts/companies.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { type AccessListener, listenForAccessChanges } from '../../src/db/listen.ts';
import { createClient } from '../../src/oauth/clients.ts';
import { createOAuth } from '../../src/oauth/provider.ts';
import type { Verifier } from '../../src/oauth/verify.ts';
import { vault } from '../../src/secrets.ts';
import { type TestDatabase, testDatabase } from '../helpers/database.ts';

export interface OAuthService {
  base_url: string;
  /** Where it really listens: `base_url`, unless another was asked for. */
  address: string;
  config: Config;
  database: TestDatabase;
  access: AccessListener;
  verify: Verifier['verify'];
  /** Clients: one with a secret, one without. */
  confidential: { id: string; secret: string };
  native: { id: string };
  /** One of the redirect URIs of both clients. */
  redirect_uri: string;
  /** Ana is an employee of the first company and the admin of the second. */
  ana: { user_id: string; email: string; password: string };
  company_ids: [string, string];
  close(): Promise<void>;
}

export const redirect_uri = 'http://127.0.0.1/callback';
export const web_redirect_uri = 'https://payroll.example/oauth/callback?from=collaborators';

/** Lets time pass: everything of one kind that is stored becomes older by `seconds`. */
export async function age({ config, database }: OAuthService, kind: string, seconds: number): Promise<void> {
  const sealed = vault(config.encryption_key, 'oauth-artifacts');
  const rows = await database.query<{ id_hash: Buffer; payload_encrypted: Buffer }>(
    'select id_hash, payload_encrypted from oauth_artifacts where kind = $1',
    [kind],
  );
  for (const { id_hash, payload_encrypted } of rows) {
    const payload = JSON.parse(sealed.open(payload_encrypted));
    for (const time of ['iat', 'exp', 'iiat', 'loginTs']) if (payload[time]) payload[time] -= seconds;
    await database.query(
      `update oauth_artifacts set payload_encrypted = $3, consumed_at = consumed_at - $4 * interval '1 second',
         expires_at = expires_at - $4 * interval '1 second' where kind = $1 and id_hash = $2`,
      [kind, id_hash, sealed.seal(JSON.stringify(payload)), seconds],
    );
  }
}

/** @param base_url replaces the real address, for example to look at an https deployment */
export async function oauthService(settings: Record<string, string> = {}, base_url?: string): Promise<OAuthService> {
  const database = await testDatabase();
  const { db } = database;
  const config = readConfig({ ...testSettings, ...settings });
  const app = express();
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = listenForAccessChanges({ url: database.url });
  await access.ready;
  const oauth = await createOAuth({ config, base_url: base_url ?? address, db, access });
  app.use(oauth.router);

  const password = 'correct horse battery staple';
  const person = (name: string, email: string) => ({ name, email, position: 'Planner', department: 'Ops', password });
  const first = await createCompany(db, 'Verde Logística', person('Mariana Duarte', 'mariana@example.com'));
  const second = await createCompany(db, 'Nordwind Spedition', person('Ana Lima', 'ana@example.com'));
  await createPerson(db, first.company.id, person('Ana Lima', 'ana@example.com'));
  const redirect_uris = [redirect_uri, 'http://[::1]/callback', 'http://localhost/callback', web_redirect_uri];
  const confidential = await createClient(db, { name: 'Payroll & Co', redirect_uris, public: false });
  const native = await createClient(db, { name: 'Desk <App>', redirect_uris, public: true });
  return {
    base_url: base_url ?? address,
    address,
    config,
    database,
    access,
    verify: oauth.verifyToken,
    confidential: confidential as { id: string; secret: string },
    native,
    redirect_uri,
    ana: { user_id: second.admin.user_id, email: 'ana@example.com', password },
    company_ids: [first.company.id, second.company.id],
    async close() {
      await access.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await database.drop();
    },
  };
}

const testSettings = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'),
};
