/** Files in a folder of this machine. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { notFound, Problem } from '../../../contract/problem.ts';
import { makeFolder } from './make-folder.ts';
import {
  diskError,
  markKey,
  partsOfKey,
  type Storage,
  type StoredObject,
  selfTest,
  unfinishedFolder,
} from './storage.ts';
import { outage, StoreError } from './store-error.ts';

/** Buffer size for each object being written. */
const waitingBytes = 16_384;

/** Unfinished objects in listings. */
const draftKey = new RegExp(`^\\${unfinishedFolder}/[0-9a-f]+$`);

/** The store's own subfolders. Others, such as a disk's `lost+found`, may be unreadable. */
const ownFolder = new RegExp(`^([0-9a-f-]{36}|\\${unfinishedFolder})/$`);

export function createLocalStorage(folder: string): Storage {
  const drafts = join(folder, unfinishedFolder);
  const pathOf = (key: string) => {
    if (!partsOfKey(key) && !draftKey.test(key) && key !== markKey) throw new Error('not a key of this storage');
    return join(folder, key);
  };
  /**
   * Whether this process has seen the drafts folder. If it disappears, the disk is gone: no writes, and no file counts as
   * removed.
   */
  let hasExisted = false;
  const begin = async () => {
    if (!hasExisted) await makeFolder(drafts, 0o700);
    hasExisted = true;
  };
  const orMissing = async (error: NodeJS.ErrnoException): Promise<undefined> => {
    if (error.code !== 'ENOENT') throw diskError(error);
    if (hasExisted && !(await isThere(drafts))) throw folderMissing();
  };
  const storage: Storage = {
    async put(key, content) {
      content.on('error', () => {}); // it may fail before it is read; reading reports it
      const target = pathOf(key);
      const draft = join(drafts, randomBytes(16).toString('hex'));
      try {
        await begin();
        // `flush`: the bytes reach the disk before the name, and the name before the caller continues.
        await pipeline(
          content,
          createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: waitingBytes }),
        );
        await makeFolder(dirname(target), 0o700);
        await rename(draft, target);
        await syncFolder(dirname(target));
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {});
        if (isAt(error, draft)) await orMissing(error as NodeJS.ErrnoException);
        throw diskError(error);
      }
    },
    async read(key, range) {
      const handle = await open(pathOf(key)).catch(orMissing);
      if (!handle) throw notFound();
      return handle.createReadStream(range).on('error', () => {}); // the reader gets the error, maybe later
    },
    async size(key) {
      return (await stat(pathOf(key)).catch(orMissing))?.size;
    },
    async remove(key) {
      await rm(pathOf(key)).catch(orMissing);
    },
    async *list(after) {
      yield* listFolder(folder, '', after);
      // If the folder has disappeared, the list was incomplete.
      if (hasExisted && !(await isThere(drafts))) throw folderMissing();
    },
    async check() {
      await begin()
        .then(() => selfTest(storage))
        .catch(unusable);
    },
  };
  return storage;
}

function folderMissing() {
  return outage(new StoreError('the file folder is missing or was replaced'));
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Whether the error is about creating this very file. */
function isAt(error: unknown, path: string): boolean {
  const { code, path: at } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' && at === path;
}

/** A retry won't help. */
const lastingCodes = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'ENOENT', 'ENAMETOOLONG', 'EINVAL']);

function unusable(error: Error): never {
  const cause = error instanceof Problem ? error.cause : error;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (lastingCodes.has(code ?? '')) throw outage(new StoreError(message, { isLasting: true, cause }));
  throw error;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Lists one folder after the other, sorted by name, so that few names are in memory. Skips foreign files. */
async function* listFolder(root: string, path: string, after: string | undefined): AsyncIterable<StoredObject> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(orNone);
  // A folder sorts like its contents: with its slash.
  const all = entries.map((entry) => (entry.isDirectory() ? `${path}${entry.name}/` : `${path}${entry.name}`));
  const names = path === '' ? all.filter((name) => ownFolder.test(name)) : all;
  for (const name of names.sort()) {
    if (name.endsWith('/')) {
      if (after === undefined || name > after || after.startsWith(name)) yield* listFolder(root, name, after);
    } else if (after === undefined || name > after) {
      const [found] = await stat(join(root, name)).then((each) => [each], orNone);
      if (found) yield { key: name, modifiedAt: found.mtime };
    }
  }
}

/** Skips files that are removed during the listing. */
function orNone(error: NodeJS.ErrnoException): never[] {
  if (error.code !== 'ENOENT') throw diskError(error);
  return [];
}
