/**
 * The address of a database, `postgres://user:password@host/database?…`, as pg takes it. All connections of this project are
 * opened by it, so that each understands the same addresses, and is as safe as the address says.
 */
import type pg from 'pg';
import { parse } from 'pg-connection-string';
import { encryptionOf, withoutEncryption } from './encryption.ts';
import { choiceOf, isForOneOf, ledTo } from './hosts.ts';
import { type ClientConfig, PostgresClient } from './postgres-client.ts';

/** From when on the system asks whether an idle connection still has its other end. */
const keepAliveMs = 10_000;

/** What pools and clients of this project are opened with. */
export type Connecting<C> = C & ClientConfig & Pick<pg.PoolConfig, 'Client'>;

/**
 * @param url its `application_name` wins; its `options`, the command line of the session, stand before those of `more`
 * @param more wins in all else, of two `options` too
 * @throws when a file that it names can not be read
 */
export function connectionTo<C extends ClientConfig>(url: string, more: C): Connecting<C> {
  const choice = choiceOf(url);
  if (!choice) return connectionToOne(url, more);
  const config = connectionToOne(choice.hosts[0].url, more);
  const { ssl } = config;
  // Not where certificates are for any host, or for none.
  const checks = typeof ssl === 'object' && ssl.rejectUnauthorized !== false && !ssl.checkServerIdentity;
  return {
    ...config,
    ...ledTo(choice, (one) => connectionToOne(one, { application_name: 'collaborator-api-hosts' })),
    ...(checks && { ssl: { ...ssl, checkServerIdentity: isForOneOf(choice) } }),
  };
}

function connectionToOne<C extends ClientConfig>(url: string, more: C): Connecting<C> {
  const parsed = { ...parse(withoutEncryption(url)), database: databaseOf(url) };
  const parts = Object.entries(parsed).filter(([, value]) => value !== null && value !== '');
  const address = Object.fromEntries(parts) as pg.ClientConfig;
  const ssl = encryptionOf(url, address.host ?? 'localhost');
  const options = [address.options, more.options].filter(Boolean).join(' ');
  const { application_name: applicationName = more.application_name } = address;
  return {
    ...address,
    Client: PostgresClient as unknown as pg.PoolConfig['Client'],
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    ...more,
    ...(applicationName !== undefined && { application_name: applicationName }),
    ...(ssl !== undefined && { ssl }),
    ...(options && { options }),
  };
}

/** Not by the library, which leaves some characters as they are written. */
function databaseOf(url: string): string {
  return decodeURIComponent(/^[a-z]+:\/\/[^/?]*\/([^?]*)/i.exec(url)?.[1] ?? '');
}

/** @returns why an address can not be used, undefined when it can; nothing secret is in it */
export function addressProblem(url: string): string | undefined {
  try {
    connectionTo(url, {});
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_INVALID_URL' && !(error instanceof URIError)) return message;
    return 'is not an address: characters that mean something in an address are written as %.. in names and passwords';
  }
}
