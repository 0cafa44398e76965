/**
 * How a connection is encrypted, by the words of libpq in the address (https://www.postgresql.org/docs/current/libpq-ssl.html):
 *
 * | sslmode       | encrypted | certificate of a known authority | for this host |
 * | ------------- | --------- | -------------------------------- | ------------- |
 * | none, disable | no        |                                  |               |
 * | no-verify     | yes       | no: whoever is in between reads  | no            |
 * | verify-ca     | yes       | of `sslrootcert`                 | no            |
 * | require       | yes       | yes                              | yes           |
 * | verify-full   | yes       | yes                              | yes           |
 *
 * libpq takes any certificate with `require`. Here it is what it says, as it has been with pg: nobody who wrote it meant to
 * talk to whoever answers. The authorities are those of `sslrootcert`, or else those that Node knows.
 */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { parametersOf, withParameters } from './parameters.ts';

const modes = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

/** What this file reads of an address. `uselibpqcompat` asks for less than `require` gives. */
const parameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'uselibpqcompat'];

/** The address as pg is to see it. */
export function withoutEncryption(url: string): string {
  return withParameters(url, Object.fromEntries(parameters.map((name) => [name, undefined])));
}

/**
 * @param host the name that the certificate is for
 * @returns undefined when the address says nothing of it
 * @throws when it says something that is not understood, or names a file that can not be read
 */
export function encryptionOf(url: string, host: string): ConnectionOptions | false | undefined {
  const said = parametersOf(url);
  const mode = said.get('sslmode') ?? (parameters.some((name) => said.get(name)) ? 'verify-full' : undefined);
  if (mode === undefined) return undefined;
  if (mode === 'prefer' || mode === 'allow') {
    throw new Error(`sslmode=${mode} would also do without encryption: say disable, require, verify-ca or verify-full`);
  }
  if (!modes.includes(mode)) throw new Error(`sslmode must be one of ${modes.join(', ')}`);
  // As libpq: nobody is in between on a socket of this machine.
  if (mode === 'disable' || host.startsWith('/')) return false;
  return { host, ...clientCertificate(said), ...trust(mode, said) };
}

function trust(mode: string, said: URLSearchParams): ConnectionOptions {
  if (mode === 'no-verify') return { rejectUnauthorized: false };
  const root = said.get('sslrootcert');
  const ca = root && root !== 'system' ? read('sslrootcert', root) : undefined;
  if (mode !== 'verify-ca') return { ...(ca && { ca }) };
  // Any authority gives anybody a certificate for some host.
  if (!ca) throw new Error('sslmode=verify-ca needs sslrootcert, the file with the authority; or say verify-full');
  return { ca, checkServerIdentity: () => undefined };
}

function clientCertificate(said: URLSearchParams): ConnectionOptions {
  const cert = said.get('sslcert');
  const key = said.get('sslkey');
  if (Boolean(cert) !== Boolean(key)) throw new Error('sslcert and sslkey belong together: say both, or neither');
  const passphrase = said.get('sslpassword');
  if (!cert || !key) return {};
  return { cert: read('sslcert', cert), key: read('sslkey', key), ...(passphrase && { passphrase }) };
}

/** Read for each connection of its own and once for a pool: a new file counts from the next start on. */
function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
