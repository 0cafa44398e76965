/** Which key signs access tokens: always the newest, once every process has heard of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/db/client.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { EncryptionKeys } from '../../platform/secrets/secrets.ts';
import { type PrivateKey, signingKeys } from './signing-keys.ts';

/** A new key signs after this time: by then every process has heard of it and takes its tokens. */
const publishBeforeSigningMs = 1_500;

export interface NewestKey {
  /** The same object for as long as it is the newest. */
  now(): PrivateKey;
}

interface NewestKeyOptions {
  db: Database;
  encryption_keys: EncryptionKeys;
  access: AccessListener;
  log?: Logger | undefined;
}

/** Reads it, and follows its changes until `access` is closed. */
export async function followNewestKey({
  db,
  encryption_keys: encryptionKeys,
  access,
  log,
}: NewestKeyOptions): Promise<NewestKey> {
  const newest = async () => (await signingKeys(db, encryptionKeys))[0]!;
  let key = await newest();
  let asked = 0;

  const follow = async () => {
    const mine = ++asked;
    do {
      await sleep(publishBeforeSigningMs, undefined, { ref: false, signal: access.closed }).catch(() => {});
      if (mine !== asked || access.closed.aborted) return; // a later call does it, or nobody
    } while (!access.connected); // it may have missed a newer key, which others have not heard of yet
    try {
      const found = await newest();
      if (found.kid === key.kid) return;
      key = found;
      log?.info({ key_id: key.kid }, 'signing with another key');
    } catch (error) {
      log?.warn({ err: error }, 'signing keys could not be read');
      void follow();
    }
  };
  access.subscribe({ onChange() {}, onKeys: () => void follow(), onGap: () => void follow() });
  return { now: () => key };
}
