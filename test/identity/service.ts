/** The authorization server with its own database, people, companies, and clients. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createOAuth } from '../../src/api/pages/oauth.ts';
import { createClient } from '../../src/identity/clients/clients.ts';
import { artifactContext } from '../../src/identity/grants/grants.ts';
import type { Verifier } from '../../src/identity/tokens/verify-token.ts';
import { type AuditRecorder, createAuditRecorder } from '../../src/platform/audit/recorder.ts';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import { openDatabase } from '../../src/platform/db/client.ts';
import { createMailQueue, type MailQueue } from '../../src/platform/mail/mail-queue.ts';
import { type AccessListener, listenForAccessChanges } from '../../src/platform/notify/listen.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { vault } from '../../src/platform/secrets/secrets.ts';
import { createCompany, createPerson } from '../../src/product/companies/companies.ts';
import { backdated } from '../helpers/database/backdated.ts';
import { type TestDatabase, testDatabase } from '../helpers/database/database.ts';
import { hashOf } from '../helpers/identity/people.ts';

export interface OAuthService {
  base_url: string;
  /** Where it listens; the same as `base_url` unless another was requested. */
  address: string;
  config: Config;
  database: TestDatabase;
  access: AccessListener;
  mail: MailQueue;
  audit: AuditRecorder;
  verify: Verifier['verify'];
  confidential: { id: string; secret: string };
  native: { id: string };
  redirect_uri: string;
  ana: { user_id: string; email: string; password: string };
  company_ids: [string, string];
  /** Closed before the service, whatever the outcome of the test that opened them. */
  opened: (() => Promise<void>)[];
  close(): Promise<void>;
}

export const redirectUri = 'http://127.0.0.1/callback';
export const webRedirectUri = 'https://payroll.example/oauth/callback?from=collaborators';

/** Backdates everything stored of one kind by `seconds`. */
export async function age(
  { config, database }: Pick<OAuthService, 'config' | 'database'>,
  kind: string,
  seconds: number,
): Promise<void> {
  const sealed = vault(config.encryption_keys, 'oauth-artifacts');
  const rows = await database.query<{ id_hash: Buffer; payload_encrypted: Buffer }>(
    'select id_hash, payload_encrypted from oauth_artifacts where kind = $1',
    [kind],
  );
  for (const { id_hash: idHash, payload_encrypted: payloadEncrypted } of rows) {
    const payload = JSON.parse(sealed.open(payloadEncrypted, artifactContext(kind, idHash)));
    for (const time of ['iat', 'exp', 'iiat', 'loginTs', 'authTime']) if (payload[time]) payload[time] -= seconds;
    await database.query(
      `update oauth_artifacts set payload_encrypted = $3, ${backdated('consumed_at', "$4 * interval '1 second'")},
         ${backdated('expires_at', "$4 * interval '1 second'")} where kind = $1 and id_hash = $2`,
      [kind, idHash, sealed.seal(JSON.stringify(payload), artifactContext(kind, idHash)), seconds],
    );
  }
}

/**
 * @param baseUrl replaces the real address, for example to test an https deployment
 * @param port to listen on, if it must be known beforehand
 */
export async function oauthService(
  settings: Record<string, string> = {},
  baseUrl?: string,
  port = 0,
): Promise<OAuthService> {
  const database = await testDatabase();
  const { db } = database;
  const config = readConfig({ ...testSettings, ...settings });
  const app = express();
  if (config.trust_proxy) app.set('trust proxy', config.trust_proxy);
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = listenForAccessChanges({ url: database.url });
  await access.ready;
  const mail = createMailQueue(config.encryption_keys);
  const audit = createAuditRecorder({ db, log: createLogger('silent') });
  const oauth = await createOAuth({ config, base_url: baseUrl ?? address, db, access, mail });
  app.use(oauth.router);

  const password = 'correct horse battery staple';
  const person = (name: string, email: string) => ({ name, email, position: 'Planner', department: 'Ops', password });
  const [mariana, ana] = [person('Mariana Duarte', 'mariana@example.com'), person('Ana Lima', 'ana@example.com')];
  const first = await createCompany(db, 'Verde Logística', mariana, await hashOf(mariana));
  const second = await createCompany(db, 'Nordwind Spedition', ana, await hashOf(ana));
  await createPerson(db, first.company.id, ana, await hashOf(ana));
  const redirectUris = [redirectUri, 'http://[::1]/callback', 'http://localhost/callback', webRedirectUri];
  const confidential = await createClient(db, { name: 'Payroll & Co', redirect_uris: redirectUris, public: false });
  const native = await createClient(db, { name: 'Desk <App>', redirect_uris: redirectUris, public: true });
  const opened: OAuthService['opened'] = [];
  return {
    base_url: baseUrl ?? address,
    address,
    config,
    database,
    access,
    mail,
    audit,
    verify: oauth.verifyToken,
    confidential: confidential as { id: string; secret: string },
    native,
    redirect_uri: redirectUri,
    ana: { user_id: second.admin.user_id, email: 'ana@example.com', password },
    company_ids: [first.company.id, second.company.id],
    opened,
    async close() {
      for (const close of opened.splice(0)) await close();
      await access.close();
      await audit.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await database.drop();
    },
  };
}

/** Another process of the same service, closed with it, with its own pool, listener, and port. */
export async function otherProcess(service: OAuthService): Promise<{ address: string; verify: Verifier['verify'] }> {
  const { url } = service.database;
  const db = openDatabase({ url, poolSize: 3, connectTimeoutMs: 30_000, statementTimeoutMs: 60_000 });
  const access = listenForAccessChanges({ url });
  await access.ready;
  const { config, base_url: baseUrl, mail } = service;
  const oauth = await createOAuth({ config, base_url: baseUrl, db, access, mail });
  const app = express().use(oauth.router);
  if (config.trust_proxy) app.set('trust proxy', config.trust_proxy);
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  service.opened.push(async () => {
    await access.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await db.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, verify: oauth.verifyToken };
}

const testSettings = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64'),
  // Limits have separate tests; the others try more often than people do.
  SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN: '10000',
  SIGN_IN_FAILURES_PER_ACCOUNT: '10000',
  TOKEN_REQUESTS_PER_MIN: '10000',
  TOKEN_REQUESTS_PER_ADDRESS_PER_MIN: '10000',
  AUTHORIZATION_REQUESTS_PER_ADDRESS_PER_MIN: '10000',
  PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN: '10000',
};
