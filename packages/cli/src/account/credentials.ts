/** Sign-ins kept on this machine, in `credentials.json`: one for each service, by its address. */
import { Failure } from '../terminal/failure.ts';
import type { Environment } from '../terminal/place.ts';
import { configFile, readConfigFile, writeConfigFile } from './config-folder.ts';
import type { Tokens } from './oauth.ts';

export interface SignIn {
  client_id: string;
  access_token: string;
  /** When the access token ends (RFC 3339). */
  expires_at: string;
  refresh_token: string | null;
  scope: string;
  /** The company that commands act for; undefined when none was chosen. */
  company_id?: string | undefined;
}

/** By the base URL of the service. */
type Credentials = Record<string, SignIn>;

const file_name = 'credentials.json';

export function credentialsFile(environment: Environment): string {
  return configFile(environment, file_name);
}

export async function readCredentials(environment: Environment): Promise<Credentials> {
  const text = (await readConfigFile(environment, file_name)) ?? '{}';
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`${credentialsFile(environment)} is damaged: remove it and sign in again`);
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
    ...(before?.company_id !== undefined && { company_id: before.company_id }),
  };
  await write(environment, { ...(await readCredentials(environment)), [base_url]: sign_in });
  return sign_in;
}

/** @param company_id undefined forgets the one before */
export async function storeCompany(
  environment: Environment,
  base_url: string,
  company_id: string | undefined,
): Promise<void> {
  const credentials = await readCredentials(environment);
  const { company_id: _, ...sign_in } = credentials[base_url]!;
  const changed = company_id === undefined ? sign_in : { ...sign_in, company_id };
  await write(environment, { ...credentials, [base_url]: changed });
}

export async function removeSignIn(environment: Environment, base_url: string): Promise<void> {
  const { [base_url]: _, ...others } = await readCredentials(environment);
  await write(environment, others);
}

async function write(environment: Environment, credentials: Credentials): Promise<void> {
  await writeConfigFile(environment, file_name, `${JSON.stringify(credentials, null, 2)}\n`);
}
