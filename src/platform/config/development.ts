/**
 * Settings for development on one machine, so that nobody has to invent keys and passwords: stored in `development.env`
 * in the data folder (mode 600), created at the first use, unchanged by restarts. The environment takes precedence.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { makeDataFolder, unusableFolder } from './data-folder.ts';

/** Environment variables, as `readConfig` takes them. */
export type Environment = Record<string, string | undefined>;

interface DevelopmentSettings {
  ENCRYPTION_KEY: string;
  /** Password of every demo account. */
  DEMO_PASSWORD: string;
  DEMO_COMPANY_ID?: string;
  /** The company without anybody, for who asks for one. */
  EMPTY_COMPANY_ID?: string;
  /** Where the receivers of the demo company's events listened last. */
  DEMO_RECEIVER_PORT?: string;
  /** Where the service listened last, so that addresses stay the same. */
  LAST_PORT?: string;
}

/** A service that was started in this checkout and still runs. */
export interface RunningService {
  base_url: string;
  pid: number;
  /** The id of its signing key: who answers with it at `base_url` is this service, and not another checkout's. */
  key_id: string;
}

const header = `# Made by \`make run\` for work on this machine: keep it out of version control.\n`;

/** The environment with what development needs filled in; in production as it is. */
export async function developmentEnvironment(environment: Environment): Promise<Environment> {
  if (environment.NODE_ENV === 'production') return environment;
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value)); // empty means unset
  const { NODE_ENV = 'development' } = set;
  // Receivers of webhooks are on this machine, too.
  const local = NODE_ENV === 'development' ? { WEBHOOK_ALLOW_PRIVATE: 'true' } : {};
  const hasKey = set.ENCRYPTION_KEY ?? set.ENCRYPTION_KEY_FILE;
  const key = hasKey ? {} : { ENCRYPTION_KEY: (await developmentSettings(environment)).ENCRYPTION_KEY };
  return { ...local, ...key, ...set, NODE_ENV };
}

/** Reads the settings of this checkout; makes them when there are none. */
export async function developmentSettings(environment: Environment): Promise<DevelopmentSettings> {
  const file = settingsFile(environment);
  const known = await readSettings(file);
  if (known) return known;
  await makeDataFolder(dataFolder(environment));
  const made = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), DEMO_PASSWORD: readablePassword() };
  const draft = await writeDraft(file, made);
  // Of two processes that make it at the same time, the first wins, and both read what it wrote.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readSettings(file))!;
}

/** Adds to the settings, or replaces some of them. */
export async function rememberSettings(environment: Environment, changed: Partial<DevelopmentSettings>): Promise<void> {
  const settings = { ...(await developmentSettings(environment)), ...changed };
  const file = settingsFile(environment);
  await rename(await writeDraft(file, settings), file);
}

export async function writeRunningService(environment: Environment, service: RunningService): Promise<void> {
  await writeFile(serviceFile(environment), `${JSON.stringify(service)}\n`);
}

/** @returns undefined when none runs; a file left by one that was killed does not count */
export async function runningService(environment: Environment): Promise<RunningService | undefined> {
  const text = await readFile(serviceFile(environment), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const service: RunningService = JSON.parse(text);
    process.kill(service.pid, 0);
    return service;
  } catch {
    return undefined;
  }
}

/** Forgets the running service, unless another one took its place. */
export async function removeRunningService(environment: Environment, pid: number): Promise<void> {
  if ((await runningService(environment))?.pid === pid) await rm(serviceFile(environment), { force: true });
}

export function dataFolder(environment: Environment): string {
  return environment.DATA_DIR || '.data';
}

function settingsFile(environment: Environment): string {
  return join(dataFolder(environment), 'development.env');
}

function serviceFile(environment: Environment): string {
  return join(dataFolder(environment), 'service.json');
}

async function readSettings(file: string): Promise<DevelopmentSettings | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unusableFolder(dirname(file), error);
  });
  if (text === undefined) return undefined;
  const settings = parseEnv(text) as unknown as DevelopmentSettings;
  if (settings.ENCRYPTION_KEY && settings.DEMO_PASSWORD) return settings;
  throw new Error(`${file} lacks ENCRYPTION_KEY or DEMO_PASSWORD: put them back, or remove the data folder`);
}

/** Writes beside the file: it is put in place when whole. */
async function writeDraft(file: string, settings: DevelopmentSettings): Promise<string> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(draft, header + lines.join(''), { mode: 0o600 });
  return draft;
}

/** Four groups of four (80 bits), without characters that look alike. */
function readablePassword(): string {
  const characters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 4 }, () => characters[randomInt(characters.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
