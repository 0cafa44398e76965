/** The address of the service that a command uses. */
import { httpAddress, type Place } from '../terminal/place.ts';

export interface AddressOptions {
  baseUrl?: string;
}

/** The address that was given, else that of API_URL, else the one that the program knows of. */
export async function serviceAddress(place: Place, { baseUrl }: AddressOptions): Promise<string> {
  const given = baseUrl ?? (place.environment.API_URL || undefined);
  return given === undefined ? place.nearAddress() : httpAddress(given);
}
