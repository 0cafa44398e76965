/** Resolves the base URL of the service a command talks to. */
import { type CliContext, httpAddress } from '../terminal/context.ts';

export interface AddressOptions {
  baseUrl?: string;
}

/** Precedence: `--base-url`, then API_URL, then the host program's default. */
export async function serviceAddress(context: CliContext, { baseUrl }: AddressOptions): Promise<string> {
  const configuredUrl = baseUrl ?? (context.environment.API_URL || undefined);
  return configuredUrl === undefined ? context.defaultAddress() : httpAddress(configuredUrl);
}
