/** Files in a folder of this machine. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { notFound } from '../../contract/problem.ts';
import { makeFolder } from './make-folder.ts';
import { diskFault, partsOfKey, type Storage, type StoredObject, unfinished_folder } from './storage.ts';

/** Held for one object while it is written. */
const waiting_bytes = 16_384;

/** Of what is listed, beside the keys of objects. */
const draft_key = new RegExp(`^\\${unfinished_folder}/[0-9a-f]+$`);

export function createLocalStorage(folder: string): Storage {
  const place = (key: string) => {
    if (!partsOfKey(key) && !draft_key.test(key)) throw new Error('not a key of this storage');
    return join(folder, key);
  };
  return {
    async put(key, content) {
      content.on('error', () => {}); // it may fail before it is read, and is then heard of by reading it
      const target = place(key);
      const draft = join(folder, unfinished_folder, randomBytes(16).toString('hex'));
      try {
        await makeFolder(dirname(draft), 0o700);
        // `flush`: the bytes are on the disk before the name, and the name before anybody is told.
        await pipeline(
          content,
          createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: waiting_bytes }),
        );
        await makeFolder(dirname(target), 0o700);
        await rename(draft, target);
        await syncFolder(dirname(target));
      } catch (error) {
        await rm(draft, { force: true });
        throw diskFault(error);
      }
    },
    async read(key, range) {
      const handle = await open(place(key)).catch(orMissing);
      if (!handle) throw notFound();
      return handle.createReadStream(range).on('error', () => {}); // whoever reads it hears of it, which may be later
    },
    async size(key) {
      return (await stat(place(key)).catch(orMissing))?.size;
    },
    async remove(key) {
      await rm(place(key), { force: true });
    },
    list: (after) => listFolder(folder, '', after),
  };
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** One folder after the other, each in the order of names, so that few names are held at once. */
async function* listFolder(root: string, path: string, after: string | undefined): AsyncIterable<StoredObject> {
  const entries = (await readdir(join(root, path), { withFileTypes: true }).catch(orMissing)) ?? [];
  // A folder sorts as what is in it does: with its slash.
  const names = entries.map((entry) => (entry.isDirectory() ? `${path}${entry.name}/` : `${path}${entry.name}`));
  for (const name of names.sort()) {
    if (name.endsWith('/')) {
      if (after === undefined || name > after || after.startsWith(name)) yield* listFolder(root, name, after);
    } else if (after === undefined || name > after) {
      const found = await stat(join(root, name)).catch(orMissing);
      if (found) yield { key: name, modified_at: found.mtime };
    }
  }
}
