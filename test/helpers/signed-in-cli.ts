/** A running service with its worker, and a local sign-in, for commands that use the API. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '../../scripts/run/sign-in.ts';
import { createClient } from '../../src/identity/clients/clients.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { createCompany } from '../../src/product/companies/companies.ts';
import { type Service, type ServiceOptions, startService } from '../../src/service.ts';
import { type Ended, runCli } from './cli.ts';
import { type Running, settings, start, temporaryFolder } from './command.ts';
import { type TestDatabase, testDatabase } from './database/database.ts';

export interface SignedIn {
  service: Service;
  database: TestDatabase;
  company_id: string;
  folder: string;
  env: Record<string, string>;
  cli(...args: string[]): Promise<Ended>;
  /** Starts a process. */
  start(...args: string[]): Running;
  /** @returns a function that restarts it at the same address */
  stopService(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const admin = { email: 'mariana@verde.example', password: 'correct horse battery staple' };
const busy = { RATE_LIMIT_REQUESTS_PER_MIN: '1000000', RATE_LIMIT_HEAVY_PER_MIN: '1000000' };

interface Options extends ServiceOptions {
  /** Scope of the sign-in; everything by default. */
  scope?: string;
}

export async function signedIn({ scope, ...options }: Options = {}): Promise<SignedIn> {
  const [database, folder] = await Promise.all([testDatabase(10), temporaryFolder()]);
  const env: Record<string, string> = {
    ...settings(folder.path, database.url),
    PORT: '0',
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...busy,
  };
  let service = await startService(readConfig(env), options);
  const person = { ...admin, name: 'Mariana Duarte', position: 'Director', department: 'Management' };
  const { company } = await createCompany(database.db, 'Verde Logística', person);
  const client = { name: 'Command line', redirect_uris: ['http://127.0.0.1/callback'], public: true };
  const { id: clientId } = await createClient(database.db, client);
  const { base_url: baseUrl } = service;
  const tokens = await signIn({ base_url: baseUrl, client_id: clientId, ...admin, ...(scope && { scope }) });
  const { access_token: accessToken, refresh_token: refreshToken = null } = tokens;
  // Nearly expired: the first request of a command must refresh it.
  const storedTokens = {
    client_id: clientId,
    access_token: accessToken,
    refresh_token: refreshToken,
    scope: tokens.scope,
    expires_at: new Date().toISOString(),
  };
  const cwd = join(folder.path, 'here');
  await mkdir(cwd);
  const credentials = join(env.XDG_CONFIG_HOME!, 'collaborator-api');
  await mkdir(credentials, { recursive: true });
  await writeFile(join(credentials, 'credentials.json'), JSON.stringify({ [baseUrl]: storedTokens }));
  const at = ['--base-url', baseUrl];
  const { port } = new URL(baseUrl);
  return {
    service,
    database,
    company_id: company.id,
    folder: cwd,
    env,
    cli: (...args) => runCli([...args, ...at], env, { cwd }),
    start: (...args) => start('src/cli.ts', [...args, ...at], env, { cwd }),
    async stopService() {
      await service.stop();
      return async () => {
        service = await startService(readConfig({ ...env, PORT: port }), options);
      };
    },
    async close() {
      await service.stop();
      await folder.remove();
      await database.drop();
    },
  };
}
