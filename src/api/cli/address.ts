/** The address of the service that a command uses. */
import { type Environment, runningService } from '../../platform/config/development.ts';
import { Failure } from './failure.ts';

export interface AddressOptions {
  baseUrl?: string;
}

/** The address that was given, else the configured one, else that of the service which runs in this checkout. */
export async function serviceAddress(environment: Environment, { baseUrl }: AddressOptions): Promise<string> {
  const given = baseUrl ?? (environment.BASE_URL || undefined);
  if (given === undefined) {
    return (await runningService(environment))?.base_url ?? `http://127.0.0.1:${environment.PORT || 8080}`;
  }
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Failure(`not an http address: ${given}`, 2);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
