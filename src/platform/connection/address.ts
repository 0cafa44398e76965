/** Turns a database URL into pg's configuration. All connections are opened this way, with the same parameters and TLS rules. */
import type pg from 'pg';
import { parse } from 'pg-connection-string';
import { encryptionOf, withoutEncryption } from './encryption.ts';
import { choiceOf, hostSelection, identityCheckOf } from './hosts.ts';
import { type ClientConfig, PostgresClient } from './postgres-client.ts';

/** When the kernel starts to probe an idle connection. */
const keepAliveMs = 10_000;

export type Connecting<C> = C & ClientConfig & Pick<pg.PoolConfig, 'Client'>;

/**
 * @param url its `application_name` wins; its `options` (the session's command line) come before those of `more`
 * @param more wins in everything else
 * @throws when a file named in the URL is unreadable
 */
export function connectionTo<C extends ClientConfig>(url: string, more: C): Connecting<C> {
  const choice = choiceOf(url);
  if (!choice) return connectionToOne(url, more);
  const config = connectionToOne(choice.hosts[0].url, more);
  const { ssl } = config;
  // Not with certificates that are valid for any host, nor without certificates.
  const checks = typeof ssl === 'object' && ssl.rejectUnauthorized !== false && !ssl.checkServerIdentity;
  return {
    ...config,
    ...hostSelection(choice, (one) => connectionToOne(one, { application_name: 'collaborator-api-hosts' })),
    ...(checks && { ssl: { ...ssl, checkServerIdentity: identityCheckOf(choice) } }),
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

/** pg's own parser leaves some characters percent-encoded. */
function databaseOf(url: string): string {
  return decodeURIComponent(/^[a-z]+:\/\/[^/?]*\/([^?]*)/i.exec(url)?.[1] ?? '');
}

/** @returns why a URL is unusable, without its secrets; undefined if it is usable */
export function addressProblem(url: string): string | undefined {
  try {
    connectionTo(url, {});
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_INVALID_URL' && !(error instanceof URIError)) return message;
    return 'is not a URL: percent-encode special characters in names and passwords';
  }
}
