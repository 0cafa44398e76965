/** The files in a rotation of ENCRYPTION_KEY: re-encrypts those that use an older key. */
import type { EncryptedStorage, FileState } from '../files/store/encrypted.ts';
import { isUnfinished } from '../files/store/storage.ts';
import type { KeyCount, RotationCount } from './rotate.ts';

const name = 'files';

/** @returns undefined when encryption is off and no file is encrypted */
export async function fileCounts(storage: EncryptedStorage, encrypts: boolean): Promise<KeyCount | undefined> {
  const count = { name, current: 0, older: 0 };
  for await (const { state } of filesOf(storage)) {
    if (state === 'current') count.current++;
    else if (state !== 'plain' || encrypts) count.older++;
  }
  return encrypts || count.current + count.older > 0 ? count : undefined;
}

/** Can be resumed after an interruption, because it skips files that use the first key. */
export async function rotateFiles(storage: EncryptedStorage, encrypts: boolean): Promise<RotationCount | undefined> {
  const total = { name, resealed: 0, unreadable: 0 };
  let found = 0;
  for await (const { key, state } of filesOf(storage)) {
    if (state !== 'plain') found++;
    if (state === 'unreadable') total.unreadable++;
    if (state !== 'older' && !(state === 'plain' && encrypts)) continue;
    try {
      await storage.reseal(key);
      total.resealed++;
    } catch (error) {
      if ((await storage.stateOf(key)) === undefined) continue; // removed meanwhile
      throw error;
    }
  }
  return encrypts || found > 0 ? total : undefined;
}

async function* filesOf(storage: EncryptedStorage): AsyncGenerator<{ key: string; state: FileState }> {
  for await (const { key } of storage.list()) {
    if (isUnfinished(key)) continue;
    const state = await storage.stateOf(key);
    if (state) yield { key, state };
  }
}
