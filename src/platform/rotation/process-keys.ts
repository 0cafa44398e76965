/** Each process names its encryption keys in the names of its connections, so that commands don't use a key that it lacks. */
import { connected, openSession } from '../connection/open.ts';
import { type EncryptionKeys, keyId } from '../secrets/secrets.ts';

/** Postgres cuts names after 63 bytes. */
const maxNamed = 4;

/** @param name of a connection that the process keeps open */
export function withKeyNames(name: string, keys: EncryptionKeys): string {
  return `${name}:${keys.slice(0, maxNamed).map(keyName).join('.')}`;
}

/** @throws when a running process couldn't decrypt what the first key encrypts */
export async function refuseKeyUnknownToProcesses(url: string, [first]: EncryptionKeys): Promise<void> {
  const { rows } = await connected(openSession(url, { application_name: 'keys' }), (client) =>
    client.query<{ name: string }>(`
      select application_name as name from pg_stat_activity where datname = current_database()
        and application_name ~ '^collaborator-api-(listener|upkeep:[^:]+):'`),
  );
  const without = rows.filter(({ name }) => !name.split(':').at(-1)!.split('.').includes(keyName(first)));
  if (without.length === 0) return;
  throw new Error(
    'running processes of the service lack the first key of ENCRYPTION_KEY, and could not decrypt what it encrypts: ' +
      'restart them with it first (docs/operations/secrets.md, step 1)',
  );
}

function keyName(key: Buffer): string {
  return keyId(key).subarray(0, 3).toString('base64url');
}
