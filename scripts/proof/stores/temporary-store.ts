// A temporary prefix or folder in a given store, so that a run neither sees existing files nor leaves any.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createStorage } from '../../../src/platform/files/context.ts';
import { errorOf } from '../../../src/platform/files/store/store-error.ts';

const removalsAtOnce = 20;

interface TemporaryStore {
  url: string;
  remove(): Promise<void>;
}

/**
 * @param name of the run, used as the start of the prefix
 * @throws a readable error when the store is unusable
 */
export async function createTemporaryStore(storageUrl: string, name: string): Promise<TemporaryStore> {
  const url = below(storageUrl, `${name}-${randomBytes(6).toString('hex')}`);
  const spool = await mkdtemp(join(tmpdir(), 'own-place-'));
  const key = Buffer.alloc(32, 7).toString('base64'); // nothing is encrypted with it
  const settings = readConfig({ NODE_ENV: 'test', ENCRYPTION_KEY: key, DATA_DIR: spool, STORAGE_URL: url });
  const storage = createStorage(settings);
  try {
    await storage.check('writing');
  } catch (error) {
    await rm(spool, { recursive: true, force: true });
    throw new Error(`STORAGE_URL can't be used: ${errorOf(error).reason}`, { cause: error });
  }
  return {
    url,
    async remove() {
      let removals: Promise<void>[] = [];
      for await (const object of storage.list()) {
        removals.push(storage.remove(object.key));
        if (removals.length === removalsAtOnce) await Promise.all(removals.splice(0));
      }
      await Promise.all(removals);
      removals = [];
      if (settings.storage.kind === 'local') await rm(settings.storage.folder, { recursive: true, force: true });
      await rm(spool, { recursive: true, force: true });
    },
  };
}

/** @param name without characters that need encoding */
function below(storageUrl: string, name: string): string {
  const [base, query] = storageUrl.split('?', 2) as [string, string | undefined];
  return `${base.replace(/\/+$/, '')}/${name}${query === undefined ? '' : `?${query}`}`;
}
