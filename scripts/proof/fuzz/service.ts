// The service under attack in `make fuzz` and `make proof NAME=fuzz-tenants`: a separate process with its own database.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { type Database, openDatabase } from '../../../src/platform/db/client.ts';
import { createCompany, createPerson } from '../../../src/product/companies/companies.ts';
import { memory, startServer, stopServer, stopServers } from '../../bench/harness/servers.ts';
import { ownPostgres } from '../../run/own-postgres.ts';
import { signIn } from '../../run/sign-in.ts';
import { type Caller, type Role, roles, type Target } from './world.ts';

export interface AttackedService {
  base_url: string;
  /** Public client for sign-ins. */
  client_id: string;
  database_url: string;
  db: Database;
  /** Runs a worker during `work`; otherwise nothing changes by itself. */
  withWorker<T>(work: () => Promise<T>): Promise<T>;
  /** Memory of the service, in MB; undefined where unavailable. */
  memory(): number | undefined;
}

/** No limits on sign-ins and mails: they have their own tests. */
const unlimited = Object.fromEntries(
  [
    'SIGN_IN_FAILURES_PER_ADDRESS_PER_MIN',
    'SIGN_IN_FAILURES_PER_ACCOUNT',
    'TOKEN_REQUESTS_PER_MIN',
    'TOKEN_REQUESTS_PER_ADDRESS_PER_MIN',
    'AUTHORIZATION_REQUESTS_PER_ADDRESS_PER_MIN',
    'PROFILE_REQUESTS_PER_MIN',
    'MAILS_PER_DAY',
    'PASSWORD_RESET_REQUESTS_PER_ADDRESS_PER_MIN',
  ].map((name) => [name, '1000000000']),
);

export async function withAttackedService(attack: (service: AttackedService) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'collaborator-api-fuzz-'));
  const postgres = await ownPostgres(join(folder, 'postgres'), { fsync: 'off' });
  try {
    const ENCRYPTION_KEY = randomBytes(32).toString('base64');
    const settings = {
      ENCRYPTION_KEY,
      DATABASE_URL: postgres.url,
      DATA_DIR: folder,
      LOG_LEVEL: 'info',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    };
    const baseUrl = await startServer(['src/main.ts', 'api'], { ...settings, ...unlimited });
    const pool = { poolSize: 5, connectTimeoutMs: 5_000, statementTimeoutMs: 30_000 };
    const db = openDatabase({ url: postgres.url, ...pool });
    try {
      const redirectUris = ['http://127.0.0.1/callback'];
      const { id: clientId } = await createClient(db, { name: 'Fuzz', redirect_uris: redirectUris, public: true });
      const withWorker = async <T>(work: () => Promise<T>): Promise<T> => {
        const worker = await startServer(['src/main.ts', 'worker'], settings);
        try {
          return await work();
        } finally {
          stopServer(worker);
        }
      };
      const connection = { base_url: baseUrl, client_id: clientId, database_url: postgres.url, db, withWorker };
      await attack({ ...connection, memory: () => memory(baseUrl) });
    } finally {
      await db.close();
    }
  } finally {
    stopServers();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export const password = 'correct horse battery staple';

/** @returns an access token with all scopes */
export async function signInAs(
  { base_url: baseUrl, client_id: clientId }: AttackedService,
  email: string,
): Promise<string> {
  return (await signIn({ base_url: baseUrl, client_id: clientId, email, password })).access_token;
}

/** A company with one signed-in person of each role. */
export async function createTarget(service: AttackedService, label: string): Promise<Target> {
  const { base_url: baseUrl, db } = service;
  const person = (role: Role | 'connected') => ({
    name: `${label} ${role}`,
    email: `${role}.${label.toLowerCase()}@example.com`,
    position: `${label} position`,
    department: label,
    password,
  });
  const { company, admin } = await createCompany(db, label, person('admin'));
  const report = { manager_id: admin.collaborator_id };
  const manager = await createPerson(db, company.id, { ...person('manager'), role: 'manager', ...report });
  await createPerson(db, company.id, { ...person('employee'), manager_id: manager.collaborator_id });
  const connected = await createPerson(db, company.id, { ...person('connected'), manager_id: manager.collaborator_id });
  const callers = {} as Record<Role, Caller>;
  for (const role of roles) {
    callers[role] = { token: await signInAs(service, person(role).email), company_id: company.id };
  }
  const connect = async () => {
    await signInAs(service, person('connected').email);
    const { id } = await db.global
      .selectFrom('oauth_grants')
      .select('id')
      .where('user_id', '=', connected.user_id)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    return id;
  };
  return { base_url: baseUrl, callers, connect };
}
