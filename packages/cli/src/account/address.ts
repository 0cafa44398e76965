/** Resolves the base URL of the service a command talks to. */
import { httpAddress, type Place } from '../terminal/context.ts';

export interface AddressOptions {
  baseUrl?: string;
}

/** Precedence: `--base-url`, then API_URL, then the host program's default. */
export async function serviceAddress(place: Place, { baseUrl }: AddressOptions): Promise<string> {
  const given = baseUrl ?? (place.environment.API_URL || undefined);
  return given === undefined ? place.nearAddress() : httpAddress(given);
}
