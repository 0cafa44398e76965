/** Stored sign-ins in `credentials.json`: one per service, keyed by base URL. */

import type { Environment } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { configFile, readConfigFile, writeConfigFile } from './config-folder.ts';
import type { Tokens } from './oauth.ts';

export interface SignIn {
  client_id: string;
  access_token: string;
  /** When the access token expires (RFC 3339). */
  expires_at: string;
  refresh_token: string | null;
  scope: string;
  /** The default company of commands; undefined when none is selected. */
  company_id?: string | undefined;
}

/** Keyed by the base URL of the service. */
type Credentials = Record<string, SignIn>;

const fileName = 'credentials.json';

export function credentialsFile(environment: Environment): string {
  return configFile(environment, fileName);
}

export async function readCredentials(environment: Environment): Promise<Credentials> {
  const text = (await readConfigFile(environment, fileName)) ?? '{}';
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(`${credentialsFile(environment)} is damaged: delete it and sign in again`);
  }
}

/** @param before the sign-in being refreshed; a refresh response may omit unchanged values */
export async function storeTokens(
  environment: Environment,
  baseUrl: string,
  clientId: string,
  tokens: Tokens,
  before?: SignIn,
): Promise<SignIn> {
  const signIn: SignIn = {
    client_id: clientId,
    access_token: tokens.access_token,
    expires_at: new Date(Date.now() + (tokens.expires_in ?? 0) * 1000).toISOString(),
    refresh_token: tokens.refresh_token ?? before?.refresh_token ?? null,
    scope: tokens.scope ?? before?.scope ?? '',
    ...(before?.company_id !== undefined && { company_id: before.company_id }),
  };
  await write(environment, { ...(await readCredentials(environment)), [baseUrl]: signIn });
  return signIn;
}

/** @param companyId undefined clears the stored company */
export async function storeCompany(
  environment: Environment,
  baseUrl: string,
  companyId: string | undefined,
): Promise<void> {
  const credentials = await readCredentials(environment);
  const { company_id: _, ...signIn } = credentials[baseUrl]!;
  const changed = companyId === undefined ? signIn : { ...signIn, company_id: companyId };
  await write(environment, { ...credentials, [baseUrl]: changed });
}

export async function removeSignIn(environment: Environment, baseUrl: string): Promise<void> {
  const { [baseUrl]: _, ...others } = await readCredentials(environment);
  await write(environment, others);
}

async function write(environment: Environment, credentials: Credentials): Promise<void> {
  await writeConfigFile(environment, fileName, `${JSON.stringify(credentials, null, 2)}\n`);
}
