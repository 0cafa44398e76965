/** Opens a single connection, and explains errors that a retry won't fix. */
import type pg from 'pg';
import { connectionTo } from './address.ts';
import { type ClientConfig, PostgresClient } from './postgres-client.ts';
import { completeSession, sessionTo } from './session.ts';

/**
 * A connection with the session settings and no timeouts.
 * @throws pg's error; for poolers and certificates, with instructions
 */
export async function openSession(url: string, more: ClientConfig, onLost?: () => void): Promise<pg.Client> {
  const client = await open(sessionTo(url, { connectionTimeoutMillis: 10_000, ...more }), onLost);
  await completeSession(client, {});
  return client;
}

/** A connection without session settings, for a pooler. */
export function openPooledConnection(url: string, more: ClientConfig): Promise<pg.Client> {
  return open(connectionTo(url, { connectionTimeoutMillis: 10_000, ...more }));
}

/** Closes the connection after `work`, even if it fails. */
export async function connected<T>(opening: Promise<pg.Client>, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await opening;
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function open(config: ClientConfig, onLost: () => void = () => {}): Promise<pg.Client> {
  const client = new PostgresClient(config);
  client.on('error', onLost); // also rejects the running query, which reports it
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    const reason = connectionProblem(error as NodeJS.ErrnoException);
    throw reason ? new Error(`the database can't be used: ${reason}`, { cause: error }) : error;
  }
}

/** Poolers and Node use English, whatever Postgres's language is. */
function connectionProblem({ code = '', message = '' }: NodeJS.ErrnoException): string | undefined {
  if (/unsupported startup parameter|support command-line options/.test(message)) {
    return `its address belongs to a pooler (${message}): set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL, see docs/operations/pgbouncer.md`;
  }
  if (message === 'The server does not support SSL connections') {
    return 'its URL requires TLS (sslmode), which the server does not support: see docs/operations/postgres.md';
  }
  const [, alert] = /^ERR_SSL_\w+_ALERT_(UNKNOWN_CA|\w*CERTIFICATE\w*)$/.exec(code) ?? [];
  if (alert !== undefined) {
    return `it refused the client certificate (sslcert): ${alert.toLowerCase().replaceAll('_', ' ')}: see docs/operations/postgres.md`;
  }
  const reason = certificateProblems[code];
  return reason && `${reason} (${message}): see docs/operations/postgres.md`;
}

const unknownAuthority =
  'its certificate comes from an unknown authority: set sslrootcert to the certificate file of the authority';

/** OpenSSL codes as Node reports them: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const certificateProblems: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};
