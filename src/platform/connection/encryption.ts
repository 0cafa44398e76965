/**
 * TLS settings of a connection, from libpq's parameters in the URL (https://www.postgresql.org/docs/current/libpq-ssl.html):
 *
 * | sslmode       | encrypted | certificate of a known authority | for this host |
 * | ------------- | --------- | -------------------------------- | ------------- |
 * | none, disable | no        |                                  |               |
 * | no-verify     | yes       | no: open to interception         | no            |
 * | verify-ca     | yes       | of `sslrootcert`                 | no            |
 * | require       | yes       | yes                              | yes           |
 * | verify-full   | yes       | yes                              | yes           |
 *
 * libpq accepts any certificate with `require`; this is stricter, as pg has been, because people who write `require` expect a
 * verified server. The authorities are those of `sslrootcert`, or Node's default ones.
 */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { parametersOf, withParameters } from './parameters.ts';

const modes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

/** The parameters handled here. `uselibpqcompat` is dropped, because it would weaken `require`. */
const parameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'uselibpqcompat'];

/** The URL without TLS parameters, for pg. */
export function withoutEncryption(url: string): string {
  return withParameters(url, Object.fromEntries(parameters.map((name) => [name, undefined])));
}

/**
 * @param host the name the certificate must match
 * @returns undefined when the URL has no TLS parameter
 */
export function encryptionOf(url: string, host: string): ConnectionOptions | false | undefined {
  const params = parametersOf(url);
  const mode = params.get('sslmode') ?? (parameters.some((name) => params.get(name)) ? 'verify-full' : undefined);
  if (mode === undefined) return undefined;
  if (mode === 'prefer' || mode === 'allow') {
    throw new Error(`sslmode=${mode} allows unencrypted connections: use disable, require, verify-ca, or verify-full`);
  }
  if (!modes.includes(mode)) throw new Error(`sslmode must be one of ${modes.join(', ')}`);
  // Like libpq: a Unix socket can't be intercepted.
  if (mode === 'disable' || host.startsWith('/')) return false;
  return { host, ...clientCertificate(params), ...trust(mode, params) };
}

function trust(mode: string, params: URLSearchParams): ConnectionOptions {
  if (mode === 'no-verify') return { rejectUnauthorized: false };
  const root = params.get('sslrootcert');
  const ca = root && root !== 'system' ? read('sslrootcert', root) : undefined;
  if (mode !== 'verify-ca') return { ...(ca && { ca }) };
  // Without a host check, a public authority would be worthless: it issues certificates to anybody.
  if (!ca)
    throw new Error(
      'sslmode=verify-ca requires sslrootcert, the certificate file of the authority; or use verify-full',
    );
  return { ca, checkServerIdentity: () => undefined };
}

function clientCertificate(params: URLSearchParams): ConnectionOptions {
  const cert = params.get('sslcert');
  const key = params.get('sslkey');
  if (Boolean(cert) !== Boolean(key)) throw new Error('sslcert and sslkey belong together: set both, or neither');
  const passphrase = params.get('sslpassword');
  if (!cert || !key) return {};
  return { cert: read('sslcert', cert), key: read('sslkey', key), ...(passphrase && { passphrase }) };
}

/** Read once per pool or single connection, so a new file takes effect on restart. */
function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
