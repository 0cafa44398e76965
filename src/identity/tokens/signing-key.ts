/** Tracks the key that signs access tokens: the newest one that every process knows. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/db/client.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { createRepeatedWarning } from '../../platform/observe/repeated-warning.ts';
import type { EncryptionKeys } from '../../platform/secrets/secrets.ts';
import { type PrivateKey, signingKeys } from './signing-keys.ts';

/** The delay before a new key signs: by then every process has been notified and accepts its tokens. */
const publishBeforeSigningMs = 1_500;

export interface CurrentSigningKey {
  /** The same object while the key is the same. */
  now(): PrivateKey;
}

interface NewestKeyOptions {
  db: Database;
  encryption_keys: EncryptionKeys;
  access: AccessListener;
  log?: Logger | undefined;
}

/** Loads the key, and follows changes until `access` is closed. */
export async function watchSigningKey({
  db,
  encryption_keys: encryptionKeys,
  access,
  log,
}: NewestKeyOptions): Promise<CurrentSigningKey> {
  const newest = async () => (await signingKeys(db, encryptionKeys))[0]!;
  let key = await newest();
  let latestCall = 0;
  const warning = createRepeatedWarning(log, 'signing keys could not be read');

  const follow = async () => {
    const ownCall = ++latestCall;
    do {
      await sleep(publishBeforeSigningMs, undefined, { ref: false, signal: access.closed }).catch(() => {});
      if (ownCall !== latestCall || access.closed.aborted) return; // a later call takes over, or the service stops
    } while (!access.connected); // it may have missed a newer key, which others don't know yet
    try {
      const found = await newest();
      warning.ended();
      if (found.kid === key.kid) return;
      key = found;
      log?.info({ key_id: key.kid }, 'signing key changed');
    } catch (error) {
      warning.failed(error as Error);
      void follow();
    }
  };
  access.subscribe({ onChange() {}, onKeys: () => void follow(), onGap: () => void follow() });
  return { now: () => key };
}
