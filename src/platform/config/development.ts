/**
 * Development settings, such as generated keys: in `development.env` in the data folder (mode 600). The environment overrides
 * them.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { makeDataFolder, unusableFolder } from './data-folder.ts';

export type Environment = Record<string, string | undefined>;

interface DevelopmentSettings {
  ENCRYPTION_KEY: string;
  DEMO_PASSWORD: string;
  DEMO_COMPANY_ID?: string;
  /** The company of `COMPANY=empty`. */
  EMPTY_COMPANY_ID?: string;
  /** The last port of the demo company's webhook receivers. */
  DEMO_RECEIVER_PORT?: string;
  /** The last port of the service, reused so that URLs stay the same. */
  LAST_PORT?: string;
}

/** A service that was started from this checkout. */
export interface RunningService {
  base_url: string;
  pid: number;
  /** The id of its signing key, which tells whether the service at `base_url` is this one or another checkout's. */
  key_id: string;
}

const header = `# Made by \`make run\` for work on this machine: keep it out of version control.\n`;

/** The environment with development defaults; unchanged in production. */
export async function developmentEnvironment(environment: Environment): Promise<Environment> {
  if (environment.NODE_ENV === 'production') return environment;
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value)); // empty means unset
  const { NODE_ENV = 'development' } = set;
  // Webhook receivers run on this machine too.
  const local = NODE_ENV === 'development' ? { WEBHOOK_ALLOW_PRIVATE: 'true' } : {};
  const hasKey = set.ENCRYPTION_KEY ?? set.ENCRYPTION_KEY_FILE;
  const key = hasKey ? {} : { ENCRYPTION_KEY: (await developmentSettings(environment)).ENCRYPTION_KEY };
  return { ...local, ...key, ...set, NODE_ENV };
}

/** Reads the settings of this checkout, or creates them. */
export async function developmentSettings(environment: Environment): Promise<DevelopmentSettings> {
  const file = settingsFile(environment);
  const known = await readSettings(file);
  if (known) return known;
  await makeDataFolder(dataFolder(environment));
  const generated = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), DEMO_PASSWORD: readablePassword() };
  const draft = await writeDraft(file, generated);
  // If two processes create it at the same time, the first wins, and both read its file.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readSettings(file))!;
}

export async function rememberSettings(environment: Environment, changed: Partial<DevelopmentSettings>): Promise<void> {
  const settings = { ...(await developmentSettings(environment)), ...changed };
  const file = settingsFile(environment);
  await rename(await writeDraft(file, settings), file);
}

export async function writeRunningService(environment: Environment, service: RunningService): Promise<void> {
  await writeFile(serviceFile(environment), `${JSON.stringify(service)}\n`);
}

/** @returns undefined if none is running; ignores the file of a killed process */
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

/** Removes the file, unless another service has replaced it. */
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
  throw new Error(`${file} lacks ENCRYPTION_KEY or DEMO_PASSWORD: restore them, or delete the data folder`);
}

/** Writes to a draft file, so that the caller can publish it atomically. */
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
