/**
 * Sign-ins kept on this machine: `credentials.json` in the user's configuration folder, one sign-in for each service.
 * Only the user may read it (folder 700, file 600).
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../platform/config/development.ts';
import { Failure } from './failure.ts';
import type { Tokens } from './oauth.ts';

export interface SignIn {
  client_id: string;
  access_token: string;
  /** When the access token ends (RFC 3339). */
  expires_at: string;
  refresh_token: string | null;
  scope: string;
}

/** By the base URL of the service. */
type Credentials = Record<string, SignIn>;

export function credentialsFile(environment: Environment): string {
  const folder = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config');
  return join(folder, 'collaborator-api', 'credentials.json');
}

export async function readCredentials(environment: Environment): Promise<Credentials> {
  const file = credentialsFile(environment);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`${file} is damaged: remove it and sign in again`);
  }
}

/** @param before the sign-in that these tokens continue: a refresh may leave out what stays the same */
export async function storeTokens(
  environment: Environment,
  base_url: string,
  client_id: string,
  tokens: Tokens,
  before?: SignIn,
): Promise<SignIn> {
  const sign_in: SignIn = {
    client_id,
    access_token: tokens.access_token,
    expires_at: new Date(Date.now() + (tokens.expires_in ?? 0) * 1000).toISOString(),
    refresh_token: tokens.refresh_token ?? before?.refresh_token ?? null,
    scope: tokens.scope ?? before?.scope ?? '',
  };
  await write(environment, { ...(await readCredentials(environment)), [base_url]: sign_in });
  return sign_in;
}

export async function removeSignIn(environment: Environment, base_url: string): Promise<void> {
  const { [base_url]: _, ...others } = await readCredentials(environment);
  await write(environment, others);
}

async function write(environment: Environment, credentials: Credentials): Promise<void> {
  const file = credentialsFile(environment);
  const folder = join(file, '..');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  // Written beside it and put in place when whole, so that nobody ever reads half of it.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
