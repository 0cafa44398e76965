/** A service in its own process, with metrics, traces, and emails that tests can inspect. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { grantToken } from '../../helpers/identity/tokens.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { testSettings } from '../../helpers/settings.ts';

export interface WatchedService {
  base_url: string;
  database: TestDatabase;
  child: ReturnType<typeof startProcess>;
  company_id: string;
  lines(): Record<string, unknown>[];
  /** Sends a request as the admin. @param request_id also names the trace's parent when it is one */
  request(method: string, path: string, headers?: Record<string, string>, body?: unknown): Promise<Response>;
  figures(): Promise<string>;
  mails(): Promise<string[]>;
  /** Stops the process as operators do, which flushes logs and traces. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** @param wayTo maps the database URL to the one the process uses */
export async function watchedService(
  settings: Record<string, string>,
  wayTo = async (url: string) => url,
): Promise<WatchedService> {
  const database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'watched-'));
  const all = { DATABASE_URL: await wayTo(database.url), DATA_DIR: folder, METRICS_PORT: '0', ...settings };
  const child = startProcess(all, ['api', 'worker']);
  const baseUrl = await child.ready();
  const { metrics } = child.lines().find((line) => line.metrics);
  const person = { name: 'Mariana Duarte', email: 'mariana@example.com', position: 'Lead', department: 'Operations' };
  const { company, admin } = await createCompany(database.db, 'Verde Logística', {
    ...person,
    password: 'correct horse battery staple',
  });
  const { user_id: userId } = admin;
  const config = readConfig({ ...testSettings, ...all });
  const token = await grantToken(database.db, config, baseUrl, { user_id: userId, company_ids: [company.id] });
  const stop = async () => {
    child.child.kill('SIGTERM');
    await child.ended;
  };
  return {
    base_url: baseUrl,
    database,
    child,
    company_id: company.id,
    lines: child.lines,
    request(method, path, headers = {}, body) {
      const sent = { Authorization: `Bearer ${token}`, 'X-Company-Id': company.id, ...headers };
      if (body === undefined || body instanceof FormData) {
        return fetch(`${baseUrl}${path}`, { method, headers: sent, body: body ?? null });
      }
      const typed = { ...sent, 'Content-Type': 'application/json' };
      return fetch(`${baseUrl}${path}`, { method, headers: typed, body: JSON.stringify(body) });
    },
    figures: async () => (await fetch(metrics)).text(),
    async mails() {
      const outbox = join(folder, 'outbox');
      const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.txt'));
      return Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')));
    },
    stop,
    async close() {
      killProcesses();
      await child.ended;
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
