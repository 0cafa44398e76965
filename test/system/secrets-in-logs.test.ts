/** Runs the demo with full logging: no secret of its requests, responses, emails, and settings may be in the log. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { steps } from '../../scripts/demo/steps.ts';
import { playStory } from '../../scripts/demo/story.ts';
import { demoCompany } from '../../scripts/run/demo/demo-company.ts';
import { startDevelopment } from '../../scripts/run/development.ts';
import { quiet } from '../../scripts/run/progress.ts';
import { developmentSettings } from '../../src/platform/config/development.ts';
import { temporaryFolder } from '../helpers/command.ts';
import { testDatabase } from '../helpers/database/database.ts';

const secretFields = ['access_token', 'refresh_token', 'secret', 'code', 'code_verifier', 'password', 'csrf_token'];
const secretLinks = /\/(?:oauth\/(?:invitation|reset)|files)\/([\w.-]{20,})/g;

/** Hooks this process's requests and responses. @returns a function that removes the hooks */
function watchRequests(secrets: Set<string>): () => void {
  const { fetch } = globalThis;
  const collect = (text: string) => {
    for (const name of secretFields) {
      for (const [, value] of text.matchAll(new RegExp(`"${name}":"([^"]{12,})"`, 'g'))) secrets.add(value!);
    }
    for (const [, token] of text.matchAll(secretLinks)) secrets.add(token!);
  };
  globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    const [, token] = /^(?:Bearer|Basic) (.+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    if (token) secrets.add(token);
    for (const cookie of headers.get('cookie')?.split('; ') ?? []) secrets.add(cookie.slice(cookie.indexOf('=') + 1));
    if (init?.body instanceof URLSearchParams) {
      for (const name of secretFields) for (const value of init.body.getAll(name)) secrets.add(value);
    } else if (typeof init?.body === 'string') collect(init.body);
    const response = await fetch(input, init);
    if (/json|text/.test(response.headers.get('content-type') ?? '')) collect(await response.clone().text());
    return response;
  };
  return () => {
    globalThis.fetch = fetch;
  };
}

test('no secret of the whole demo is in the log at any level', async () => {
  const [folder, database] = await Promise.all([temporaryFolder(), testDatabase()]);
  const consoleLog = jest.spyOn(console, 'log').mockImplementation(() => {});
  const secrets = new Set<string>();
  const unwatch = watchRequests(secrets);
  try {
    const settings = { NODE_ENV: 'development', DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'trace' };
    const environment = { ...settings, DATABASE_URL: database.url }; // a server of its own takes longer
    const service = await startDevelopment(environment, quiet);
    const outbox = join(folder.path, 'outbox');
    const { DEMO_PASSWORD: password, ENCRYPTION_KEY } = await developmentSettings(environment);
    try {
      await demoCompany(environment, service.db);
      const { base_url: baseUrl, client_id: clientId } = service;
      await playStory(steps, { base_url: baseUrl, client_id: clientId, password, run_id: 'secrets', outbox });
    } finally {
      await service.stop();
    }
    for (const file of await readdir(outbox)) {
      const mail = await readFile(join(outbox, file), 'utf8');
      for (const [, token] of mail.matchAll(secretLinks)) secrets.add(token!);
    }
    secrets.add(password).add(ENCRYPTION_KEY);
    secrets.delete('');
    expect(secrets.size).toBeGreaterThan(30); // secrets were collected

    const log = await readFile(service.log_file, 'utf8');
    expect(log.split('\n').length).toBeGreaterThan(50); // the log isn't empty
    expect([...secrets].filter((secret) => log.includes(secret))).toEqual([]);
  } finally {
    unwatch();
    consoleLog.mockRestore();
    await database.drop();
    await folder.remove();
  }
});
